import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import type { Actor } from '../../platform/actor';
import { TransactionService, type Transaction } from '../../platform/database/transaction.service';
import { Hooks } from '../../platform/hooks/hooks';
import type { Queryable } from '../../platform/sql/queryable';
import type { Audience } from '../../platform/events/audience';
import { EmojiLookupService, type EmojiReference, EmojiUnknown } from '../emoji';
import {
  AutomaticTopicPolicyService,
  emptyMessageFields,
  HistoricalMessageService,
  MessageAccess,
  MessageAudienceService,
  MessageFact,
  messageFields,
  MessageRowsService,
  messagesDeleted,
  type ReadableMessage,
} from '../messages';
import { topicParticipants } from '../topics';
import { AccountDirectory, UNKNOWN_USER, UserVisibility } from '../users';
import { Reaction } from './reaction.entity';
import { MissingEmoji, ReactionAlreadyExists, ReactionDoesNotExist } from './reactions.errors';
import { reactionAdded, reactionRemoved } from './reactions.events';
import type { ReactionWire, StoredReactionWire } from './reactions.wire';

/** The emoji of a new reaction as the request puts it. */
interface AskedEmoji {
  readonly name: string;
  readonly code?: string;
  readonly type?: string;
}

/** The emoji of a reaction to take back as the request puts it. */
interface FormerEmoji {
  /** Only looked at without a code. */
  readonly name?: string;
  readonly code?: string;
  readonly type: string;
}

/** Lets people react to messages and take that back. */
@Injectable()
export class ReactionsService {
  private readonly rows: ReactionRows;

  constructor(
    private readonly transactions: TransactionService,
    private readonly messages: MessageAccess,
    private readonly history: HistoricalMessageService,
    private readonly topicPolicies: AutomaticTopicPolicyService,
    private readonly emoji: EmojiLookupService,
    private readonly audiences: MessageAudienceService,
    private readonly accounts: AccountDirectory,
    private readonly visibility: UserVisibility,
    messageRows: MessageRowsService,
    hooks: Hooks,
  ) {
    this.rows = new ReactionRows(messageRows, hooks);
  }

  /**
   * Adds a reaction, under the name by which the emoji already stands on the message, if it does.
   * @throws InvalidMessage, ReactionAlreadyExists, EmojiUnknown and the other errors of {@link EmojiLookupService}
   */
  async add(actor: Actor, messageId: number, asked: AskedEmoji): Promise<void> {
    await this.transactions.run(async (tx) => {
      // What is handed in together shares a round trip on PostgreSQL. The message's refusals come before the emoji's.
      const wanted = this.referenceTo(asked);
      const [readable, nameInUse] = await Promise.all([
        this.lock(tx, actor, messageId),
        wanted && this.rows.nameInUse(tx, messageId, wanted),
      ]);
      const emoji = this.emojiToAdd(asked, wanted, nameInUse);
      await this.takePart(tx, actor, readable);
      const [reaction, audience] = await Promise.all([
        this.rows.insert(tx, messageId, actor.userId, emoji),
        this.audiences.of(tx, readable.message),
      ]);
      if (!reaction) throw new ReactionAlreadyExists();
      await this.tell(tx, reactionAdded, audience, reaction);
    });
  }

  /**
   * Takes a reaction back, even where its emoji is gone or renamed.
   * @throws InvalidMessage, MissingEmoji, EmojiUnknown, ReactionDoesNotExist
   */
  async remove(actor: Actor, messageId: number, asked: FormerEmoji): Promise<void> {
    await this.transactions.run(async (tx) => {
      const { message } = await this.lock(tx, actor, messageId);
      const emoji = { code: this.codeToRemove(asked), type: asked.type };
      const [reaction, audience] = await Promise.all([
        this.rows.remove(tx, messageId, actor.userId, emoji),
        this.audiences.of(tx, message),
      ]);
      if (!reaction) throw new ReactionDoesNotExist();
      await this.tell(tx, reactionRemoved, audience, reaction);
    });
  }

  /** The reactions to a message, in the order in which people reacted; whether the caller may see it was asked before. */
  async on(db: Queryable, messageId: number): Promise<readonly ReactionWire[]> {
    return (await this.rows.fields(db, [messageId])).get(messageId)?.reactions ?? [];
  }

  /** Lets one change of a message's reactions happen at a time. @throws InvalidMessage */
  private async lock(tx: Transaction, actor: Actor, messageId: number): Promise<ReadableMessage> {
    const [, readable] = await Promise.all([
      this.rows.lock(tx, messageId),
      this.messages.forChanging(tx, actor, messageId),
    ]);
    return readable;
  }

  /** The emoji that is asked for, checked or not; null where it is left to a name that no emoji has. */
  private referenceTo({ name, code, type }: AskedEmoji): EmojiReference | null {
    if (code !== undefined && type !== undefined) return { name, code, type };
    const known = this.emoji.find(name);
    return known && { name, code: code ?? known.code, type: type ?? known.type };
  }

  /** An emoji that is already on the message needs no check: it may be gone or renamed by now. */
  private emojiToAdd(
    { name }: AskedEmoji,
    wanted: EmojiReference | null,
    nameInUse: string | null,
  ): EmojiReference {
    if (!wanted) throw new EmojiUnknown(name);
    if (nameInUse !== null) return { ...wanted, name: nameInUse };
    this.emoji.check(wanted);
    return wanted;
  }

  private codeToRemove({ name, code }: FormerEmoji): string {
    if (code !== undefined) return code;
    if (name === undefined) throw new MissingEmoji();
    return this.emoji.byName(name).code;
  }

  /** Reacting takes the message into the actor's history, and may follow or unmute its topic for them. */
  private async takePart(tx: Transaction, actor: Actor, { message, isOwn }: ReadableMessage): Promise<void> {
    if (!isOwn) await this.history.enter(tx, actor.userId, [message.id]);
    const { channelId, topicName } = message;
    if (channelId === null) return;
    await this.topicPolicies.afterReacting(tx, actor, { channelId, topic: topicName ?? '' });
  }

  /** Those who may not know who reacted are told of an unknown user. */
  private async tell(
    tx: Transaction,
    define: typeof reactionAdded,
    audience: Audience,
    reaction: StoredReactionWire,
  ): Promise<void> {
    const { user_id } = reaction;
    const account = this.accounts.existing(user_id);
    const emit = (people: Audience, email: string, full_name: string) =>
      tx.emit(define({ ...reaction, user: { user_id, email, full_name } }), people);
    const blind = await this.visibility.blindAmong(tx, audience, account);
    emit(audience.without(blind.ids()), this.accounts.apiEmail(account), account.fullName);
    if (blind.size > 0) emit(blind, this.accounts.placeholderOf(user_id), UNKNOWN_USER.fullName);
  }
}

type EmojiCode = Pick<EmojiReference, 'code' | 'type'>;

/** A row in the words of the wire. */
const COLUMNS = 'message_id, user_id, emoji_name, emoji_code, emoji_type AS reaction_type';

/** Reads and writes the rows of reactions, notes on messages that there are any, and adds them to message records. */
class ReactionRows {
  constructor(
    private readonly messages: MessageRowsService,
    hooks: Hooks,
  ) {
    hooks.on(messagesDeleted, (tx, messageIds) => this.deleteOf(tx, messageIds));
    hooks.on(emptyMessageFields, () => ({ reactions: [] }));
    hooks.on(messageFields, (db, messages) => {
      const reacted = messages.filter(({ facts }) => (facts & MessageFact.hasReaction) !== 0);
      return this.fields(
        db,
        reacted.map(({ id }) => id),
      );
    });
    hooks.on(topicParticipants, (db, topicId) => this.participantsOf(db, topicId));
  }

  /** To be handed in before reading: it lets one change of a message's reactions happen at a time, and keeps the message. */
  async lock(tx: Transaction, messageId: number): Promise<void> {
    await this.messages.lock(tx, messageId);
  }

  /** The name under which an emoji stands on a message already; null where nobody reacted with it. */
  async nameInUse(db: Queryable, messageId: number, { code, type }: EmojiCode): Promise<string | null> {
    const [row] = await db.query<{ emoji_name: string }>(
      `SELECT emoji_name FROM reaction
       WHERE message_id = ? AND emoji_type = ? AND emoji_code = ? ORDER BY id LIMIT 1`,
      [messageId, type, code],
    );
    return row?.emoji_name ?? null;
  }

  /** @returns the new reaction; null where there was one already */
  async insert(
    tx: Transaction,
    messageId: number,
    userId: number,
    emoji: EmojiReference,
  ): Promise<StoredReactionWire | null> {
    const [added] = await tx.query<StoredReactionWire>(
      `INSERT INTO reaction (message_id, user_id, emoji_type, emoji_code, emoji_name) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (message_id, emoji_type, emoji_code, user_id) DO NOTHING RETURNING ${COLUMNS}`,
      [messageId, userId, emoji.type, emoji.code, emoji.name],
    );
    if (!added) return null;
    this.messages.noteReaction(tx, messageId);
    return added;
  }

  /** @returns the reaction that was removed; null where there was none */
  async remove(
    tx: Transaction,
    messageId: number,
    userId: number,
    { code, type }: EmojiCode,
  ): Promise<StoredReactionWire | null> {
    const [removed] = await tx.query<StoredReactionWire>(
      `DELETE FROM reaction WHERE message_id = ? AND emoji_type = ? AND emoji_code = ? AND user_id = ?
       RETURNING ${COLUMNS}`,
      [messageId, type, code, userId],
    );
    if (!removed) return null;
    if (!(await this.hasAny(tx, messageId))) await this.messages.noteNoReactions(tx, messageId);
    return removed;
  }

  private async deleteOf(tx: Transaction, messageIds: readonly number[]): Promise<void> {
    await tx.repository(Reaction).delete({ messageId: In([...messageIds]) });
  }

  /** Everybody who reacted to a message of the topic. */
  private async participantsOf(db: Queryable, topicId: number): Promise<number[]> {
    const rows = await db.query<{ id: number }>(
      `SELECT DISTINCT r.user_id AS id FROM message m JOIN reaction r ON r.message_id = m.id
       WHERE m.topic_id = ? AND (m.facts & ?) <> 0`,
      [topicId, MessageFact.hasReaction],
    );
    return rows.map(({ id }) => id);
  }

  /** Adds `reactions` to the records of messages, in the order in which people reacted: one query for all messages. */
  async fields(
    db: Queryable,
    messageIds: readonly number[],
  ): Promise<Map<number, { reactions: readonly ReactionWire[] }>> {
    if (messageIds.length === 0) return new Map();
    const rows = await db.query<StoredReactionWire>(
      `SELECT ${COLUMNS} FROM reaction WHERE message_id IN (?) ORDER BY id`,
      [messageIds],
    );
    const fields = new Map<number, { reactions: ReactionWire[] }>();
    for (const { message_id: messageId, ...reaction } of rows) {
      const known = fields.get(messageId);
      if (known) known.reactions.push(reaction);
      else fields.set(messageId, { reactions: [reaction] });
    }
    return fields;
  }

  private async hasAny(db: Queryable, messageId: number): Promise<boolean> {
    const rows = await db.query('SELECT id FROM reaction WHERE message_id = ? LIMIT 1', [messageId]);
    return rows.length > 0;
  }
}
