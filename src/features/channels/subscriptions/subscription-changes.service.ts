import { Injectable } from '@nestjs/common';
import { groupBy } from '../../../platform/collections';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import type { EmitOptions, ServerEvent } from '../../../platform/events/server-event';
import { Hooks } from '../../../platform/hooks/hooks';
import { AccountDirectory } from '../../users/users.module';
import { FOR_ARCHIVED_CHANNELS, peersSubscribed, peersUnsubscribed } from '../store/channel-records.api';
import { type ChannelRecord, lockChannels } from '../store/channel.directory';
import { SubscriptionPeriod } from '../store/channel.entity';
import { messageCountsPort } from '../store/messages.hooks';

/** The people who joined or left a channel, and everyone who sees the channel. */
export interface PeerChange {
  readonly channel: Pick<ChannelRecord, 'id' | 'isPrivate' | 'isArchived'>;
  /** Ascending. */
  readonly userIds: readonly number[];
  readonly viewers: Audience;
}

type Send = (event: ServerEvent, audience: Audience) => void;

type PeerEvent = (channelIds: readonly number[], userIds: readonly number[]) => ServerEvent;

/**
 * Emits joins and departures to other users who see a channel: one event for a person in several public channels,
 * otherwise one per channel.
 */
@Injectable()
export class PeerEventsService {
  constructor(private readonly accounts: AccountDirectory) {}

  emitAdded(tx: Transaction, changes: readonly PeerChange[]): void {
    this.emit(tx, changes, peersSubscribed);
  }

  emitRemoved(tx: Transaction, changes: readonly PeerChange[]): void {
    this.emit(tx, changes, peersUnsubscribed);
  }

  private emit(tx: Transaction, changes: readonly PeerChange[], event: PeerEvent): void {
    for (const archived of [false, true]) {
      const some = changes.filter(({ channel }) => channel.isArchived === archived);
      this.emitSome(tx, some, event, archived ? FOR_ARCHIVED_CHANNELS : {});
    }
  }

  private emitSome(
    tx: Transaction,
    changes: readonly PeerChange[],
    event: PeerEvent,
    options: EmitOptions,
  ): void {
    const send = (sent: ServerEvent, audience: Audience) => {
      if (audience.size > 0) tx.emit(sent, audience, options);
    };
    const open = changes.filter(({ channel }) => !channel.isPrivate);
    const people = new Set(open.flatMap(({ userIds }) => userIds));
    const [person] = people;
    if (people.size === 1 && person !== undefined) this.emitForOne(send, open, person, event);
    const single = people.size === 1 ? changes.filter(({ channel }) => channel.isPrivate) : changes;
    for (const change of single) send(event([change.channel.id], change.userIds), receivers(change, event));
  }

  /** Members see all of the public channels, guests only some: guests get separate events if that matters. */
  private emitForOne(send: Send, changes: readonly PeerChange[], userId: number, event: PeerEvent): void {
    const alike = [...groupBy(changes, ({ viewers }) => viewers.hash()).values()];
    const [all] = alike;
    if (all && alike.length === 1) {
      send(event(channelIds(all), [userId]), (all[0] as PeerChange).viewers.without([userId]));
      return;
    }
    const { members } = this.accounts;
    send(event(channelIds(changes), [userId]), members.without([userId]));
    for (const group of alike) {
      const guests = (group[0] as PeerChange).viewers.without(members.ids());
      send(event(channelIds(group), [userId]), guests.without([userId]));
    }
  }
}

/**
 * People receive no event about themselves, except if several leave together and still see the channel: nothing else
 * informs them about the others.
 */
function receivers({ userIds, viewers }: PeerChange, event: PeerEvent): Audience {
  return event === peersUnsubscribed && userIds.length > 1 ? viewers : viewers.without(userIds);
}

function channelIds(changes: readonly PeerChange[]): number[] {
  return changes.map(({ channel }) => channel.id).sort((a, b) => a - b);
}

/**
 * Stores the ranges of message IDs during which people were subscribed. A person receives what is sent to a channel
 * while their period is open, so sending writes nothing per reader.
 */
@Injectable()
export class SubscriptionPeriodService {
  constructor(private readonly hooks: Hooks) {}

  /** Starts a period with the next message for those of the people who are subscribed; none may be open. */
  async open(tx: Transaction, channelIds: readonly number[], userIds: readonly number[]): Promise<void> {
    await this.lock(tx, channelIds);
    await tx.query(
      `INSERT INTO subscription_period (user_id, channel_id, first_message_id)
       SELECT user_id, channel_id, ? FROM subscription
       WHERE user_id IN (?) AND channel_id IN (?) AND is_active = ?`,
      [(await this.newestMessageId(tx)) + 1, userIds, channelIds, true],
    );
  }

  /** Ends open periods with the newest message. Deletes those in which nothing was sent. */
  async close(tx: Transaction, channelIds: readonly number[], userIds: readonly number[]): Promise<void> {
    await this.lock(tx, channelIds);
    const newest = await this.newestMessageId(tx);
    await tx.query(
      `DELETE FROM subscription_period
       WHERE user_id IN (?) AND channel_id IN (?) AND last_message_id IS NULL AND first_message_id > ?`,
      [userIds, channelIds, newest],
    );
    await tx.query(
      `UPDATE subscription_period SET last_message_id = ?
       WHERE user_id IN (?) AND channel_id IN (?) AND last_message_id IS NULL`,
      [newest, userIds, channelIds],
    );
  }

  /** Waits for messages that are being sent to the channels; new ones wait for this transaction. */
  lock(tx: Transaction, channelIds: readonly number[]): Promise<void> {
    return lockChannels(tx, channelIds, 'alone');
  }

  /** Deletes the periods of a deleted person. */
  async removeAll(tx: Transaction, userId: number): Promise<void> {
    await tx.repository(SubscriptionPeriod).delete({ userId });
  }

  private newestMessageId(tx: Transaction): Promise<number> {
    return this.hooks.provider(messageCountsPort)?.newestId(tx) ?? Promise.resolve(0);
  }
}
