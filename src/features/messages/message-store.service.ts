import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction.service';
import { Audience } from '../../platform/events/audience';
import { Flag } from './message-flags';

/** Where a message is: in a topic of a channel, or in a direct conversation. */
export type MessagePlace =
  { readonly channelId: number; readonly topicId: number } | { readonly conversationId: number };

/** The row of a message that is being sent. */
export interface NewMessageRow {
  readonly senderId: number;
  readonly place: MessagePlace;
  readonly content: string;
  readonly renderedContent: string;
  readonly clientName: string;
  /** UNIX seconds. */
  readonly sentAt: number;
  /** Bits: see message-facts.ts. */
  readonly facts: number;
  readonly groupMembers: ReadonlySet<number>;
  readonly topicParticipants: ReadonlySet<number>;
}

/** Writes messages and what belongs to them beside their events. */
@Injectable()
export class MessageStoreService {
  /** @returns the ID of the message */
  async insert(tx: Transaction, message: NewMessageRow): Promise<number> {
    const { place } = message;
    const isInChannel = 'channelId' in place;
    const [row] = await tx.query<{ id: number }>(
      `INSERT INTO message (sender_id, channel_id, topic_id, conversation_id, content, rendered_content,
         client_name, sent_at, facts, group_mention_set_id, topic_mention_set_id)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
      [
        message.senderId,
        isInChannel ? place.channelId : null,
        isInChannel ? place.topicId : null,
        isInChannel ? null : place.conversationId,
        message.content,
        message.renderedContent,
        message.clientName,
        message.sentAt,
        message.facts,
        await this.mentionSet(tx, message.groupMembers),
        await this.mentionSet(tx, message.topicParticipants),
      ],
    );
    return (row as { id: number }).id;
  }

  /** Notes who of the recipients is mentioned in person. */
  async insertMentions(tx: Transaction, messageId: number, userIds: readonly number[]): Promise<void> {
    if (userIds.length === 0) return;
    await tx.query(
      'INSERT INTO message_flag (user_id, message_id, flags) SELECT id, ?, ? FROM account WHERE id IN (?)',
      [messageId, Flag.mentioned, userIds],
    );
  }

  /** The stored set with these members, made when it is the first of its kind. */
  private async mentionSet(tx: Transaction, userIds: ReadonlySet<number>): Promise<number | null> {
    if (userIds.size === 0) return null;
    const hash = Audience.of(userIds).hash();
    const [created] = await tx.query<{ id: number }>(
      'INSERT INTO mention_set (hash) VALUES (?) ON CONFLICT (hash) DO NOTHING RETURNING id',
      [hash],
    );
    if (created) {
      await tx.query(
        'INSERT INTO mention_set_member (user_id, set_id) SELECT id, ? FROM account WHERE id IN (?)',
        [created.id, [...userIds]],
      );
      return created.id;
    }
    const [known] = await tx.query<{ id: number }>('SELECT id FROM mention_set WHERE hash = ?', [hash]);
    return (known as { id: number }).id;
  }
}
