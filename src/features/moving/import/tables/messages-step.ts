import { Audience } from '../../../../platform/events/audience';
import type { Database } from '../../../../platform/database/database.service';
import type { Transaction } from '../../../../platform/database/transaction.service';
import { ApiError } from '../../../../platform/errors/api-error';
import { insertRows, type NewRow } from '../../../../platform/sql/entity-rows';
import {
  blockOf,
  factsOf,
  type IndexMessagesService,
  MessageFact,
  type MessageRendererService,
  ReadSet,
} from '../../../messages/messages.module';
import type { AccountDirectory } from '../../../users/users.module';
import { ArchiveRow } from '../records/archive-row';
import type {
  ArchivedEdit,
  ArchivedMessage,
  MessagePlaces,
  MessageReader,
  NewPlaces,
} from './archived-message';
import { type ImportContext, type ImportStep, type PreparedStep, usable } from './import-context';
import { type Expected, presumedReception, type Reception, receptionOf, Receipts } from './receivers';

/** Collaborators for importing messages. */
export interface MessageTools {
  readonly database: Database;
  readonly renderer: MessageRendererService;
  readonly accounts: AccountDirectory;
  readonly reader: MessageReader;
  readonly places: MessagePlaces;
  readonly index: IndexMessagesService;
}

interface Rendered {
  readonly html: string;
  /** Bits of `MessageFact`. */
  readonly facts: number;
  readonly mentioned: ReadonlySet<number>;
}

const WILDCARDS = MessageFact.channelWildcard | MessageFact.topicWildcard;

/** Messages of one file, with edits, receivers, flags and read state. */
export class MessagesStep implements ImportStep {
  constructor(
    /** Name of the file. */
    readonly name: string,
    private readonly tools: MessageTools,
  ) {}

  async prepare(context: ImportContext): Promise<PreparedStep> {
    const { messages, receipts } = await this.rehearse(context);
    receipts.settle(context, new Map(messages.map(({ id }, at) => [id, at])));
    const rows: MessageRows = {
      messages: [],
      rendered: [],
      edits: [],
      flags: [],
      sets: [],
      unread: new Map(),
    };
    for (const [at, message] of messages.entries()) {
      context.operator.signal.throwIfAborted();
      const rendered = await this.render(context, message);
      const expected = this.expected(context, message, rendered.mentioned);
      const isWildcard = (rendered.facts & MessageFact.channelWildcard) !== 0;
      const reception = context.source.isForeign
        ? presumedReception(receipts.of(at), expected, isWildcard)
        : receptionOf(receipts.of(at), expected);
      this.add(rows, message, rendered, reception);
      for (const edit of message.edits) rows.edits.push(await this.editRow(message, edit));
    }
    const fresh = this.tools.places.takeNew();
    return async (tx) => {
      await write(tx, fresh, rows, context.survey.messages.last);
      await this.tools.index.addWritten(tx, rows.rendered, fresh.topics);
    };
  }

  /** Reads the file without rendering. */
  async rehearse(context: ImportContext): Promise<{ messages: ArchivedMessage[]; receipts: Receipts }> {
    const messages: ArchivedMessage[] = [];
    const receipts = new Receipts();
    const read = (each: ArchiveRow) => this.tools.reader.read(each);
    for await (const { table, rows } of context.source.batches(this.name)) {
      for (const row of rows) {
        if (row === null) continue;
        if (table === 'zerver_usermessage') receipts.add(context, row);
        if (table !== 'zerver_message') continue;
        const message = usable(context.ledger, new ArchiveRow(table, row), read);
        if (message !== null) messages.push(message);
      }
    }
    return { messages, receipts };
  }

  private expected(
    { survey }: ImportContext,
    { id, oldId, place }: ArchivedMessage,
    mentioned: ReadonlySet<number>,
  ): Expected {
    if ('memberIds' in place)
      return { userIds: new Set(place.memberIds), withoutRows: new Set(), isDirect: true, mentioned };
    const userIds = this.tools.places.subscribers(place.channelId, id);
    const withoutRows = new Set<number>();
    if (survey.idle.size > 0) {
      for (const userId of userIds) {
        const last = survey.idle.get(userId);
        if (last === null || (last !== undefined && oldId > last)) withoutRows.add(userId);
      }
    }
    return { userIds, withoutRows, isDirect: false, mentioned };
  }

  /** Renders the text. The archive's HTML is not trusted. */
  private async render({ ledger }: ImportContext, message: ArchivedMessage): Promise<Rendered> {
    try {
      const { senderId, content } = message;
      const rendered = await this.rendered(senderId, content);
      return { html: rendered.html, facts: factsOf(rendered), mentioned: rendered.mentionedUserIds };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      ledger.note(
        'changed',
        'zerver_message',
        message.oldId,
        'It takes too long to render, and shows its text as it is.',
      );
      return { html: plain(message.content), facts: 0, mentioned: new Set() };
    }
  }

  private rendered(senderId: number, content: string) {
    const { accounts, renderer, database } = this.tools;
    const { isSystemBot, role } = accounts.existing(senderId);
    return isSystemBot
      ? renderer.renderOwn(database.read, content)
      : renderer.renderFor({ userId: senderId, role }, content);
  }

  private add(rows: MessageRows, message: ArchivedMessage, rendered: Rendered, reception: Reception): void {
    const { id, place } = message;
    const isDirect = 'memberIds' in place;
    rows.rendered.push({ id, html: rendered.html });
    rows.messages.push({
      id,
      sender_id: message.senderId,
      channel_id: isDirect ? null : place.channelId,
      sent_channel_id: reception.isByRows ? 0 : null,
      topic_id: isDirect ? null : this.tools.places.topic(place.channelId, place.topic),
      conversation_id: isDirect ? this.tools.places.conversation(place.memberIds) : null,
      content: message.content,
      rendered_content: rendered.html,
      client_name: message.clientName,
      sent_at: message.sentAt,
      last_edited_at: message.lastEditedAt,
      last_moved_at: message.lastMovedAt,
      facts:
        (rendered.facts & ~WILDCARDS) |
        (message.isResolutionNotice ? MessageFact.isResolutionNotice : 0) |
        (reception.isChannelWildcard ? MessageFact.channelWildcard : 0) |
        (reception.topicMentioned.length > 0 ? MessageFact.topicWildcard : 0),
      group_mention_set_id: null,
      topic_mention_set_id: null,
    });
    rows.sets.push([reception.groupMentioned, reception.topicMentioned]);
    for (const { userId, flags } of reception.flags)
      rows.flags.push({ user_id: userId, message_id: id, flags });
    for (const userId of reception.unread) {
      const ids = rows.unread.get(userId);
      if (ids) ids.push(id);
      else rows.unread.set(userId, [id]);
    }
  }

  private async editRow({ id, senderId }: ArchivedMessage, edit: ArchivedEdit): Promise<NewRow> {
    const { prevContent } = edit;
    let html: string | null = null;
    if (prevContent !== null) {
      try {
        ({ html } = await this.rendered(senderId, prevContent));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        html = plain(prevContent);
      }
    }
    return {
      message_id: id,
      user_id: edit.userId,
      edited_at: edit.editedAt,
      prev_content: prevContent,
      prev_rendered_content: html,
      prev_topic: edit.prevTopic,
      topic: edit.topic,
      prev_channel_id: edit.prevChannelId,
      channel_id: edit.channelId,
    };
  }
}

interface MessageRows {
  readonly messages: (NewRow & { readonly id: number })[];
  readonly rendered: { readonly id: number; readonly html: string }[];
  readonly edits: NewRow[];
  readonly flags: NewRow[];
  /** For each message, the people mentioned by group and by topic. */
  readonly sets: (readonly [readonly number[], readonly number[]])[];
  /** IDs of unread messages by person. */
  readonly unread: Map<number, number[]>;
}

async function write(tx: Transaction, fresh: NewPlaces, rows: MessageRows, last: number): Promise<void> {
  await insertRows(tx, 'topic', fresh.topics);
  await insertRows(tx, 'direct_conversation', fresh.conversations);
  await insertRows(tx, 'direct_conversation_member', fresh.members);
  const messages: NewRow[] = [];
  for (const [at, row] of rows.messages.entries()) {
    const [group = [], topic = []] = rows.sets[at] ?? [];
    const [groupSet, topicSet] = [await mentionSet(tx, group), await mentionSet(tx, topic)];
    messages.push({ ...row, group_mention_set_id: groupSet, topic_mention_set_id: topicSet });
  }
  await insertRows(tx, 'message', messages);
  await insertRows(tx, 'message_edit', rows.edits);
  await insertRows(tx, 'message_flag', rows.flags);
  await writeUnread(tx, rows, last);
}

/**
 * Everything counts as read unless noted as unread. Written block by block; an earlier file may have begun the first.
 */
async function writeUnread(tx: Transaction, { messages, unread }: MessageRows, last: number): Promise<void> {
  const begun = await tx.query<{ user_id: number; bits: string }>(
    'SELECT user_id, bits FROM read_block WHERE block = ?',
    [blockOf(messages[0]?.id ?? 0)],
  );
  const bitsOf = new Map(begun.map((row) => [row.user_id, row.bits]));
  const rows = [...unread].flatMap(([userId, ids]) => {
    const bits = bitsOf.get(userId);
    const set = new ReadSet(last, bits === undefined ? [] : [[blockOf(messages[0]?.id ?? 0), bits]]);
    set.mark(ids, 'unread');
    return set.changedBlocks().map(([block, changed]) => ({ user_id: userId, block, bits: changed }));
  });
  await insertRows(tx, 'read_block', rows, 'ON CONFLICT (user_id, block) DO UPDATE SET bits = excluded.bits');
}

async function mentionSet(tx: Transaction, userIds: readonly number[]): Promise<number | null> {
  if (userIds.length === 0) return null;
  const hash = Audience.of(userIds).hash();
  const [known] = await tx.query<{ id: number }>('SELECT id FROM mention_set WHERE hash = ?', [hash]);
  if (known) return known.id;
  const { id } = await tx.queryOne<{ id: number }>('INSERT INTO mention_set (hash) VALUES (?) RETURNING id', [
    hash,
  ]);
  await insertRows(
    tx,
    'mention_set_member',
    userIds.map((userId) => ({ user_id: userId, set_id: id })),
  );
  return id;
}

/** Renders text as HTML without any markup. */
export function plain(text: string): string {
  return `<p>${text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')}</p>`;
}
