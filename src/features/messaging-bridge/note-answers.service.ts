import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock';
import type { Transaction } from '../../platform/database/transaction.service';
import { type MessageObserver, MessageObserverRegistry, type SentMessage } from '../messages';
import { ConversationDirectory } from './conversation.directory';

/** Told of answers before it is sure that they were sent. */
export type AnswerListener = (messageId: number) => void;

/** Notes, in the transaction that sends a message, that it answers somebody outside. */
@Injectable()
export class NoteAnswersService implements MessageObserver {
  private listener: AnswerListener = () => undefined;

  constructor(
    private readonly conversations: ConversationDirectory,
    private readonly clock: Clock,
    observers: MessageObserverRegistry,
  ) {
    observers.register(this);
  }

  onAnswer(listener: AnswerListener): void {
    this.listener = listener;
  }

  /** What bots say is no answer: among them are the bridge itself, and notices that are nobody's business outside. */
  async messageSent(tx: Transaction, { messageId, sender, topicId }: SentMessage): Promise<void> {
    if (sender.isBot || topicId === null) return;
    const conversationId = this.conversations.ofTopic(topicId);
    if (conversationId === undefined) return;
    const now = this.clock.nowMs();
    await tx.query(
      `INSERT INTO messaging_answer (conversation_id, message_id, attempts, due_at, created_at)
       VALUES (?, ?, 0, ?, ?)`,
      [conversationId, messageId, now, now],
    );
    this.listener(messageId);
  }

  async messagesDeleted(tx: Transaction, messageIds: readonly number[]): Promise<void> {
    await tx.query('DELETE FROM messaging_answer WHERE message_id IN (?)', [messageIds]);
  }
}
