import type { Actor } from '../../platform/actor';
import type { Transaction } from '../../platform/database/transaction.service';
import { defineHook } from '../../platform/hooks/hook';
import type { ChannelRecord } from './store/channel.directory';
import type { ChannelState } from './store/channel-settings.service';

/** A channel and the people whose subscription to it just began or ended, ascending by ID. */
export interface SubscriptionChange {
  readonly channel: ChannelRecord;
  readonly userIds: readonly number[];
}

/** Channels that did not exist before, each with its first subscribers. */
export interface ChannelsCreated {
  readonly actor: Actor;
  readonly created: readonly SubscriptionChange[];
  /** Whether the notification bot is to announce them. */
  readonly announce: boolean;
}

/** People who were subscribed to channels that existed before; the actor may be among them. */
export interface UsersSubscribed {
  readonly actor: Actor;
  readonly subscriptions: readonly SubscriptionChange[];
  /** Whether the notification bot is to tell them. */
  readonly tellUsers: boolean;
}

/** People whose subscriptions ended; the actor may be among them. */
export interface UsersUnsubscribed {
  readonly actor: Actor;
  readonly removals: readonly SubscriptionChange[];
}

/**
 * A channel whose name, description, privacy, permissions or other properties are not what they were.
 * Being archived and being brought back are such changes too.
 */
export interface ChannelChanged {
  readonly actor: Actor;
  readonly before: ChannelState;
  readonly after: ChannelState;
}

// The hooks about changes run inside the exclusive transaction of the change, after its rows and events are written: the
// directories in memory still show the state before, and an error undoes everything.

/** Channels were made. */
export const channelsCreated = defineHook<[tx: Transaction, change: ChannelsCreated]>('channelsCreated');

/** People were subscribed to channels that existed before. */
export const usersSubscribed = defineHook<[tx: Transaction, change: UsersSubscribed]>('usersSubscribed');

/** Subscriptions ended. */
export const usersUnsubscribed =
  defineHook<[tx: Transaction, change: UsersUnsubscribed]>('usersUnsubscribed');

/** A channel changed, was archived or brought back. */
export const channelChanged = defineHook<[tx: Transaction, change: ChannelChanged]>('channelChanged');

/**
 * Asks whether a channel, whose row is locked, has topics with a name. One answer that it has counts.
 */
export const namedTopicsSought = defineHook<[tx: Transaction, channelId: number], boolean>(
  'namedTopicsSought',
);
