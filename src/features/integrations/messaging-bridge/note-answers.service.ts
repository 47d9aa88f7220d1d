import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { defineJob } from '../../../platform/jobs/job';
import { Jobs } from '../../../platform/jobs/jobs.service';
import { messagesDeleted, messageSent, type SentMessage } from '../../messages/messages.module';
import { ConversationDirectory } from './conversation.directory';

/** A message to be posted to the person outside to whose topic it was sent. */
export interface AnswerJob {
  readonly conversationId: number;
  readonly messageId: number;
  /** The ID under which the receiver knows an answer from before jobs; newer ones use the ID of the message. */
  readonly number?: number;
}

/** Posts an answer. Its group is the conversation, its key the message. */
export const messagingAnswer = defineJob<AnswerJob>('messaging_answer');

/** Enqueues, in the transaction that sends a message, the job that posts it if it answers a person outside. */
@Injectable()
export class NoteAnswersService {
  constructor(
    private readonly conversations: ConversationDirectory,
    private readonly jobs: Jobs,
    hooks: Hooks,
  ) {
    hooks.on(messageSent, (tx, message) => this.note(tx, message));
    hooks.on(messagesDeleted, (tx, messageIds) => this.forget(tx, messageIds));
  }

  /**
   * Messages of bots are no answers: among them are those of the bridge itself, and notices that do not concern people
   * outside.
   */
  private async note(tx: Transaction, { messageId, sender, topicId }: SentMessage): Promise<void> {
    if (sender.isBot || topicId === null) return;
    const conversationId = this.conversations.idByTopic.get(topicId);
    if (conversationId === undefined) return;
    await this.jobs.enqueue(tx, {
      kind: messagingAnswer,
      group: String(conversationId),
      key: String(messageId),
      data: { conversationId, messageId },
    });
  }

  private async forget(tx: Transaction, messageIds: readonly number[]): Promise<void> {
    await this.jobs.cancel(tx, messagingAnswer, messageIds.map(String));
  }
}
