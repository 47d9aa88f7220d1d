import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import type { Transaction } from '../../platform/database/transaction.service';
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
  /** Whether the notification bot is to announce them (spec, endpoint 1). */
  readonly announce: boolean;
}

/** People who were subscribed to channels that existed before; the actor may be among them. */
export interface UsersSubscribed {
  readonly actor: Actor;
  readonly subscriptions: readonly SubscriptionChange[];
  /** Whether the notification bot is to tell them (reference 1.7). */
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

/**
 * What a higher feature does when channels change, such as posting notices and marking messages read.
 * Called inside the exclusive transaction of the change, after its rows and events are written: the
 * directories in memory still show the state before, and an error undoes everything.
 */
export interface ChannelObserver {
  usersSubscribed?(tx: Transaction, change: UsersSubscribed): Promise<void>;
  channelsCreated?(tx: Transaction, change: ChannelsCreated): Promise<void>;
  usersUnsubscribed?(tx: Transaction, change: UsersUnsubscribed): Promise<void>;
  channelChanged?(tx: Transaction, change: ChannelChanged): Promise<void>;
}

/** Where observers of channels register themselves. They are called in the order of registration. */
@Injectable()
export class ChannelObserverRegistry implements Required<ChannelObserver> {
  private readonly observers: ChannelObserver[] = [];

  register(observer: ChannelObserver): void {
    this.observers.push(observer);
  }

  async usersSubscribed(tx: Transaction, change: UsersSubscribed): Promise<void> {
    for (const observer of this.observers) await observer.usersSubscribed?.(tx, change);
  }

  async channelsCreated(tx: Transaction, change: ChannelsCreated): Promise<void> {
    for (const observer of this.observers) await observer.channelsCreated?.(tx, change);
  }

  async usersUnsubscribed(tx: Transaction, change: UsersUnsubscribed): Promise<void> {
    for (const observer of this.observers) await observer.usersUnsubscribed?.(tx, change);
  }

  async channelChanged(tx: Transaction, change: ChannelChanged): Promise<void> {
    for (const observer of this.observers) await observer.channelChanged?.(tx, change);
  }
}
