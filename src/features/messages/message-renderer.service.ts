import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config';
import { ChannelDirectory, type ChannelRecord } from '../channels/channel.directory';
import { DescriptionRendererRegistry } from '../channels/description-renderer.registry';
import { GroupDirectory } from '../user-groups/group.directory';
import { AccountDirectory } from '../users/account.directory';
import { ProfileTextRegistry } from '../users/profile-text.registry';
import type { MentionableUser, RenderContext } from './rendering/render-context';
import { renderDescription, renderMarkdown, type RenderedMarkdown } from './rendering/render-markdown';
import { topicLinks } from './rendering/topic-links';
import { RenderingRegistry } from './rendering.registry';

/** Renders Markdown with the people, groups and channels of the organization. */
@Injectable()
export class MessageRendererService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly groups: GroupDirectory,
    private readonly channels: ChannelDirectory,
    private readonly registry: RenderingRegistry,
    private readonly config: Config,
    descriptions: DescriptionRendererRegistry,
    profileTexts: ProfileTextRegistry,
  ) {
    descriptions.use((markdown) => renderDescription(markdown, this.context()));
    profileTexts.use((markdown) => renderDescription(markdown, this.context()));
  }

  /** @param newChannels made in a transaction that is still open, so that the directory lacks them */
  render(markdown: string, newChannels: readonly ChannelRecord[] = []): RenderedMarkdown {
    return renderMarkdown(markdown, this.context(newChannels));
  }

  /** The links in a topic's name, as `topic_links` of the message record lists them. */
  topicLinks(topic: string): { text: string; url: string }[] {
    return topicLinks(topic, this.registry.linkifiers());
  }

  private context(newChannels: readonly ChannelRecord[] = []): RenderContext {
    let byName: Map<string, MentionableUser[]> | undefined;
    return {
      userById: (id) => {
        const account = this.accounts.byId(id);
        return account?.isActive ? account : undefined;
      },
      usersByName: (fullName) => (byName ??= this.peopleByName()).get(fullName.toLowerCase()) ?? [],
      groupByName: (name) => {
        const group = this.groups.byName(name);
        return group && !group.isDeactivated ? { id: group.id, name: group.name ?? name } : undefined;
      },
      channelByName: (name) => {
        const key = name.trim().toLowerCase();
        return newChannels.find((channel) => channel.nameKey === key) ?? this.channels.byName(name);
      },
      customEmoji: (name) => this.registry.customEmoji(name),
      linkifiers: this.registry.linkifiers(),
      siteUrl: this.config.externalUrl,
    };
  }

  /** Worked out at a message's first mention by name, and thrown away with it. */
  private peopleByName(): Map<string, MentionableUser[]> {
    const people = new Map<string, MentionableUser[]>();
    for (const account of this.accounts.all()) {
      if (!account.isActive) continue;
      const key = account.fullName.toLowerCase();
      const namesakes = people.get(key);
      if (namesakes) namesakes.push(account);
      else people.set(key, [account]);
    }
    return people;
  }
}
