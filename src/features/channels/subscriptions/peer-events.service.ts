import { Injectable } from '@nestjs/common';
import { groupBy } from '../../../platform/collections';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import type { EmitOptions, ServerEvent } from '../../../platform/events/server-event';
import { AccountDirectory } from '../../users/users.module';
import type { ChannelRecord } from '../store/channel.directory';
import { FOR_ARCHIVED_CHANNELS, peersSubscribed, peersUnsubscribed } from '../store/channel-records.api';

/** Who came to or left a channel, and everybody who sees the channel. */
export interface PeerChange {
  readonly channel: Pick<ChannelRecord, 'id' | 'isPrivate' | 'isArchived'>;
  /** Ascending. */
  readonly userIds: readonly number[];
  readonly viewers: Audience;
}

type Send = (event: ServerEvent, audience: Audience) => void;

type PeerEvent = (channelIds: readonly number[], userIds: readonly number[]) => ServerEvent;

/**
 * Emits subscriptions and departures to other users who see a channel: one event for a person in several public
 * channels, otherwise one per channel.
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

  /** Members see all of the public channels, guests only some: they are told apart where that matters. */
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
 * People do not hear of themselves. Only where several leave together and still see the channel, they have to: nothing
 * else tells them of the others.
 */
function receivers({ userIds, viewers }: PeerChange, event: PeerEvent): Audience {
  return event === peersUnsubscribed && userIds.length > 1 ? viewers : viewers.without(userIds);
}

function channelIds(changes: readonly PeerChange[]): number[] {
  return changes.map(({ channel }) => channel.id).sort((a, b) => a - b);
}
