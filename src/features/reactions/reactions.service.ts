import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import { TransactionService, type Transaction } from '../../platform/database/transaction.service';
import { EmojiLookupService, type EmojiReference } from '../emoji';
import {
  AutomaticTopicPolicyService,
  HistoricalMessageService,
  MessageAccess,
  type ReadableMessage,
} from '../messages';
import { ReactionEventsService } from './reaction-events.service';
import { ReactionRowsService } from './reaction-rows.service';
import { MissingEmoji, ReactionAlreadyExists, ReactionDoesNotExist } from './reactions.errors';

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
    private readonly events: ReactionEventsService,
  ) {}

  /**
   * Adds a reaction (groups reference 8.2). Where others reacted with the same emoji, theirs is the name that counts.
   * @throws InvalidMessage, ReactionAlreadyExists, EmojiUnknown and the other errors of {@link EmojiLookupService}
   */
  async add(actor: Actor, messageId: number, asked: AskedEmoji): Promise<void> {
    await this.transactions.run(async (tx) => {
      await this.rows.hold(tx, messageId);
      const readable = await this.messages.forChanging(tx, actor, messageId);
      const emoji = await this.emojiToAdd(tx, messageId, asked);
      const reaction = { messageId, userId: actor.userId, emoji };
      if (!(await this.rows.insert(tx, reaction))) throw new ReactionAlreadyExists();
      await this.takePart(tx, actor, readable);
      await this.events.emit(tx, 'added', readable.message, reaction);
    });
  }

  /**
   * Takes a reaction back, whatever has become of its emoji (groups reference 8.4).
   * @throws InvalidMessage, MissingEmoji, EmojiUnknown, ReactionDoesNotExist
   */
  async remove(actor: Actor, messageId: number, asked: FormerEmoji): Promise<void> {
    await this.transactions.run(async (tx) => {
      await this.rows.hold(tx, messageId);
      const { message } = await this.messages.forChanging(tx, actor, messageId);
      const emoji = { code: this.codeToRemove(asked), type: asked.type };
      const reaction = await this.rows.remove(tx, messageId, actor.userId, emoji);
      if (!reaction) throw new ReactionDoesNotExist();
      await this.events.emit(tx, 'removed', message, reaction);
    });
  }

  /** What somebody has used on the message before needs no check: it may be gone or renamed by now. */
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

  /** Whoever reacts has the message in their history from then on, and perhaps wants to see more of its topic. */
  private async takePart(tx: Transaction, actor: Actor, { message, state }: ReadableMessage): Promise<void> {
    if (!state.isOwn) await this.history.enter(tx, actor.userId, [message.id]);
    const { channelId, topicName } = message;
    if (channelId === null) return;
    await this.topicPolicies.afterReacting(tx, actor, { channelId, topic: topicName ?? '' });
  }
}
