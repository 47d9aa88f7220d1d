import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { TransactionService, type Transaction } from '../../../platform/database/transaction.service';
import { AccountDirectory, type AccountRecord, UserAccess } from '../../users/users.module';
import { ChannelAccess } from '../access/channel.access';
import { ChannelDirectory, type ChannelRecord } from '../store/channel.directory';
import { SubscriptionDirectory } from '../store/subscription.directory';
import { Hooks } from '../../../platform/hooks/hooks';
import { type SubscriptionChange, usersUnsubscribed } from '../channels.hooks';
import { ChannelDoesNotExist } from '../store/channel-errors.api';
import { RemoveSubscribersService } from './remove-subscribers.service';
import { checkChannelName } from '../store/channel-name';
import { type Principals, SubscribeAccess } from '../access/subscribe.access';

/** Who is to be unsubscribed from what. */
export interface UnsubscribeRequest {
  /** In any case, with any white space around. */
  readonly names: readonly string[];
  readonly principals: Principals;
}

/** Names of channels, once for each person they concern. */
export interface UnsubscribeAnswer {
  readonly removed: readonly string[];
  readonly not_removed: readonly string[];
}

/** Unsubscribes people from channels, archived ones included. */
@Injectable()
export class UnsubscribeService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly users: UserAccess,
    private readonly channels: ChannelDirectory,
    private readonly access: SubscribeAccess,
    private readonly channelAccess: ChannelAccess,
    private readonly accounts: AccountDirectory,
    private readonly subscriptions: SubscriptionDirectory,
    private readonly subscribers: RemoveSubscribersService,
    private readonly hooks: Hooks,
  ) {}

  /**
   * Does everything or, on any error, nothing.
   * @throws PrincipalUnknown, UserDeactivated, errors of names, InsufficientPermission, ChannelDoesNotExist
   */
  async unsubscribe(actor: Actor, request: UnsubscribeRequest): Promise<UnsubscribeAnswer> {
    return this.transactions.runExclusive((tx) =>
      this.unsubscribeWithin(tx, this.users.current(actor), request),
    );
  }

  /**
   * Like {@link unsubscribe}, as a part of a larger exclusive transaction.
   * @param actor as of now
   */
  async unsubscribeWithin(
    tx: Transaction,
    actor: Actor,
    { names, principals }: UnsubscribeRequest,
  ): Promise<UnsubscribeAnswer> {
    const accounts = this.access.peopleNamed(principals, actor.userId);
    const trimmed = names.map((name) => (this.channels.byName(name) ? name.trim() : checkChannelName(name)));
    const known = (name: string) => this.known(actor, name);
    const channels = [...new Set(trimmed.flatMap((name) => known(name) ?? []))];
    this.access.checkMayRemove(actor, accounts, channels);
    const missing = trimmed.find((name) => !known(name));
    if (missing !== undefined) throw new ChannelDoesNotExist(missing);
    const userIds = idsOf(accounts);
    const departures: SubscriptionChange[] = [];
    for (const channel of channels) departures.push(await this.departure(tx, channel, userIds));
    const removals = await this.subscribers.remove(tx, departures);
    if (removals.length > 0) await this.hooks.run(usersUnsubscribed, tx, { actor, removals });
    const named = new Set(userIds);
    const left = new Map(
      removals.map((removal) => [removal.channel.id, removal.userIds.filter((id) => named.has(id)).length]),
    );
    return {
      removed: channels.flatMap(({ id, name }) => repeat(name, left.get(id) ?? 0)),
      not_removed: channels.flatMap(({ id, name }) => repeat(name, userIds.length - (left.get(id) ?? 0))),
    };
  }

  /** A channel by its name, for people who can know of it. */
  private known(actor: Actor, name: string): ChannelRecord | undefined {
    const channel = this.channels.byName(name);
    return channel && this.channelAccess.hasMetadataAccess(actor, channel) ? channel : undefined;
  }

  /**
   * A user who leaves a private channel and loses access takes their bots along: anyone with a bot's key can read what
   * the bot reads. Deactivated bots are not subscribed when they are reactivated.
   */
  private async departure(
    tx: Transaction,
    channel: ChannelRecord,
    userIds: readonly number[],
  ): Promise<SubscriptionChange> {
    const owners = new Set(userIds.filter((userId) => this.wouldBeShutOut(userId, channel)));
    if (owners.size === 0) return { channel, userIds };
    const bots = this.accounts
      .all()
      .filter(({ id, botOwnerId }) => botOwnerId !== null && owners.has(botOwnerId) && !userIds.includes(id));
    const isIn = ({ id }: AccountRecord) => this.subscriptions.isSubscribed(id, channel.id);
    const suspended = bots.filter(({ isActive }) => !isActive);
    await this.subscribers.endSuspended(tx, channel, idsOf(suspended));
    return { channel, userIds: [...userIds, ...idsOf(bots.filter(isIn))] };
  }

  private wouldBeShutOut(userId: number, channel: ChannelRecord): boolean {
    if (!channel.isPrivate || !this.subscriptions.isSubscribed(userId, channel.id)) return false;
    const { role } = this.accounts.existing(userId);
    return this.channelAccess.readingGround({ userId, role }, channel) === null;
  }
}

function repeat(name: string, times: number): string[] {
  return Array.from({ length: times }, () => name);
}

function idsOf(accounts: readonly AccountRecord[]): number[] {
  return accounts.map(({ id }) => id);
}
