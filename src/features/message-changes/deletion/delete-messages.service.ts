import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { type Actor, isAdministrator } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import { addTo, chunksOf } from '../../../platform/collections';
import { Database } from '../../../platform/database/database.service';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { MustBeAdministrator } from '../../../platform/errors/shared.errors';
import { Audience } from '../../../platform/events/audience';
import { Hooks } from '../../../platform/hooks/hooks';
import type { Queryable } from '../../../platform/sql/queryable';
import { AuditLog } from '../../audit/audit.module';
import {
  ChannelAccess,
  topicKey,
  TopicRowsService,
  TopicVisibility,
  UserTopicsService,
} from '../../channels/channels.module';
import {
  condition,
  MessageAccess,
  MessageAudienceService,
  MessageRowsService,
  messagesDeleted,
  MessageTextService,
  type SqlCondition,
} from '../../messages/messages.module';
import { AccountDirectory, UserAccess } from '../../users/users.module';
import { MessageEdit } from '../history/message-edit.entity';
import { ChannelRowsService, type LockedMessage, MessageLocksService } from '../locks/message-locks.service';
import { channelMessagesGone, directMessagesGone, MAX_MESSAGES_GONE } from '../message-changes.api';
import { MessageDeleteAccess } from '../rights/message-edit.access';
import { MessageAlreadyDeleted } from '../rights/rights.api';
import { MessageHeld } from './legal-holds.api';
import { LegalHoldsService } from './legal-holds.service';

const PEOPLE_PER_STEP = 100;

/** Deletes people's policies for topics of which they no longer see anything. */
@Injectable()
export class ForgetTopicService {
  constructor(
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly accounts: AccountDirectory,
    private readonly access: MessageAccess,
    private readonly topics: TopicRowsService,
    private readonly policies: UserTopicsService,
    private readonly clock: Clock,
  ) {}

  /** Called after messages of the topic were deleted; works in steps, between which others can write. */
  async forget(channelId: number, topic: string): Promise<void> {
    const said = await this.policies.policiesFor(this.database.read, channelId, topic);
    for (const userIds of chunksOf([...said.keys()], PEOPLE_PER_STEP)) {
      await this.transactions.run(async (tx) => {
        const blind = await this.peopleWithoutAccess(tx, userIds, channelId, topic);
        const policy = TopicVisibility.none;
        const lastUpdated = this.clock.nowSeconds();
        await this.policies.setForAll(tx, blind, { channelId, topic, policy, lastUpdated });
      });
    }
  }

  private async peopleWithoutAccess(
    tx: Transaction,
    userIds: readonly number[],
    channelId: number,
    topic: string,
  ): Promise<number[]> {
    const row = await this.topics.byName(tx, channelId, topic);
    const said = await this.policies.policiesFor(tx, channelId, topic, userIds);
    const blind: number[] = [];
    for (const userId of said.keys()) {
      const account = this.accounts.byId(userId);
      const reader = account && { userId, role: account.role };
      if (!row || !reader || !(await this.access.seesTopic(tx, reader, row))) blind.push(userId);
    }
    return blind;
  }
}

/** Maximum number of messages deleted in one step, with one event per topic. */
const MESSAGES_PER_STEP = MAX_MESSAGES_GONE;

/** Messages to delete. */
interface Removal {
  /** At most {@link MESSAGES_PER_STEP}. */
  readonly messageIds: readonly number[];
  /**
   * Receives the events in addition to the usual audience. Null without a requesting user: the caller then emits a
   * channel's new first message once, after the last step.
   */
  readonly deleterId: number | null;
  /** Checks again whether they may be deleted. @returns those that may */
  readonly choose: (tx: Transaction, locked: readonly LockedMessage[]) => Promise<readonly LockedMessage[]>;
}

/** Deletes messages and everything that belongs to them. Callers check permissions. */
@Injectable()
export class RemoveMessagesService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly locks: MessageLocksService,
    private readonly audiences: MessageAudienceService,
    private readonly hooks: Hooks,
    private readonly stored: MessageRowsService,
    private readonly topics: TopicRowsService,
    private readonly channelRows: ChannelRowsService,
    private readonly holds: LegalHoldsService,
  ) {}

  /** Deletes messages in a separate transaction. @returns how many */
  remove({ messageIds, deleterId, choose }: Removal): Promise<number> {
    const isFirstAmong = this.channelRows.isAnyFirst(messageIds);
    return this.transactions.runUpgradable(isFirstAmong, async (tx) => {
      await this.holds.settle(tx);
      const locked = await this.locks.lock(tx, messageIds, { purpose: 'delete' });
      const chosen = await choose(tx, locked);
      if (chosen.length === 0) return 0;
      await this.tell(tx, chosen, deleterId);
      await this.deleteRows(tx, chosen);
      for (const [channelId] of groups(chosen, (message) => message.channelId)) {
        const isOther = await this.channelRows.renewFirst(tx, channelId);
        if (isOther && deleterId !== null) await this.channelRows.tellFirst(tx, channelId);
      }
      return chosen.length;
    });
  }

  private async deleteRows(tx: Transaction, messages: readonly LockedMessage[]): Promise<void> {
    const ids = idsOf(messages);
    await this.hooks.run(messagesDeleted, tx, ids);
    await tx.repository(MessageEdit).delete({ messageId: In(ids) });
    await this.stored.remove(tx, ids, groups(messages, (message) => message.conversationId).keys());
    for (const [topicId, gone] of groups(messages, (message) => message.topicId)) {
      await this.topics.count(tx, topicId, -gone.length);
    }
  }

  private async tell(
    tx: Transaction,
    messages: readonly LockedMessage[],
    deleterId: number | null,
  ): Promise<void> {
    const deleter = deleterId === null ? Audience.none : Audience.of([deleterId]);
    for (const [topicId, gone] of groups(messages, (message) => message.topicId)) {
      const { channelId, name: topic } = await this.topics.byId(tx, topicId);
      const audience = (await this.audiences.ofAll(tx, gone)).union(deleter);
      tx.emit(channelMessagesGone(idsOf(gone), { channelId, topic }), audience);
    }
    for (const [, gone] of groups(messages, (message) => message.conversationId)) {
      const audience = (await this.audiences.ofAll(tx, gone)).union(deleter);
      tx.emit(directMessagesGone(idsOf(gone)), audience);
    }
  }
}

function idsOf(messages: readonly LockedMessage[]): number[] {
  return messages.map(({ id }) => id);
}

/** Groups the messages by a key; those with a null key are omitted. */
function groups(
  messages: readonly LockedMessage[],
  keyOf: (message: LockedMessage) => number | null,
): Map<number, LockedMessage[]> {
  const found = new Map<number, LockedMessage[]>();
  for (const message of messages) {
    const key = keyOf(message);
    if (key === null) continue;
    addTo(found, key, message);
  }
  return found;
}

/** After this time the caller is asked to repeat the request. */
const BUDGET_MS = 20_000;

/** Largest ID that the column can store. */
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
    private readonly holds: LegalHoldsService,
    private readonly forgetting: ForgetTopicService,
    private readonly clock: Clock,
    private readonly audit: AuditLog,
  ) {}

  /**
   * @throws Unauthorized, InvalidMessage, MayNotDeleteMessage, TooLateToDelete, MessageAlreadyDeleted, MessageHeld
   */
  async deleteMessage(actor: Actor, messageId: number): Promise<void> {
    await this.check(this.database.read, actor, messageId);
    await this.removing.remove({
      messageIds: [messageId],
      deleterId: actor.userId,
      choose: async (tx, locked) => {
        if (locked.length === 0) throw new MessageAlreadyDeleted();
        const current = this.users.current(actor);
        const { senderId } = await this.check(tx, current, messageId);
        await this.requireFree(tx, [messageId]);
        // Deleting one's own message affects nobody else, so it is not recorded.
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
   * @throws InvalidChannelId; MessageHeld, before anything is deleted unless the hold is placed meanwhile;
   * Unauthorized, MustBeAdministrator if the actor is no longer an administrator
   */
  async deleteTopic(actor: Actor, channelId: number, topicName: string): Promise<boolean> {
    const channel = this.channelAccess.forContent(actor, channelId);
    const topic = this.texts.topic(topicName);
    await this.requireTopicFree(actor, channel.id, topic);
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

  /** @throws MessageHeld */
  private async requireFree(tx: Transaction, messageIds: readonly number[]): Promise<void> {
    const held = await this.holds.heldAmong(tx, messageIds);
    if (held.size > 0) throw new MessageHeld();
  }

  /** Checks the whole topic, so that a hold does not leave it partly deleted. @throws MessageHeld */
  private async requireTopicFree(actor: Actor, channelId: number, topic: string): Promise<void> {
    const held = await this.holds.condition(this.database.read);
    if (held === null) return;
    const { sql, values } = this.inTopic(actor, channelId, topic);
    const found = await this.database.background.query(`SELECT m.id ${sql} AND (${held.sql}) LIMIT 1`, [
      ...values,
      ...held.values,
    ]);
    if (found.length > 0) throw new MessageHeld();
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
        await this.requireFree(tx, idsOf(chosen));
        const details = { topic_id: row.id, messages: chosen.length };
        this.audit.record(tx, current, 'channel.topic_deleted', { id: channelId }, details);
        return chosen;
      },
    });
  }

  /** The messages `m` of the topic that the actor can see. */
  private inTopic(actor: Actor, channelId: number, topic: string): SqlCondition {
    const reach = this.access.withinReach(actor, [channelId]);
    return condition(
      `FROM topic t JOIN message m ON m.topic_id = t.id
       WHERE t.channel_id = ? AND t.name_key = ? AND (${reach.sql})`,
      channelId,
      topicKey(topic),
      ...reach.values,
    );
  }

  /** The newest messages of the topic, up to an ID, that the actor can see. */
  private async upTo(actor: Actor, channelId: number, topic: string, newest: number): Promise<number[]> {
    const { sql, values } = this.inTopic(actor, channelId, topic);
    const rows = await this.database.read.query<{ id: number }>(
      `SELECT m.id ${sql} AND m.id <= ? ORDER BY m.id DESC LIMIT ?`,
      [...values, newest, MESSAGES_PER_STEP],
    );
    return rows.map(({ id }) => id);
  }
}
