import { Injectable } from '@nestjs/common';
import type { OutgoingMessage } from './outgoing-message';
import type { Actor } from '../../../platform/actor';
import { BadRequest } from '../../../platform/errors/shared.errors';
import { unprintablePlace } from '../../../platform/names/visible-name';
import type { Queryable } from '../../../platform/sql/queryable';
import {
  MAX_TOPIC_LENGTH,
  type Sender,
  SubscriptionDirectory,
  TopicRowsService,
  visibleTopic,
} from '../../channels/channels.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { AlertWordDirectory, MutedUserDirectory } from '../../personal/personal.module';
import { GroupDirectory, PermissionService } from '../../user-groups/user-groups.module';
import { AccountDirectory } from '../../users/users.module';
import { MessageRendererService } from '../markdown/message-renderer.service';
import type { RenderedMarkdown } from '../markdown/render-markdown';
import {
  ChannelWildcardNotAllowed,
  GroupMentionNotAllowed,
  TopicWildcardNotAllowed,
} from '../store/message-records.api';
import type { LocalEcho } from '../store/messages.hooks';

/** Wildcards that reach up to this many people need no permission. */
const MAX_FREE_WILDCARD = 15;

/** The topic of the message. */
interface MentioningPlace {
  readonly channelId: number;
  readonly topic: string;
}

/** Decides who may mention many people at once. */
@Injectable()
export class MentionAccess {
  constructor(
    private readonly groups: GroupDirectory,
    private readonly permissions: PermissionService,
    private readonly subscriptions: SubscriptionDirectory,
    private readonly topics: TopicRowsService,
  ) {}

  /**
   * Called before anything slow, and again in the transaction, because the sender may have lost the permission by then.
   * @param channelId null for a direct message, in which wildcards have no effect
   * @param topicParticipants the people whom a topic wildcard reaches
   * @throws ChannelWildcardNotAllowed, TopicWildcardNotAllowed, GroupMentionNotAllowed
   */
  check(
    sender: Sender,
    rendered: RenderedMarkdown,
    channelId: number | null,
    topicParticipants: ReadonlySet<number>,
  ): void {
    if (channelId !== null) this.checkWildcards(sender, rendered, channelId, topicParticipants);
    this.checkGroups(sender, rendered);
  }

  /** The people whom a topic wildcard notifies: participants of the topic, and the sender; empty without a wildcard. */
  async topicParticipants(
    db: Queryable,
    sender: Sender,
    rendered: RenderedMarkdown,
    place: MentioningPlace | null,
  ): Promise<ReadonlySet<number>> {
    if (!rendered.topicWildcard || place === null) return new Set();
    const topic = await this.topics.byName(db, place.channelId, place.topic);
    const participants = topic ? await this.topics.participantsOf(db, topic.id) : [];
    return new Set([...participants, sender.userId]);
  }

  private checkWildcards(
    sender: Sender,
    rendered: RenderedMarkdown,
    channelId: number,
    topicParticipants: ReadonlySet<number>,
  ): void {
    if (rendered.channelWildcard && !this.mayReach(sender, this.subscriptions.subscriberCount(channelId))) {
      throw new ChannelWildcardNotAllowed();
    }
    if (rendered.topicWildcard && !this.mayReach(sender, topicParticipants.size)) {
      throw new TopicWildcardNotAllowed();
    }
  }

  /** @throws GroupMentionNotAllowed */
  private checkGroups(sender: Sender, rendered: RenderedMarkdown): void {
    for (const groupId of rendered.mentionedGroupIds) {
      const group = this.groups.byId(groupId);
      if (group && !this.permissions.allowsInGroup(sender, group, 'can_mention_group')) {
        throw new GroupMentionNotAllowed(group.name ?? '');
      }
    }
  }

  /** Everyone mentioned through a group, at any depth of nesting. */
  membersOf(rendered: Pick<RenderedMarkdown, 'mentionedGroupIds'>): Set<number> {
    const members = new Set<number>();
    for (const groupId of rendered.mentionedGroupIds) {
      for (const userId of this.groups.membersOf(groupId)) members.add(userId);
    }
    return members;
  }

  private mayReach(sender: Sender, people: number): boolean {
    return (
      people <= MAX_FREE_WILDCARD ||
      this.permissions.allowsInOrganization(sender, 'can_mention_many_users_group')
    );
  }
}

/** Maximum length of content, in Unicode code points. */
export const MAX_CONTENT_LENGTH = 10_000;

const CUT_CONTENT = '\n[message truncated]';
const CUT_TOPIC = '...';

/** The topic that old clients send for a message without one. */
const NO_TOPIC = '(no topic)';

/**
 * Normalizes content for storage: no white space at the end, no line feeds at the start, truncated to the maximum
 * length.
 * @throws BadRequest if nothing is left, or for a NUL
 */
export function normalizeContent(content: string): string {
  const text = content.toWellFormed().trimEnd().replace(/^\n+/, '');
  if (text.trim() === '') throw new BadRequest('Message must not be empty');
  if (text.includes('\0')) throw new BadRequest('Message must not contain null bytes');
  return cut(text, MAX_CONTENT_LENGTH, CUT_CONTENT);
}

/**
 * Normalizes a topic for storage: NFC, without invisible characters (which get copied from titles by accident),
 * trimmed, names of the empty topic replaced with '', truncated to the maximum length.
 * @param emptyTopicName how the organization displays the empty topic
 */
export function normalizeTopic(topic: string, emptyTopicName: string): string {
  const text = cutTopic(visibleTopic(topic));
  return text === emptyTopicName || text === NO_TOPIC ? '' : text;
}

/** Truncates a topic to the maximum length. */
function cutTopic(topic: string): string {
  return cut(topic, MAX_TOPIC_LENGTH, CUT_TOPIC);
}

/** @throws BadRequest with the position, from 1, of the first character that is not allowed in topics */
export function checkTopicCharacters(topic: string): void {
  const position = unprintablePlace(topic.trim());
  if (position > 0) throw new BadRequest(`Invalid character in topic, at position ${position}!`);
}

/** Truncates by code points, so that no character is split and the mark still fits. */
function cut(text: string, limit: number, mark: string): string {
  if (text.length <= limit) return text;
  const characters = Array.from(text);
  if (characters.length <= limit) return text;
  return characters.slice(0, limit - mark.length).join('') + mark;
}

/** Clients that show people the messages they send; messages from all other clients arrive unread. */
const PERSONAL_CLIENTS = new Set([
  'zulipandroid',
  'zulipios',
  'zulipdesktop',
  'zulipmobile',
  'zulipelectron',
  'zulipterminal',
  'snipe',
  'website',
  'ios',
  'android',
]);

/** Whether a message starts as read for its sender, depending on the client that sent it. */
export function isReadBySender(clientName: string): boolean {
  return PERSONAL_CLIENTS.has(clientName.toLowerCase());
}

/** The content of a message to send, regardless of its destination. */
export interface ContentToSend {
  /** Markdown. */
  readonly content: string;
  /** Whether the message is read for its sender; by default this depends on the client. */
  readonly isReadBySender?: boolean;
  readonly echo?: LocalEcho;
  /** JSON that makes the message a widget, whatever the content. */
  readonly widgetContent?: string;
  /** Whether it was written outside the organization; if so, it mentions no users and links no channels. */
  readonly isFromOutside?: boolean;
  /** The time of the message, if not now. UNIX seconds. */
  readonly sentAt?: number;
}

/** Turns what people write into what is stored. */
@Injectable()
export class MessageTextService {
  constructor(
    private readonly organization: OrganizationDirectory,
    private readonly accounts: AccountDirectory,
    private readonly renderer: MessageRendererService,
    private readonly mentions: MentionAccess,
    private readonly alertWords: AlertWordDirectory,
    private readonly muted: MutedUserDirectory,
  ) {}

  /** @throws BadRequest for empty content and for a NUL */
  content(content: string): string {
    return normalizeContent(content);
  }

  /** Truncated so that the surrounding text fits into a message as well. */
  cutContent(content: string, around: number): string {
    return cut(content, MAX_CONTENT_LENGTH - around, CUT_CONTENT);
  }

  /** Trimmed and truncated; the display name of the empty topic becomes ''. */
  topic(topic: string): string {
    return normalizeTopic(topic, this.organization.settings.empty_topic_display_name);
  }

  /** Truncated and otherwise unchanged, for drafts and scheduled messages. */
  cutTopic(topic: string): string {
    return cutTopic(topic.toWellFormed());
  }

  /** @throws BadRequest with the position, from 1, of the first character that is not allowed in topics */
  checkTopic(topic: string): void {
    checkTopicCharacters(topic);
  }

  /**
   * Renders normalized content. Called outside of transactions, because it takes time. {@link MentionAccess} decides
   * whether the mentions are allowed.
   */
  async prepare(
    actor: Actor,
    { content, echo, sentAt, widgetContent, isFromOutside, ...choice }: ContentToSend,
  ): Promise<OutgoingMessage> {
    const rendered = isFromOutside
      ? this.renderer.renderOutside(content)
      : await this.renderer.renderFor(actor, content);
    const isRead = choice.isReadBySender ?? isReadBySender(actor.clientName);
    return {
      sender: this.accounts.existing(actor.userId),
      limit: actor.limit,
      clientName: actor.clientName,
      content,
      rendered,
      groupMembers: this.mentions.membersOf(rendered),
      topicParticipants: new Set(),
      alerted: this.alertWords.alertedBy(rendered.prose),
      readBy: new Set([...(isRead ? [actor.userId] : []), ...this.muted.mutersOf(actor.userId)]),
      echo,
      sentAt,
      widgetContent,
    };
  }
}
