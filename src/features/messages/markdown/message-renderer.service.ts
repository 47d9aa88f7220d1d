import { Injectable } from '@nestjs/common';
import { groupBy } from '../../../platform/collections';
import { Config } from '../../../platform/config/config';
import { Hooks } from '../../../platform/hooks/hooks';
import { Database } from '../../../platform/database/database.service';
import { ChannelAccess, ChannelDirectory, type ChannelRecord, descriptionRendererPort } from '../../channels';
import { GroupDirectory, type Requester } from '../../user-groups';
import { AccountDirectory, type AccountRecord, profileTextsPort, UserVisibility } from '../../users';
import type { LinkFinder, NamedReference, RenderContext } from './render-context';
import { renderDescription, renderMarkdown, type RenderedMarkdown } from './render-markdown';
import { topicLinks } from './urls';
import { customEmojisPort, linkifiersPort } from './markdown.hooks';

/** Which people and channels a text may refer to; to name others changes nothing, as if they did not exist. */
interface Visibility {
  readonly person: (account: AccountRecord) => boolean;
  readonly channel: (channel: ChannelRecord) => boolean;
  /** Whether mentions, also those of everybody, stay text. */
  readonly mentionsStayText?: boolean;
}

const EVERYTHING: Visibility = { person: () => true, channel: () => true };

/** What is no secret, for texts that nobody in particular wrote. */
const PUBLIC_CHANNELS: Visibility = { person: () => true, channel: ({ isPrivate }) => !isPrivate };

/** Anybody may write into a profile, also guests from whom people are hidden. */
const NO_PEOPLE: Visibility = { ...PUBLIC_CHANNELS, person: () => false };

/** People who have no account know nobody, and call nobody. */
const OUTSIDE: Visibility = { ...NO_PEOPLE, channel: () => false, mentionsStayText: true };

/** Renders Markdown with the people, groups and channels of the organization. */
@Injectable()
export class MessageRendererService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly groups: GroupDirectory,
    private readonly channels: ChannelDirectory,
    private readonly hooks: Hooks,
    private readonly config: Config,
    private readonly database: Database,
    private readonly visibility: UserVisibility,
    private readonly access: ChannelAccess,
  ) {
    hooks.provide(descriptionRendererPort, {
      render: (markdown, author) => renderDescription(markdown, this.context(this.describable(author))),
    });
    hooks.provide(profileTextsPort, {
      render: (markdown) => renderDescription(markdown, this.context(NO_PEOPLE)),
    });
  }

  /**
   * Renders what a person wrote. It refers to the people and channels that the author sees, so that nobody
   * learns of others by naming them.
   */
  async renderFor(author: Requester, markdown: string): Promise<RenderedMarkdown> {
    const person = await this.visibility.filterFor(this.database.read, author);
    const channel = (named: ChannelRecord) => this.access.hasMetadataAccess(author, named);
    return renderMarkdown(markdown, this.context({ person, channel }));
  }

  /**
   * Renders what the server itself says.
   * @param newChannels made in a transaction that is still open, so that the directory lacks them
   */
  renderOwn(markdown: string, newChannels: readonly ChannelRecord[] = []): RenderedMarkdown {
    return renderMarkdown(markdown, this.context(EVERYTHING, newChannels));
  }

  /** Renders what a person outside the organization wrote. It mentions nobody. */
  renderOutside(markdown: string): RenderedMarkdown {
    return renderMarkdown(markdown, this.context(OUTSIDE));
  }

  /** The links in a topic's name, as `topic_links` of the message record lists them. */
  topicLinks(topic: string): { text: string; url: string }[] {
    return topicLinks(topic, (text) => this.linkifiers(text));
  }

  /** What a description may refer to: it has readers of many kinds, so that it names what its author knows. */
  private describable(author: Requester | null): Visibility {
    if (author === null) return PUBLIC_CHANNELS;
    return { person: () => true, channel: (named) => this.access.hasMetadataAccess(author, named) };
  }

  private linkifiers(text: string): readonly LinkFinder[] {
    return this.hooks.provider(linkifiersPort)?.within(text) ?? [];
  }

  private context(visibility: Visibility, newChannels: readonly ChannelRecord[] = []): RenderContext {
    let byName: Map<string, AccountRecord[]> | undefined;
    return {
      userById: (id) => {
        const account = this.accounts.byId(id);
        return account?.isActive && visibility.person(account) ? account : undefined;
      },
      usersByName: (fullName) =>
        ((byName ??= this.peopleByName()).get(fullName.toLowerCase()) ?? []).filter(visibility.person),
      groupByName: (name) => {
        const group = this.groups.byName(name);
        return group && !group.isDeactivated ? { id: group.id, name: group.name ?? name } : undefined;
      },
      channelByName: (name): NamedReference | undefined => {
        const key = name.trim().toLowerCase();
        const channel = newChannels.find(({ nameKey }) => nameKey === key) ?? this.channels.byName(name);
        return channel && visibility.channel(channel) ? channel : undefined;
      },
      customEmoji: (name) => this.hooks.provider(customEmojisPort)?.named(name),
      linkifiers: (text) => this.linkifiers(text),
      mentionsStayText: visibility.mentionsStayText,
      siteUrl: this.config.externalUrl,
    };
  }

  /** Worked out at a message's first mention by name, and thrown away with it. */
  private peopleByName(): Map<string, AccountRecord[]> {
    const active = this.accounts.all().filter((account) => account.isActive);
    return groupBy(active, ({ fullName }) => fullName.toLowerCase());
  }
}
