import type { ImportContext } from './import-context';
import type { Texts } from './texts';
import { groupBy } from '../../../../platform/collections';
import type { NewRow } from '../../../../platform/sql/entity-rows';
import type { Queryable } from '../../../../platform/sql/queryable';
import { topicKey } from '../../../channels/channels.module';
import { resolutionBetween } from '../../../message-changes/message-changes.module';
import { membersKey, type MessageTextService } from '../../../messages/messages.module';
import { ArchiveRow, RowUnusable } from '../records/archive-row';

/** A message of an archive in this server's terms, before rendering. */
export interface ArchivedMessage {
  readonly oldId: number;
  readonly id: number;
  readonly senderId: number;
  /** A topic of a channel, or all members of the conversation, ascending. */
  readonly place:
    { readonly channelId: number; readonly topic: string } | { readonly memberIds: readonly number[] };
  readonly content: string;
  /** Whether the message is a notice that its topic was resolved or reopened. */
  readonly isResolutionNotice: boolean;
  readonly clientName: string;
  /** UNIX seconds. */
  readonly sentAt: number;
  readonly lastEditedAt: number | null;
  readonly lastMovedAt: number | null;
  /** Oldest first. */
  readonly edits: readonly ArchivedEdit[];
}

/** Changes of one edit; null for what it did not change. */
export interface ArchivedEdit {
  readonly userId: number;
  readonly editedAt: number;
  readonly prevContent: string | null;
  readonly prevTopic: string | null;
  readonly topic: string | null;
  readonly prevChannelId: number | null;
  readonly channelId: number | null;
}

/** Value of a message's `type`. */
const RESOLUTION_NOTICE = 2;
const MOST_EDITS = 1_000;
const OTHER_CLIENT = 'Unspecified';

/** Reads messages of an archive. */
export class MessageReader {
  constructor(
    private readonly context: ImportContext,
    private readonly texts: Texts,
    private readonly messageText: MessageTextService,
  ) {}

  /** @throws RowUnusable if the message cannot be imported */
  read(row: ArchiveRow): ArchivedMessage {
    const { survey } = this.context;
    const oldId = row.id();
    const senderId = survey.accounts.get(row.id('sender'));
    const edits = this.edits(row, senderId);
    const movedAt = edits.filter((edit) => this.isMove(edit)).map((edit) => edit.editedAt);
    const editedAt = edits.filter((edit) => edit.prevContent !== null).map((edit) => edit.editedAt);
    const lastEdit = row.optionalSeconds('last_edit_time');
    return {
      oldId,
      id: survey.messages.find(oldId) as number,
      senderId,
      place: this.place(row, senderId),
      content: this.content(row),
      isResolutionNotice: row.value('type') === RESOLUTION_NOTICE,
      clientName: survey.clients.get(row.optionalId('sending_client') ?? -1) ?? OTHER_CLIENT,
      sentAt: row.seconds('date_sent'),
      lastEditedAt: editedAt.length > 0 ? Math.max(...editedAt) : edits.length > 0 ? null : lastEdit,
      lastMovedAt: movedAt.length > 0 ? Math.max(...movedAt) : null,
      edits,
    };
  }

  private place(row: ArchiveRow, senderId: number): ArchivedMessage['place'] {
    const recipient = this.context.survey.recipient(row.id('recipient'));
    if ('channelId' in recipient) {
      const given = row.text('subject');
      const topic = this.messageText.topic(given);
      if (topic !== given && given !== '(no topic)')
        this.context.ledger.note('changed', row.table, row.name, 'Its topic was brought into form.');
      return { channelId: recipient.channelId, topic };
    }
    const others = 'userId' in recipient ? [recipient.userId] : recipient.memberIds;
    return { memberIds: [...new Set([senderId, ...others])].sort((a, b) => a - b) };
  }

  private content(row: ArchiveRow): string {
    const given = row.text('content');
    const rewritten = this.texts.rewritten(given);
    if (rewritten.trim() === '') throw new RowUnusable('It has no text.');
    const content = this.messageText.content(rewritten);
    if (content.length < rewritten.trimEnd().replace(/^\n+/, '').length)
      this.context.ledger.note('changed', row.table, row.name, 'Its text is too long, and was cut.');
    return content;
  }

  private edits(row: ArchiveRow, senderId: number): ArchivedEdit[] {
    const text = row.optionalText('edit_history');
    if (text === null || text === '') return [];
    let entries: unknown;
    try {
      entries = JSON.parse(text);
    } catch {
      entries = null;
    }
    const { ledger } = this.context;
    if (!Array.isArray(entries) || entries.length > MOST_EDITS) {
      ledger.note(
        'left out',
        'edit_history',
        row.name,
        'The history of the message is no list, or too long.',
      );
      return [];
    }
    return entries.reverse().flatMap((entry: unknown) => {
      try {
        return [
          this.edit(new ArchiveRow('edit_history', Object(entry) as Record<string, unknown>), senderId),
        ];
      } catch (error) {
        if (!(error instanceof RowUnusable)) throw error;
        ledger.note('left out', 'edit_history', row.name, error.message);
        return [];
      }
    });
  }

  /** Resolving or reopening a topic moves no message. */
  private isMove({ topic, prevTopic, channelId }: ArchivedEdit): boolean {
    if (topic === null || channelId !== null) return channelId !== null;
    return resolutionBetween(prevTopic ?? '', topic, (name) => this.messageText.topic(name)) === null;
  }

  private edit(row: ArchiveRow, senderId: number): ArchivedEdit {
    const { accounts, channels } = this.context.survey;
    const topic = (field: string, old: string) => {
      const name = row.optionalText(field) ?? row.optionalText(old);
      return name === null ? null : this.messageText.topic(name);
    };
    const content = row.optionalText('prev_content');
    const prevChannelId = channels.find(row.optionalId('prev_stream'));
    return {
      // Old servers did not record who made an edit; edits of the text were made by the sender.
      userId: accounts.find(row.optionalId('user_id')) ?? senderId,
      editedAt: row.seconds('timestamp'),
      prevContent: content === null ? null : this.texts.rewritten(content),
      prevTopic: topic('prev_topic', 'prev_subject'),
      topic: topic('topic', 'subject'),
      prevChannelId,
      channelId: prevChannelId === null ? null : channels.find(row.optionalId('stream')),
    };
  }
}

interface Period {
  readonly userId: number;
  readonly channelId: number;
  readonly first: number;
  readonly last: number | null;
}

/** Subscribers of a channel, constant between two messages. */
interface Subscribed {
  readonly userIds: ReadonlySet<number>;
  readonly first: number;
  readonly last: number;
}

/** Rows that must be inserted before the messages of a file. */
export interface NewPlaces {
  readonly topics: readonly (NewRow & { readonly id: number; readonly name: string })[];
  readonly conversations: readonly NewRow[];
  readonly members: readonly NewRow[];
}

/** Topics and conversations of messages, and the subscribers at each message. Kept in memory during the import. */
export class MessagePlaces {
  private readonly topics = new Map<string, number>();
  private readonly conversations = new Map<string, number>();
  private lastTopic = 0;
  private lastConversation = 0;
  private fresh = empty();
  /** Subscribers at the last requested message, by channel. */
  private readonly subscribed = new Map<number, Subscribed>();

  private constructor(private readonly periods: ReadonlyMap<number, readonly Period[]>) {}

  /** Also loads what earlier files have created, for resumed imports. */
  static async load(db: Queryable): Promise<MessagePlaces> {
    const periods = await db.query<Period>(
      `SELECT user_id AS "userId", channel_id AS "channelId", first_message_id AS first, last_message_id AS last
       FROM subscription_period`,
    );
    const places = new MessagePlaces(groupBy(periods, ({ channelId }) => channelId));
    for (const row of await db.query<{ id: number; channel_id: number; name_key: string }>(
      'SELECT id, channel_id, name_key FROM topic',
    )) {
      places.topics.set(`${row.channel_id} ${row.name_key}`, row.id);
      places.lastTopic = Math.max(places.lastTopic, row.id);
    }
    for (const row of await db.query<{ id: number; members_key: string }>(
      'SELECT id, members_key FROM direct_conversation',
    )) {
      places.conversations.set(row.members_key, row.id);
      places.lastConversation = Math.max(places.lastConversation, row.id);
    }
    return places;
  }

  topic(channelId: number, name: string): number {
    const key = `${channelId} ${topicKey(name)}`;
    const known = this.topics.get(key);
    if (known !== undefined) return known;
    const id = ++this.lastTopic;
    this.topics.set(key, id);
    const counts = { max_message_id: 0, message_count: 0 };
    this.fresh.topics.push({ id, channel_id: channelId, name, name_key: topicKey(name), ...counts });
    return id;
  }

  /** @param memberIds user IDs, ascending */
  conversation(memberIds: readonly number[]): number {
    const key = membersKey(memberIds);
    const known = this.conversations.get(key);
    if (known !== undefined) return known;
    const id = ++this.lastConversation;
    this.conversations.set(key, id);
    this.fresh.conversations.push({ id, members_key: key, max_message_id: 0 });
    for (const userId of memberIds) this.fresh.members.push({ conversation_id: id, user_id: userId });
    return id;
  }

  /** Returns what was created since the last call. */
  takeNew(): NewPlaces {
    const { fresh } = this;
    this.fresh = empty();
    return fresh;
  }

  /** Subscribers of a channel when a message was sent. */
  subscribers(channelId: number, messageId: number): ReadonlySet<number> {
    const known = this.subscribed.get(channelId);
    if (known && known.first <= messageId && messageId <= known.last) return known.userIds;
    const userIds = new Set<number>();
    let [start, end] = [0, Infinity];
    for (const { userId, first, last } of this.periods.get(channelId) ?? []) {
      if (first > messageId) end = Math.min(end, first - 1);
      else if (last !== null && last < messageId) start = Math.max(start, last + 1);
      else {
        userIds.add(userId);
        start = Math.max(start, first);
        end = Math.min(end, last ?? Infinity);
      }
    }
    this.subscribed.set(channelId, { userIds, first: start, last: end });
    return userIds;
  }
}

function empty() {
  const topics: NewPlaces['topics'][number][] = [];
  const conversations: NewRow[] = [];
  const members: NewRow[] = [];
  return { topics, conversations, members };
}
