import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import { type Transaction, TransactionService } from '../../platform/database/transaction.service';
import { ApiError } from '../../platform/errors/api-error';
import { Hooks } from '../../platform/hooks/hooks';
import type { Queryable } from '../../platform/sql/queryable';
import type { Audience } from '../../platform/events/audience';
import { EmojiLookupService, type EmojiReference, EmojiUnknown } from '../emoji/emoji.module';
import {
  AutomaticTopicPolicyService,
  HistoricalMessageService,
  MessageAccess,
  MessageAudienceService,
  MessageRowsService,
  type PlacedMessage,
  type ReadableMessage,
} from '../messages/messages.module';
import { AccountDirectory, contentErased, UNKNOWN_USER, UserVisibility } from '../users/users.module';
import { COLUMNS, ReactionRows } from './reaction-rows';
import {
  MissingEmoji,
  reactionAdded,
  ReactionAlreadyExists,
  ReactionDoesNotExist,
  reactionRemoved,
  type ReactionWire,
  type StoredReactionWire,
  TooManyReactions,
} from './reactions.api';

/** The emoji of a new reaction, as requested. */
interface RequestedEmoji {
  readonly name: string;
  readonly code?: string;
  readonly type?: string;
}

/** The emoji of a reaction to remove, as requested. */
interface FormerEmoji {
  /** Used only without a code. */
  readonly name?: string;
  readonly code?: string;
  readonly type: string;
}

type EmojiCode = Pick<EmojiReference, 'code' | 'type'>;

/** The emoji of a reaction, and the message. */
interface PlacedReaction extends EmojiCode, PlacedMessage {}

/** The reactions to a message with one emoji. */
const ALIKE = 'FROM reaction WHERE message_id = ? AND emoji_type = ? AND emoji_code = ?';

/** Limits on reactions to one message: each record of the message contains all of them. */
const LIMITS = { ofPerson: 50, emoji: 200, all: 10_000 } as const;

/**
 * Whether the message is below its limits for another reaction by the user and with the emoji. The message is locked
 * against other reactions.
 */
const HAS_ROOM = `
  (SELECT COUNT(*) < ${LIMITS.ofPerson} FROM reaction WHERE message_id = message.id AND user_id = ?)
  AND (SELECT COUNT(*) < ${LIMITS.all} FROM reaction WHERE message_id = message.id)
  AND (EXISTS (SELECT 1 ${ALIKE})
    OR (SELECT COUNT(*) < ${LIMITS.emoji}
        FROM (SELECT DISTINCT emoji_type, emoji_code FROM reaction WHERE message_id = ?) AS emoji))`;

const INSERT = `
  INSERT INTO reaction (message_id, user_id, emoji_type, emoji_code, emoji_name)
  SELECT id, CAST(? AS integer), CAST(? AS text), CAST(? AS text), emoji_name
  FROM (SELECT id, COALESCE((SELECT emoji_name ${ALIKE} ORDER BY id LIMIT 1), CAST(? AS text)) AS emoji_name
        FROM message WHERE id = ? AND ${HAS_ROOM}) AS named
  WHERE emoji_name IS NOT NULL
  ON CONFLICT (message_id, emoji_type, emoji_code, user_id) DO NOTHING RETURNING ${COLUMNS}`;

/** Adds and removes reactions to messages. */
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
    private readonly messageRows: MessageRowsService,
    hooks: Hooks,
  ) {
    this.rows = new ReactionRows(hooks);
    hooks.on(contentErased, async (tx, userId, limit) => ({
      reactions: await this.eraseSome(tx, userId, limit),
    }));
  }

  /**
   * Adds a reaction. If the emoji is already on the message, it keeps its name there. Statements sent together share a
   * round trip on PostgreSQL, so the reaction is written before its permission is known: a refusal rolls it back.
   * @throws InvalidMessage, ReactionAlreadyExists, TooManyReactions, EmojiUnknown and the other errors of {@link
   * EmojiLookupService}
   */
  async add(actor: Actor, messageId: number, asked: RequestedEmoji): Promise<void> {
    await this.transactions.run(async (tx) => {
      const wanted = this.referenceTo(asked);
      const problem = wanted && this.problemWith(wanted);
      const [readable, reaction, holders] = await Promise.all([
        this.lock(tx, actor, messageId),
        wanted && this.insert(tx, messageId, actor.userId, wanted, problem ? null : wanted.name),
        this.audiences.holdersOf(tx, messageId),
      ]);
      // The message's refusals take precedence over the emoji's.
      if (!wanted) throw new EmojiUnknown(asked.name);
      if (!reaction) throw await this.refusal(tx, messageId, actor.userId, wanted, problem);
      this.messageRows.noteReaction(tx, messageId);
      await this.recordParticipation(tx, actor, readable);
      const audience = this.audiences.ofHolders(readable.message, [...holders, actor.userId]);
      await this.tell(tx, reactionAdded, audience, reaction);
    });
  }

  /**
   * Removes a reaction, even if its emoji was deleted or renamed.
   * @throws InvalidMessage, MissingEmoji, EmojiUnknown, ReactionDoesNotExist
   */
  async remove(actor: Actor, messageId: number, asked: FormerEmoji): Promise<void> {
    await this.transactions.run(async (tx) => {
      const { message } = await this.lock(tx, actor, messageId);
      const emoji = { code: this.codeToRemove(asked), type: asked.type };
      const [reaction, audience] = await Promise.all([
        this.delete(tx, messageId, actor.userId, emoji),
        this.audiences.of(tx, message),
      ]);
      if (!reaction) throw new ReactionDoesNotExist();
      await this.tell(tx, reactionRemoved, audience, reaction);
    });
  }

  /** Deletes reactions of a person, starting with those to older messages. @returns how many */
  private async eraseSome(tx: Transaction, userId: number, limit: number): Promise<number> {
    const own = await tx.query<PlacedReaction>(
      `SELECT m.id, m.channel_id AS "channelId", m.sent_channel_id AS "sentChannelId",
         m.conversation_id AS "conversationId", r.emoji_code AS code, r.emoji_type AS type
       FROM reaction r JOIN message m ON m.id = r.message_id WHERE r.user_id = ? ORDER BY m.id, r.id LIMIT ?`,
      [userId, limit],
    );
    for (const each of own) {
      await this.messageRows.lock(tx, each.id);
      const reaction = await this.delete(tx, each.id, userId, each);
      if (reaction) await this.tell(tx, reactionRemoved, await this.audiences.of(tx, each), reaction);
    }
    return own.length;
  }

  /**
   * The reactions to a message, in the order in which people reacted. Callers check that the reader may see the
   * message.
   */
  async on(db: Queryable, messageId: number): Promise<readonly ReactionWire[]> {
    return (await this.rows.fields(db, [messageId])).get(messageId)?.reactions ?? [];
  }

  /** Serializes changes to a message's reactions, and protects the message from deletion. @throws InvalidMessage */
  private async lock(tx: Transaction, actor: Actor, messageId: number): Promise<ReadableMessage> {
    const [, readable] = await Promise.all([
      this.messageRows.lock(tx, messageId),
      this.messages.forChanging(tx, actor, messageId),
    ]);
    return readable;
  }

  /** The requested emoji, validated or not; null if only a name was sent and no emoji has it. */
  private referenceTo({ name, code, type }: RequestedEmoji): EmojiReference | null {
    if (code !== undefined && type !== undefined) return { name, code, type };
    const known = this.emoji.find(name);
    return known && { name, code: code ?? known.code, type: type ?? known.type };
  }

  /** The reason why the emoji cannot be used for new reactions; null if it can. */
  private problemWith(emoji: EmojiReference): ApiError | null {
    try {
      this.emoji.check(emoji);
      return null;
    } catch (error) {
      if (error instanceof ApiError) return error;
      throw error;
    }
  }

  /**
   * The error for a reaction that was not added. An emoji that is already on the message may have been deleted or
   * renamed.
   */
  private async refusal(
    tx: Transaction,
    messageId: number,
    userId: number,
    { code, type }: EmojiCode,
    problem: ApiError | null,
  ): Promise<ApiError> {
    const { alike, own } = await tx.queryOne<{ alike: number; own: number }>(
      `SELECT COUNT(*) AS alike, COUNT(CASE WHEN user_id = ? THEN 1 END) AS own ${ALIKE}`,
      [userId, messageId, type, code],
    );
    if (Number(own) > 0) return new ReactionAlreadyExists();
    return Number(alike) === 0 && problem ? problem : new TooManyReactions(LIMITS);
  }

  private codeToRemove({ name, code }: FormerEmoji): string {
    if (code !== undefined) return code;
    if (name === undefined) throw new MissingEmoji();
    return this.emoji.byName(name).code;
  }

  /** Adds the message to the actor's history, and may follow or unmute its topic for them. */
  private async recordParticipation(
    tx: Transaction,
    actor: Actor,
    { message, isOwn }: ReadableMessage,
  ): Promise<void> {
    if (!isOwn) await this.history.enter(tx, actor.userId, [message.id]);
    const { channelId, topicName } = message;
    if (channelId === null) return;
    await this.topicPolicies.afterReacting(tx, actor, { channelId, topic: topicName ?? '' });
  }

  /** Users who may not see the reacting user get an unknown user in the event. */
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
    const blind = await this.visibility.membersWithoutAccess(tx, audience, account);
    emit(audience.without(blind.ids()), this.accounts.apiEmail(account), account.fullName);
    if (blind.size > 0) emit(blind, this.accounts.placeholderOf(user_id), UNKNOWN_USER.fullName);
  }

  /**
   * Inserts a reaction under the name of the emoji already on the message, or else under the given name.
   * @param name null to accept only an emoji that is already on the message
   * @returns the new reaction; null if it exists already, the name or message does not exist, or a limit is reached
   */
  private async insert(
    tx: Transaction,
    messageId: number,
    userId: number,
    { code, type }: EmojiCode,
    name: string | null,
  ): Promise<StoredReactionWire | null> {
    const [added] = await tx.query<StoredReactionWire>(INSERT, [
      userId,
      type,
      code,
      messageId,
      type,
      code,
      name,
      messageId,
      userId,
      messageId,
      type,
      code,
      messageId,
    ]);
    return added ?? null;
  }

  /** @returns the removed reaction; null if there was none */
  private async delete(
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
    if (!(await this.hasAny(tx, messageId))) await this.messageRows.noteNoReactions(tx, messageId);
    return removed;
  }

  private async hasAny(db: Queryable, messageId: number): Promise<boolean> {
    const rows = await db.query('SELECT id FROM reaction WHERE message_id = ? LIMIT 1', [messageId]);
    return rows.length > 0;
  }
}
