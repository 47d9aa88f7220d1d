import type { Actor } from '../../platform/actor';
import type { Transaction } from '../../platform/database/transaction.service';
import { defineHook } from '../../platform/hooks/hook';
import type { ChannelRecord } from './store/channel.directory';
import type { ChannelState } from './store/channel-settings.service';

/** A channel and the people whose subscription to it just started or ended, ascending by ID. */
export interface SubscriptionChange {
  readonly channel: ChannelRecord;
  readonly userIds: readonly number[];
}

/** New channels, each with its first subscribers. */
export interface ChannelsCreated {
  readonly actor: Actor;
  readonly created: readonly SubscriptionChange[];
  /** Whether the notification bot announces them. */
  readonly announce: boolean;
}

/** People who were subscribed to existing channels; may include the actor. */
export interface UsersSubscribed {
  readonly actor: Actor;
  readonly subscriptions: readonly SubscriptionChange[];
  /** Whether the notification bot notifies them. */
  readonly tellUsers: boolean;
}

/** People whose subscriptions ended; may include the actor. */
export interface UsersUnsubscribed {
  readonly actor: Actor;
  readonly removals: readonly SubscriptionChange[];
}

/**
 * A channel whose name, description, privacy, permissions or other properties changed. Includes archiving and
 * unarchiving.
 */
export interface ChannelChanged {
  readonly actor: Actor;
  readonly before: ChannelState;
  readonly after: ChannelState;
}

// Hooks about changes run inside the exclusive transaction of the change, after its rows and events are written: the
// directories in memory still show the previous state, and an error rolls everything back.

/** Channels were created. */
export const channelsCreated = defineHook<[tx: Transaction, change: ChannelsCreated]>('channelsCreated');

/** People were subscribed to existing channels. */
export const usersSubscribed = defineHook<[tx: Transaction, change: UsersSubscribed]>('usersSubscribed');

/** Subscriptions ended. */
export const usersUnsubscribed =
  defineHook<[tx: Transaction, change: UsersUnsubscribed]>('usersUnsubscribed');

/** A channel was changed, archived or unarchived. */
export const channelChanged = defineHook<[tx: Transaction, change: ChannelChanged]>('channelChanged');

/** Asks whether a channel, whose row is locked, has named topics. It has if any listener returns true. */
export const namedTopicsSought = defineHook<[tx: Transaction, channelId: number], boolean>(
  'namedTopicsSought',
);
