import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { isAdministrator, type Actor } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import { Database } from '../../../platform/database/database.service';
import { MustBeAdministrator } from '../../../platform/errors/shared.errors';
import type { Queryable } from '../../../platform/sql/queryable';
import { AuditLog } from '../../audit/audit.module';
import { ChannelAccess, topicKey, TopicRowsService } from '../../channels/channels.module';
import { MessageAccess, MessageTextService } from '../../messages/messages.module';
import { UserAccess } from '../../users/users.module';
import { MessageAlreadyDeleted } from '../rights/rights.api';
import { MessageDeleteAccess } from '../rights/message-delete.access';
import { ForgetTopicService } from './forget-topic.service';
import { MESSAGES_PER_STEP, RemoveMessagesService } from './remove-messages.service';

/** After this long the caller is told to ask again. */
const BUDGET_MS = 20_000;

/** Largest ID that the column holds. */
const MAX_ID = 2_147_483_647;

/** Deletes messages on request, permanently: one message, or a topic with all its messages. */
@Injectable()
export class DeleteMessagesService {
  constructor(
    private readonly database: Database,
    private readonly users: UserAccess,
    private readonly channelAccess: ChannelAccess,
    private readonly access: MessageAccess,
    private readonly deleteAccess: MessageDeleteAccess,
    private readonly texts: MessageTextService,
    private readonly topics: TopicRowsService,
    private readonly removing: RemoveMessagesService,
    private readonly forgetting: ForgetTopicService,
    private readonly clock: Clock,
    private readonly audit: AuditLog,
  ) {}

  /** @throws Unauthorized, InvalidMessage, MayNotDeleteMessage, TooLateToDelete, MessageAlreadyDeleted */
  async deleteMessage(actor: Actor, messageId: number): Promise<void> {
    await this.check(this.database.read, actor, messageId);
    await this.removing.remove({
      messageIds: [messageId],
      deleterId: actor.userId,
      choose: async (tx, locked) => {
        if (locked.length === 0) throw new MessageAlreadyDeleted();
        const current = this.users.current(actor);
        const { senderId } = await this.check(tx, current, messageId);
        // Deleting one's own message affects no one else.
        if (senderId !== current.userId) {
          const target = { id: messageId, userId: senderId };
          this.audit.record(tx, current, 'message.deleted', target);
        }
        return locked;
      },
    });
  }

  /**
   * Deletes a topic, newest message first, in steps between which others can write. With protected history, deletes
   * only what the actor can see. Messages sent during the deletion stay. Users who then see nothing of the topic lose
   * their policy for it.
   * @returns whether nothing is left to delete
   * @throws InvalidChannelId; Unauthorized, MustBeAdministrator where the actor is no administrator any more
   */
  async deleteTopic(actor: Actor, channelId: number, topicName: string): Promise<boolean> {
    const channel = this.channelAccess.forContent(actor, channelId);
    const topic = this.texts.topic(topicName);
    const known = await this.topics.byName(this.database.read, channel.id, topic);
    const endsAt = this.clock.nowMs() + BUDGET_MS;
    let newest = MAX_ID;
    for (;;) {
      const ids = await this.upTo(actor, channel.id, topic, newest);
      if (ids.length > 0) await this.deleteStep(actor, channelId, topic, ids);
      if (ids.length < MESSAGES_PER_STEP) break;
      if (this.clock.nowMs() >= endsAt) return false;
      newest = Math.min(...ids) - 1;
      await nextTurn();
    }
    await this.forgetting.forget(channel.id, known?.name ?? topic);
    return true;
  }

  private async check(
    db: Queryable,
    actor: Actor,
    messageId: number,
  ): Promise<{ readonly senderId: number }> {
    const { message } = await this.access.forChanging(db, actor, messageId);
    this.deleteAccess.check(actor, message);
    return message;
  }

  private async deleteStep(
    actor: Actor,
    channelId: number,
    topic: string,
    messageIds: readonly number[],
  ): Promise<void> {
    await this.removing.remove({
      messageIds,
      deleterId: actor.userId,
      choose: async (tx, locked) => {
        const current = this.users.current(actor);
        if (!isAdministrator(current)) throw new MustBeAdministrator();
        this.channelAccess.forContent(current, channelId);
        const row = await this.topics.byName(tx, channelId, topic);
        const chosen = locked.filter((message) => message.topicId === row?.id);
        if (!row || chosen.length === 0) return chosen;
        const details = { topic_id: row.id, messages: chosen.length };
        this.audit.record(tx, current, 'channel.topic_deleted', { id: channelId }, details);
        return chosen;
      },
    });
  }

  /** The newest messages of the topic, up to an ID, that the actor can see. */
  private async upTo(actor: Actor, channelId: number, topic: string, newest: number): Promise<number[]> {
    const reach = this.access.withinReach(actor, [channelId]);
    const rows = await this.database.read.query<{ id: number }>(
      `SELECT m.id FROM topic t JOIN message m ON m.topic_id = t.id
       WHERE t.channel_id = ? AND t.name_key = ? AND m.id <= ? AND (${reach.sql}) ORDER BY m.id DESC LIMIT ?`,
      [channelId, topicKey(topic), newest, ...reach.values, MESSAGES_PER_STEP],
    );
    return rows.map(({ id }) => id);
  }
}
