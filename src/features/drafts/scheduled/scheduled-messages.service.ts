import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { initialState, stateFor } from '../../../platform/client-state/initial-state.hooks';
import { Clock } from '../../../platform/clock';
import { Database } from '../../../platform/database/database.service';
import { Audience } from '../../../platform/events/audience';
import { Hooks } from '../../../platform/hooks/hooks';
import { MessageTextService } from '../../messages/messages.module';
import { contentErased, OwnTransactions, personalDataRemoved } from '../../users/users.module';
import {
  CheckScheduledService,
  ScheduledMessageRowsService,
  type WantedMessage,
} from './scheduled-message-rows.service';
import type { ScheduledMessage } from '../drafts.entity';
import {
  DeliveryTimeNotInFuture,
  NothingToReschedule,
  RecipientRequired,
  scheduledMessageRemoved,
  scheduledMessagesAdded,
  ScheduledMessageSent,
  scheduledMessageUpdated,
  scheduledMessageWire,
  type ScheduledMessageWire,
  TopicRequired,
} from './scheduled-messages.api';

/** A message, and when to send it. */
export interface NewScheduledMessage extends WantedMessage {
  /** UNIX seconds. */
  readonly deliverAt: number;
}

/** Changes to a scheduled message; omitted properties do not change. */
export type ScheduledMessageChange = Partial<Omit<NewScheduledMessage, 'isReadBySender'>>;

/** Schedules, changes and cancels messages for people. */
@Injectable()
export class ScheduledMessagesService {
  constructor(
    private readonly database: Database,
    private readonly transactions: OwnTransactions,
    private readonly rows: ScheduledMessageRowsService,
    private readonly checks: CheckScheduledService,
    private readonly texts: MessageTextService,
    private readonly clock: Clock,
    hooks: Hooks,
  ) {
    hooks.on(
      initialState,
      stateFor('scheduled_messages', async (db, { reader }) => ({
        scheduled_messages: reader ? (await rows.of(db, reader)).map(scheduledMessageWire) : [],
      })),
    );
    hooks.on(personalDataRemoved, async (tx, userId) => {
      await rows.removeAll(tx, userId);
    });
    hooks.on(contentErased, async (tx, userId) => ({
      scheduled_messages: await rows.removeAll(tx, userId),
    }));
  }

  /** Ordered by due time. */
  async list(actor: Actor): Promise<ScheduledMessageWire[]> {
    return (await this.rows.of(this.database.read, actor)).map(scheduledMessageWire);
  }

  /** @returns its ID @throws DeliveryTimeNotInFuture, the errors of CheckScheduledService, and those of limits */
  async schedule(actor: Actor, { deliverAt, ...wanted }: NewScheduledMessage): Promise<number> {
    this.checkTime(deliverAt);
    const checked = await this.checks.check(actor, wanted);
    return this.transactions.run(actor, async (tx) => {
      const message = { userId: actor.userId, ...checked, deliverAt, hasFailed: false };
      const saved = await this.rows.schedule(tx, { ...message, clientName: actor.clientName });
      const scheduled_messages = [scheduledMessageWire(saved)];
      tx.emit(scheduledMessagesAdded({ scheduled_messages }), Audience.of([actor.userId]));
      return saved.id;
    });
  }

  /**
   * Clients rely on the order of the checks.
   * @throws NothingToReschedule, RecipientRequired, TopicRequired, DeliveryTimeNotInFuture, ScheduledMessageNotFound,
   * ScheduledMessageSent, and the errors of CheckScheduledService
   */
  async edit(actor: Actor, id: number, change: ScheduledMessageChange): Promise<void> {
    const { kind, to, topic, deliverAt } = change;
    if (Object.values(change).every((each) => each === undefined)) throw new NothingToReschedule();
    if (kind !== undefined && to === undefined) throw new RecipientRequired();
    if (kind === 'channel' && topic === undefined) throw new TopicRequired();
    if (deliverAt !== undefined) this.checkTime(deliverAt);
    const known = await this.rows.own(this.database.read, actor, id);
    if (known.hasFailed && deliverAt === undefined) throw new DeliveryTimeNotInFuture();
    const changed = await this.changed(actor, known, change);
    await this.transactions.run(actor, async (tx) => {
      const current = await this.rows.lock(tx, actor, id);
      const time = { deliverAt: deliverAt ?? current.deliverAt, hasFailed: false };
      const message = { ...current, ...changed, ...time, clientName: actor.clientName };
      const scheduled_message = scheduledMessageWire(await this.rows.schedule(tx, message));
      tx.emit(scheduledMessageUpdated({ scheduled_message }), Audience.of([actor.userId]));
    });
  }

  /**
   * Deletes a scheduled message. One that was sent in the meantime stays sent, and only leaves the list. @throws
   * ScheduledMessageNotFound
   */
  remove(actor: Actor, id: number): Promise<void> {
    return this.transactions.run(actor, async (tx) => {
      try {
        await this.rows.lock(tx, actor, id);
        await this.rows.remove(tx, [id]);
      } catch (error) {
        if (!(error instanceof ScheduledMessageSent)) throw error;
        await this.rows.forgetSent(tx, actor, id);
      }
      tx.emit(scheduledMessageRemoved({ scheduled_message_id: id }), Audience.of([actor.userId]));
    });
  }

  /** A topic alone is not checked against what may be sent there: that is done when it is sent. */
  private async changed(
    actor: Actor,
    known: ScheduledMessage,
    { kind, to, topic, content }: ScheduledMessageChange,
  ): Promise<Partial<ScheduledMessage>> {
    if (to === undefined && content === undefined) {
      if (topic === undefined || known.channelId === null) return {};
      this.texts.checkTopic(topic);
      return { topic: this.texts.topic(topic) };
    }
    const { channelId, isReadBySender } = known;
    const wanted = {
      kind: kind ?? (channelId === null ? 'direct' : 'channel'),
      to: to ?? channelId ?? (JSON.parse(known.recipientIds) as number[]),
      topic: topic ?? known.topic,
      content: content ?? known.content,
      isReadBySender,
    } as const;
    const checked = await this.checks.check(actor, wanted);
    return content === undefined ? { ...checked, renderedContent: known.renderedContent } : checked;
  }

  private checkTime(deliverAt: number): void {
    if (deliverAt * 1000 <= this.clock.nowMs()) throw new DeliveryTimeNotInFuture();
  }
}
