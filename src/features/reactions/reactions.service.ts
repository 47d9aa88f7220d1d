import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import { TransactionService, type Transaction } from '../../platform/database/transaction.service';
import type { Audience } from '../../platform/events/audience';
import { EmojiLookupService, type EmojiReference } from '../emoji';
import {
  AutomaticTopicPolicyService,
  HistoricalMessageService,
  MessageAccess,
  MessageAudienceService,
  type ReadableMessage,
} from '../messages';
import { AccountDirectory, UNKNOWN_USER, UserVisibility } from '../users';
import { ReactionRowsService } from './reaction-rows.service';
import { MissingEmoji, ReactionAlreadyExists, ReactionDoesNotExist } from './reactions.errors';
import { reactionAdded, reactionRemoved } from './reactions.events';
import type { StoredReactionWire } from './reactions.wire';

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
  constructor(
    private readonly transactions: TransactionService,
    private readonly messages: MessageAccess,
    private readonly history: HistoricalMessageService,
    private readonly topicPolicies: AutomaticTopicPolicyService,
    private readonly emoji: EmojiLookupService,
    private readonly rows: ReactionRowsService,
    private readonly audiences: MessageAudienceService,
    private readonly accounts: AccountDirectory,
    private readonly visibility: UserVisibility,
  ) {}

  /**
   * Adds a reaction, under the name by which the emoji already stands on the message, if it does.
   * @throws InvalidMessage, ReactionAlreadyExists, EmojiUnknown and the other errors of {@link EmojiLookupService}
   */
  async add(actor: Actor, messageId: number, asked: AskedEmoji): Promise<void> {
    await this.transactions.run(async (tx) => {
      await this.rows.lock(tx, messageId);
      const readable = await this.messages.forChanging(tx, actor, messageId);
      const emoji = await this.emojiToAdd(tx, messageId, asked);
      const reaction = await this.rows.insert(tx, messageId, actor.userId, emoji);
      if (!reaction) throw new ReactionAlreadyExists();
      await this.takePart(tx, actor, readable);
      await this.tell(tx, reactionAdded, readable.message, reaction);
    });
  }

  /**
   * Takes a reaction back, even where its emoji is gone or renamed.
   * @throws InvalidMessage, MissingEmoji, EmojiUnknown, ReactionDoesNotExist
   */
  async remove(actor: Actor, messageId: number, asked: FormerEmoji): Promise<void> {
    await this.transactions.run(async (tx) => {
      await this.rows.lock(tx, messageId);
      const { message } = await this.messages.forChanging(tx, actor, messageId);
      const emoji = { code: this.codeToRemove(asked), type: asked.type };
      const reaction = await this.rows.remove(tx, messageId, actor.userId, emoji);
      if (!reaction) throw new ReactionDoesNotExist();
      await this.tell(tx, reactionRemoved, message, reaction);
    });
  }

  /** An emoji that is already on the message needs no check: it may be gone or renamed by now. */
  private async emojiToAdd(tx: Transaction, messageId: number, asked: AskedEmoji): Promise<EmojiReference> {
    const emoji = this.completed(asked);
    const name = await this.rows.nameInUse(tx, messageId, emoji);
    if (name !== null) return { ...emoji, name };
    this.emoji.check(emoji);
    return emoji;
  }

  private completed({ name, code, type }: AskedEmoji): EmojiReference {
    if (code !== undefined && type !== undefined) return { name, code, type };
    const known = this.emoji.byName(name);
    return { name, code: code ?? known.code, type: type ?? known.type };
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
    message: ReadableMessage['message'],
    reaction: StoredReactionWire,
  ): Promise<void> {
    const { user_id } = reaction;
    const account = this.accounts.existing(user_id);
    const emit = (audience: Audience, email: string, full_name: string) =>
      tx.emit(define({ ...reaction, user: { user_id, email, full_name } }), audience);
    const audience = await this.audiences.of(tx, message);
    const blind = await this.visibility.blindAmong(tx, audience, account);
    emit(audience.without(blind.ids()), this.accounts.apiEmail(account), account.fullName);
    if (blind.size > 0) emit(blind, this.accounts.placeholderOf(user_id), UNKNOWN_USER.fullName);
  }
}
