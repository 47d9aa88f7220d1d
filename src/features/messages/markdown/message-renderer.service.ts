import { Injectable } from '@nestjs/common';
import { groupBy } from '../../../platform/collections';
import { yieldToEventLoop } from '../../../platform/clock';
import { Config } from '../../../platform/config/config';
import { Hooks } from '../../../platform/hooks/hooks';
import { Database } from '../../../platform/database/database.service';
import type { Queryable } from '../../../platform/sql/queryable';
import {
  ChannelAccess,
  ChannelDirectory,
  type ChannelRecord,
  descriptionRendererPort,
  type NewestByTopic,
  NewestMessagesService,
} from '../../channels/channels.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { GroupDirectory, type Requester } from '../../user-groups/user-groups.module';
import {
  AccountDirectory,
  type AccountRecord,
  personalSetting,
  profileTextsPort,
  UserVisibility,
} from '../../users/users.module';
import { linkedTopics } from './channel-links';
import {
  isAudio,
  type LinkFinder,
  type NamedReference,
  type RenderContext,
  type UploadedMedia,
} from './render-context';
import { renderDescription, type RenderedMarkdown, renderMarkdown } from './render-markdown';
import { awaitedPaths, fillPictures } from './media-html';
import { topicLinks } from './urls';
import { customEmojisPort, linkifiersPort, uploadedFilesPort } from './markdown.hooks';

/** The people and channels that a text may refer to; references to others stay text, as if they did not exist. */
interface Visibility {
  readonly person: (account: AccountRecord) => boolean;
  readonly channel: (channel: ChannelRecord) => boolean;
  /** Whether all mentions, including wildcards, stay text. */
  readonly mentionsStayText?: boolean;
}

/** The context for texts whose topics were not looked up. */
const NO_TOPICS: NewestByTopic = () => undefined;

/** Maximum number of linked topics to look up per text; further links use the topic name alone. */
const MAX_LINKED_TOPICS = 100;

const EVERYTHING: Visibility = { person: () => true, channel: () => true };

/** Public information, for texts without an author. */
const PUBLIC_CHANNELS: Visibility = { person: () => true, channel: ({ isPrivate }) => !isPrivate };

/** Anyone may write a profile, including guests who cannot see all people. */
const NO_PEOPLE: Visibility = { ...PUBLIC_CHANNELS, person: () => false };

/** People without an account see and mention no users. */
const OUTSIDE: Visibility = { ...NO_PEOPLE, channel: () => false, mentionsStayText: true };

/** Renders Markdown with the people, groups and channels of the organization. */
@Injectable()
export class MessageRendererService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly groups: GroupDirectory,
    private readonly channels: ChannelDirectory,
    private readonly organization: OrganizationDirectory,
    private readonly hooks: Hooks,
    private readonly config: Config,
    private readonly database: Database,
    private readonly visibility: UserVisibility,
    private readonly access: ChannelAccess,
    private readonly newest: NewestMessagesService,
  ) {
    hooks.provide(descriptionRendererPort, {
      render: (markdown, author) => renderDescription(markdown, this.context(this.describable(author))),
    });
    hooks.provide(profileTextsPort, {
      render: (markdown) => renderDescription(markdown, this.context(NO_PEOPLE)),
    });
  }

  /**
   * Renders a user's text. References to people and channels work only if the author can see them, so they reveal
   * nothing.
   */
  async renderFor(author: Requester, markdown: string): Promise<RenderedMarkdown> {
    const person = await this.visibility.filterFor(this.database.read, author);
    const channel = (named: ChannelRecord) => this.access.hasMetadataAccess(author, named);
    const context = {
      ...(await this.withTopics(author, markdown, this.context({ person, channel }))),
      translatesEmoticons: this.translatesEmoticons(author),
    };
    const rendered = renderMarkdown(markdown, context);
    if (rendered.attachmentPaths.length === 0) return rendered;
    const uploaded = await this.uploadedMedia(author, rendered.attachmentPaths);
    if (uploaded.size === 0) return rendered;
    // Each rendering may block for the maximum time; waiting requests are served in between.
    await yieldToEventLoop();
    return renderMarkdown(markdown, { ...context, uploaded: (path) => uploaded.get(path) });
  }

  /** Rendered text with its placeholders replaced by the images that are ready. */
  async withPictures(db: Queryable, html: string): Promise<string> {
    const paths = awaitedPaths(html);
    if (paths.length === 0) return html;
    const known = await this.hooks.provider(uploadedFilesPort)?.known(db, paths);
    return fillPictures(html, (path) => known?.get(path));
  }

  /**
   * Renders texts of the server itself.
   * @param newChannels channels created in the open transaction, which the directory does not contain yet
   */
  async renderOwn(
    db: Queryable,
    markdown: string,
    newChannels: readonly ChannelRecord[] = [],
  ): Promise<RenderedMarkdown> {
    const context = this.context(EVERYTHING, newChannels);
    const newestIn = await this.newest.of(db, topicsIn(markdown, context));
    return renderMarkdown(markdown, { ...context, newestIn });
  }

  /** Renders text by a person outside the organization, without mentions. */
  renderOutside(markdown: string): RenderedMarkdown {
    return renderMarkdown(markdown, this.context(OUTSIDE));
  }

  /** The links in a topic name, as listed in `topic_links` of the message record. */
  topicLinks(topic: string): { text: string; url: string }[] {
    return topicLinks(topic, (text) => this.linkifiers(text));
  }

  /** Looks up the newest message of each topic that the text links to. */
  private async withTopics(
    author: Requester,
    markdown: string,
    context: RenderContext,
  ): Promise<RenderContext> {
    const topics = topicsIn(markdown, context);
    if (topics.length === 0) return context;
    const newestIn = await this.newest.readable(this.database.read, author, topics);
    return { ...context, newestIn };
  }

  /** Uploaded files that an author links to and that the organization's settings allow to be shown. */
  private async uploadedMedia(
    author: Requester,
    paths: readonly string[],
  ): Promise<ReadonlyMap<string, UploadedMedia>> {
    const files = this.hooks.provider(uploadedFilesPort);
    if (!files) return new Map();
    const readable = await files.readableBy(author, paths);
    if (this.organization.settings.inline_image_preview) return readable;
    return new Map([...readable].filter(([, media]) => isAudio(media)));
  }

  /** What a description may refer to. Its readers vary, so it may name everything its author can see. */
  private describable(author: Requester | null): Visibility {
    if (author === null) return PUBLIC_CHANNELS;
    return { person: () => true, channel: (named) => this.access.hasMetadataAccess(author, named) };
  }

  private translatesEmoticons({ userId }: Requester): boolean {
    return personalSetting(this.accounts.byId(userId)?.settings ?? {}, 'translate_emoticons');
  }

  private linkifiers(text: string): readonly LinkFinder[] {
    return this.hooks.provider(linkifiersPort)?.within(text) ?? [];
  }

  private context(visibility: Visibility, newChannels: readonly ChannelRecord[] = []): RenderContext {
    let byName: Map<string, AccountRecord[]> | undefined;
    return {
      userById: (id) => {
        const account = this.accounts.byId(id);
        return account && visibility.person(account) ? account : undefined;
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
      newestIn: NO_TOPICS,
      customEmoji: (name) => this.hooks.provider(customEmojisPort)?.named(name),
      linkifiers: (text) => this.linkifiers(text),
      mentionsStayText: visibility.mentionsStayText,
      defaultCodeLanguage: this.organization.settings.default_code_block_language,
      siteUrl: this.config.externalUrl,
    };
  }

  /**
   * Active people before deactivated ones. Built at a message's first mention by name, and dropped after the message.
   */
  private peopleByName(): Map<string, AccountRecord[]> {
    const people = [...this.accounts.all()].sort(
      (one, other) => Number(other.isActive) - Number(one.isActive),
    );
    return groupBy(people, ({ fullName }) => fullName.toLowerCase());
  }
}

function topicsIn(markdown: string, context: RenderContext): ReturnType<typeof linkedTopics> {
  return linkedTopics(markdown, context).slice(0, MAX_LINKED_TOPICS);
}
