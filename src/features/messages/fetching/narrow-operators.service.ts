import { Injectable } from '@nestjs/common';
import type { CHANNELS_OPERANDS, PersonOperand } from './parse-narrow';
import type { Queryable } from '../../../platform/sql/queryable';
import {
  ChannelAccess,
  ChannelDirectory,
  type ChannelRecord,
  topicKey,
  TopicVisibility,
  visibleTopic,
} from '../../channels/channels.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import type { Requester as Reader } from '../../user-groups/user-groups.module';
import { AccountDirectory, UserAccess } from '../../users/users.module';
import {
  mentioningMessages,
  messagesInConversations,
  messagesInTopics,
  mutedMessages,
  type Resolved,
} from '../scan/candidate-search';
import { DirectConversationService } from '../store/direct-conversation.service';
import { Flag } from '../store/message-flags';
import { BadNarrow } from '../store/message-records.api';
import { ALL_MESSAGES } from '../store/message-rows.service';
import {
  allOf,
  anyOf,
  condition,
  isInMutedChannel,
  NEVER,
  not,
  type SqlCondition,
  topicsWithPolicy,
} from '../store/personal-conditions';

/** Names of resolved topics start with this. */
const RESOLVED_PREFIX = '✔ ';

/** Turns the terms of a narrow about channels and topics into conditions. */
@Injectable()
export class ChannelNarrowService {
  constructor(
    private readonly channels: ChannelDirectory,
    private readonly access: ChannelAccess,
    private readonly organization: OrganizationDirectory,
  ) {}

  /**
   * Finds a channel. A channel that the reader cannot see counts as unknown.
   * @throws BadNarrow for an unknown channel; for readers without an account, also for one that is not web-public
   */
  find(reader: Reader | null, nameOrId: string | number): ChannelRecord {
    const channel = this.lookUp(nameOrId);
    if (reader === null && !this.isOpenToWeb(nameOrId)) {
      throw new BadNarrow(`unknown web-public channel ${nameOrId}`);
    }
    if (!channel || !this.access.hasMetadataAccess(reader, channel)) {
      throw new BadNarrow(`unknown channel ${nameOrId}`);
    }
    return channel;
  }

  /** Whether people without an account may read anything. */
  get isWebOffered(): boolean {
    return this.access.webPublicChannelsOffered;
  }

  /** Whether people without an account may read the channel. */
  isOpenToWeb(nameOrId: string | number): boolean {
    const channel = this.lookUp(nameOrId);
    return channel !== undefined && this.access.hasContentAccess(null, channel);
  }

  /** Whether the reader may see messages of the channel that they did not receive. */
  opensHistory(reader: Reader | null, channelId: number): boolean {
    const channel = this.channels.byId(channelId);
    return (
      channel !== undefined &&
      channel.isHistoryPublicToSubscribers &&
      this.access.hasContentAccess(reader, channel)
    );
  }

  /** IDs of a kind of channels, except channels whose messages the reader cannot see. */
  idsOfKind(reader: Reader | null, kind: (typeof CHANNELS_OPERANDS)[number]): number[] {
    const belongs = {
      public: (channel: ChannelRecord) => !channel.isPrivate,
      'web-public': (channel: ChannelRecord) => channel.isWebPublic && !channel.isArchived,
      archived: (channel: ChannelRecord) => channel.isArchived,
    }[kind];
    return this.channels
      .all()
      .filter((channel) => belongs(channel) && this.access.hasContentAccess(reader, channel))
      .map((channel) => channel.id);
  }

  /**
   * Returns a test for channels that the reader may read. It is called only for channels with matches: passing all
   * channels to the database would cost more with every private channel.
   */
  readableBy(reader: Reader): (channelId: number) => boolean {
    const known = new Map<number, boolean>();
    return (channelId) => {
      const answer = known.get(channelId) ?? this.opens(reader, channelId);
      known.set(channelId, answer);
      return answer;
    };
  }

  /**
   * @param channelId the channel to which another term restricts the narrow; null matches topics of this name in all
   * channels
   */
  async topic(db: Queryable, name: string, channelId: number | null): Promise<SqlCondition> {
    const isEmptyTopic = name === this.organization.settings.empty_topic_display_name;
    const keys = isEmptyTopic ? [''] : [...new Set([name, visibleTopic(name)].map(topicKey))];
    const rows =
      channelId === null
        ? await db.query<{ id: number }>('SELECT id FROM topic WHERE name_key IN (?)', [keys])
        : await db.query<{ id: number }>('SELECT id FROM topic WHERE channel_id = ? AND name_key IN (?)', [
            channelId,
            keys,
          ]);
    const [only] = rows;
    if (only && rows.length === 1) return condition('m.topic_id = ?', only.id);
    return condition(
      'm.topic_id IN (?)',
      rows.map((row) => row.id),
    );
  }

  resolved(): Resolved {
    return inTopics(condition('SELECT id FROM topic WHERE name LIKE ?', `${RESOLVED_PREFIX}%`));
  }

  followed(reader: Reader): Resolved {
    return inTopics(topicsWithPolicy(reader.userId, [TopicVisibility.followed]));
  }

  muted(reader: Reader): Resolved {
    const topics = topicsWithPolicy(reader.userId, [TopicVisibility.muted]);
    return { condition: this.isMuted(reader), lead: mutedMessages(reader.userId, topics) };
  }

  /** @param onlyTopics if another term names the channel, whether the channel is muted does not matter */
  isMuted(reader: Reader, onlyTopics = false): SqlCondition {
    const withPolicy = (...policies: number[]) =>
      inTopics(topicsWithPolicy(reader.userId, policies)).condition;
    const mutedTopic = withPolicy(TopicVisibility.muted);
    if (onlyTopics) return mutedTopic;
    const wanted = withPolicy(TopicVisibility.unmuted, TopicVisibility.followed);
    return anyOf(mutedTopic, allOf(isInMutedChannel(reader.userId), not(wanted)));
  }

  private opens(reader: Reader, channelId: number): boolean {
    const channel = this.channels.byId(channelId);
    return channel !== undefined && this.access.hasContentAccess(reader, channel);
  }

  private lookUp(nameOrId: string | number): ChannelRecord | undefined {
    return typeof nameOrId === 'number' ? this.channels.byId(nameOrId) : this.channels.byName(nameOrId);
  }
}

/** @param topicIds a query for their IDs */
function inTopics(topicIds: SqlCondition): Resolved {
  const lead = messagesInTopics(topicIds);
  return { condition: lead.implied(ALL_MESSAGES), lead, isExact: true };
}

/** Turns the terms of a narrow about people into conditions. */
@Injectable()
export class PeopleNarrowService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly access: UserAccess,
    private readonly conversations: DirectConversationService,
  ) {}

  /** @throws BadNarrow for an unknown person */
  sender(reader: Reader | null, person: PersonOperand): SqlCondition {
    return condition('m.sender_id = ?', this.find(reader, person));
  }

  /** Messages that mention a person by name or through a group. @throws BadNarrow for an unknown person */
  mentions(reader: Reader | null, person: PersonOperand): Resolved {
    const userId = this.find(reader, person);
    const isMentioned = anyOf(
      condition(
        'm.id IN (SELECT message_id FROM message_flag WHERE user_id = ? AND (flags & ?) <> 0)',
        userId,
        Flag.mentioned,
      ),
      condition(
        'm.group_mention_set_id IN (SELECT set_id FROM mention_set_member WHERE user_id = ?)',
        userId,
      ),
    );
    return { condition: isMentioned, lead: mentioningMessages(userId) };
  }

  /** The reader's conversation with exactly these people. @throws BadNarrow for an unknown person */
  async conversation(
    db: Queryable,
    reader: Reader,
    people: readonly PersonOperand[],
    operand: string,
  ): Promise<SqlCondition> {
    const userIds = this.findAll(reader, people, operand);
    const conversation = await this.conversations.find(db, [...new Set([reader.userId, ...userIds])]);
    return conversation ? condition('m.conversation_id = ?', conversation.id) : NEVER;
  }

  /**
   * Conversations that include the people.
   * @param onlyGroups whether to leave out one-to-one conversations
   * @throws BadNarrow for an unknown person
   */
  conversationsWith(
    reader: Reader | null,
    people: readonly PersonOperand[],
    operand: string,
    onlyGroups: boolean,
  ): Resolved {
    const userIds = [...new Set(this.findAll(reader, people, operand))];
    const including = condition(
      `SELECT conversation_id AS id FROM direct_conversation_member
       WHERE user_id IN (?) GROUP BY conversation_id HAVING COUNT(*) = ?`,
      userIds,
      userIds.length,
    );
    const groups = condition(
      `SELECT id FROM (${including.sql}) c
       WHERE (SELECT COUNT(*) FROM direct_conversation_member o WHERE o.conversation_id = c.id) > 2`,
      ...including.values,
    );
    const lead = messagesInConversations(onlyGroups ? groups : including);
    return { condition: lead.implied(ALL_MESSAGES), lead, isExact: true };
  }

  private find(reader: Reader | null, person: PersonOperand): number {
    const userId = this.idOf(reader, person);
    if (userId === undefined) throw new BadNarrow(`unknown user ${person}`);
    return userId;
  }

  private findAll(reader: Reader | null, people: readonly PersonOperand[], operand: string): number[] {
    return people.map((person) => {
      const userId = this.idOf(reader, person);
      if (userId === undefined) throw new BadNarrow(`unknown user in ${operand}`);
      return userId;
    });
  }

  private idOf(reader: Reader | null, person: PersonOperand): number | undefined {
    if (typeof person === 'number') return this.accounts.byId(person)?.id;
    if (reader) return this.access.byVisibleEmail(reader, person)?.id;
    // People without an account cannot see real addresses, so they cannot search by them either.
    return this.accounts.isPlaceholder(person) ? this.accounts.byEmail(person)?.id : undefined;
  }
}
