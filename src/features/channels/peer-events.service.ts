import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction.service';
import { Audience } from '../../platform/events/audience';
import type { ServerEvent } from '../../platform/events/server-event';
import { AccountDirectory } from '../users/account.directory';
import type { ChannelRecord } from './channel.directory';
import { peersSubscribed, peersUnsubscribed } from './channels.events';
import { groupBy } from './rules/group-by';

/** Who came to or left a channel, and everybody who sees the channel. */
export interface PeerChange {
  readonly channel: Pick<ChannelRecord, 'id' | 'isPrivate'>;
  /** Ascending. */
  readonly userIds: readonly number[];
  readonly viewers: Audience;
}

type PeerEvent = (channelIds: readonly number[], userIds: readonly number[]) => ServerEvent;

/**
 * Tells those who see a channel that others came or left (reference E2, E3). The people themselves never
 * get these events. One person in several public channels is one event, everything else one per channel.
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
    const open = changes.filter(({ channel }) => !channel.isPrivate);
    const people = new Set(open.flatMap(({ userIds }) => userIds));
    const [person] = people;
    if (people.size === 1 && person !== undefined) this.emitForOne(tx, open, person, event);
    const single = people.size === 1 ? changes.filter(({ channel }) => channel.isPrivate) : changes;
    for (const { channel, userIds, viewers } of single) {
      send(tx, event([channel.id], userIds), viewers.without(userIds));
    }
  }

  /** Members see all of the public channels, guests only some: they are told apart where that matters. */
  private emitForOne(
    tx: Transaction,
    changes: readonly PeerChange[],
    userId: number,
    event: PeerEvent,
  ): void {
    const alike = [...groupBy(changes, ({ viewers }) => viewers.hash()).values()];
    const [all] = alike;
    if (all && alike.length === 1) {
      send(tx, event(channelIds(all), [userId]), (all[0] as PeerChange).viewers.without([userId]));
      return;
    }
    const { members } = this.accounts;
    send(tx, event(channelIds(changes), [userId]), members.without([userId]));
    for (const group of alike) {
      const guests = (group[0] as PeerChange).viewers.without(members.ids());
      send(tx, event(channelIds(group), [userId]), guests.without([userId]));
    }
  }
}

function channelIds(changes: readonly PeerChange[]): number[] {
  return changes.map(({ channel }) => channel.id).sort((a, b) => a - b);
}

function send(tx: Transaction, event: ServerEvent, audience: Audience): void {
  if (audience.size > 0) tx.emit(event, audience);
}
