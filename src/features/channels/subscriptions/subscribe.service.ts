import { Injectable } from '@nestjs/common';
import { type Actor, isGuest } from '../../../platform/actor';
import { type Addition, AddSubscribersService } from './add-subscribers.service';
import { RemoveSubscribersService } from './remove-subscribers.service';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { NotForGuests } from '../../../platform/errors/shared.errors';
import { Hooks } from '../../../platform/hooks/hooks';
import { AccountDirectory, type AccountRecord, UserAccess } from '../../users/users.module';
import { ChannelAccess } from '../access/channel.access';
import { type Principals, SubscribeAccess } from '../access/participation.access';
import {
  channelsCreated,
  type SubscriptionChange,
  usersSubscribed,
  usersUnsubscribed,
} from '../channels.hooks';
import {
  FindOrCreateChannelsService,
  type RenderedDescriptions,
  type WantedChannel,
} from '../creation/find-or-create-channels.service';
import type { ChannelOptions } from '../store/channel-settings.service';
import { ChannelDirectory, type ChannelRecord, SubscriptionDirectory } from '../store/channel.directory';
import {
  ChannelDoesNotExist,
  ChannelInaccessible,
  checkChannelName,
  NoSubscriptionsNamed,
} from '../store/channels.api';

/** Users to unsubscribe, and the channels. */
export interface UnsubscribeRequest {
  /** Case-insensitive; surrounding white space is ignored. */
  readonly names: readonly string[];
  readonly principals: Principals;
}

/** Names of channels, once for each affected person. */
export interface UnsubscribeAnswer {
  readonly removed: readonly string[];
  readonly not_removed: readonly string[];
}

/** Unsubscribes people from channels, including archived ones. */
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
   * All or nothing: any error rolls everything back.
   * @throws PrincipalUnknown, UserDeactivated, errors of names, InsufficientPermission, ChannelDoesNotExist
   */
  async unsubscribe(actor: Actor, request: UnsubscribeRequest): Promise<UnsubscribeAnswer> {
    return this.transactions.runExclusive((tx) =>
      this.unsubscribeWithin(tx, this.users.current(actor), request),
    );
  }

  /**
   * Like {@link unsubscribe}, as part of a larger exclusive transaction.
   * @param actor up to date
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

  /** Finds a channel by name, for people who may know about it. */
  private known(actor: Actor, name: string): ChannelRecord | undefined {
    const channel = this.channels.byName(name);
    return channel && this.channelAccess.hasMetadataAccess(actor, channel) ? channel : undefined;
  }

  /**
   * A user who leaves a private channel and loses access also removes their bots: anyone with a bot's key can read what
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

/** Users to subscribe, and the channels. */
export interface SubscribeRequest {
  readonly channels: readonly WantedChannel[];
  /** Options for channels that do not exist yet. */
  readonly options: ChannelOptions;
  readonly principals: Principals;
  readonly announce: boolean;
  /** Whether one inaccessible channel fails the request. */
  readonly isAuthorizationFatal: boolean;
  /** Whether the notification bot notifies people whom another person subscribed. */
  readonly sendMessages: boolean;
}

/** Names of channels by the user's ID. */
type NamesByUser = Record<number, string[]>;

/** The response to subscribing. */
export interface SubscribeAnswer {
  readonly subscribed: NamesByUser;
  readonly already_subscribed: NamesByUser;
  /** Set if inaccessible channels were tolerated. */
  readonly unauthorized?: readonly string[];
  /** Set if notifications were requested. */
  readonly new_subscription_messages_sent?: boolean;
}

/** With more new subscribers than this, the notification bot sends no direct messages. */
export const MAX_NOTIFIED_USERS = 100;

/** Subscribes people to channels, creating missing ones. */
@Injectable()
export class SubscribeService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly users: UserAccess,
    private readonly finder: FindOrCreateChannelsService,
    private readonly access: SubscribeAccess,
    private readonly subscribers: AddSubscribersService,
    private readonly unsubscribing: UnsubscribeService,
    private readonly hooks: Hooks,
  ) {}

  /**
   * All or nothing: any error rolls everything back. Creates channels first, then checks who may enter them, then adds
   * people.
   * @throws ApiError of names, creation, access and principals
   */
  async subscribe(actor: Actor, request: SubscribeRequest): Promise<SubscribeAnswer> {
    const rendered = this.finder.render(actor, request.channels);
    return this.transactions.runExclusive((tx) =>
      this.subscribeWithin(tx, this.users.current(actor), request, rendered),
    );
  }

  /**
   * Adds first, then removes; any error rolls both back.
   * @throws NoSubscriptionsNamed, and the errors of both
   */
  async update(
    actor: Actor,
    addition: SubscribeRequest,
    removal: UnsubscribeRequest,
  ): Promise<SubscribeAnswer & UnsubscribeAnswer> {
    if (addition.channels.length === 0 && removal.names.length === 0) throw new NoSubscriptionsNamed();
    const rendered = this.finder.render(actor, addition.channels);
    return this.transactions.runExclusive(async (tx) => {
      const current = this.users.current(actor);
      return {
        ...(await this.subscribeWithin(tx, current, addition, rendered)),
        ...(await this.unsubscribing.unsubscribeWithin(tx, current, removal)),
      };
    });
  }

  /**
   * Like {@link subscribe}, as part of a larger exclusive transaction.
   * @param actor up to date
   */
  private async subscribeWithin(
    tx: Transaction,
    actor: Actor,
    request: SubscribeRequest,
    rendered: RenderedDescriptions,
  ): Promise<SubscribeAnswer> {
    if (isGuest(actor)) throw new NotForGuests();
    const { channels, options, isAuthorizationFatal } = request;
    const names = channels.map(({ name }) => name);
    const found = await this.finder.findOrCreate(tx, actor, { wanted: channels, options, rendered });
    const { existing, created } = found;
    const unauthorized = existing.filter((channel) => !this.access.mayEnter(actor, channel));
    const [closed] = unauthorized;
    const nameOf = (channel: ChannelRecord) => this.access.nameFor(actor, channel, names);
    if (closed && isAuthorizationFatal) throw new ChannelInaccessible(nameOf(closed));
    const open = existing.filter((channel) => !unauthorized.includes(channel));
    if (this.access.namesOthers(request.principals, actor.userId)) {
      this.access.checkMayAddOthers(actor, open);
    }
    const userIds = this.access.peopleNamed(request.principals, actor.userId).map(({ id }) => id);
    const additions = [
      ...open.map((channel): Addition => ({ channel, userIds, color: colorFor(channel, channels) })),
      ...created.map((made): Addition => ({ ...made, userIds, color: colorFor(made.channel, channels) })),
    ];
    const changes = await this.subscribers.add(tx, additions);
    const isNotified = request.sendMessages && newlySubscribed(changes).size <= MAX_NOTIFIED_USERS;
    const createdIds = new Set(created.map(({ channel }) => channel.id));
    await this.notify(tx, actor, request, { changes, createdIds, isNotified });
    return {
      ...answer(additions, changes),
      ...(isAuthorizationFatal ? {} : { unauthorized: unauthorized.map(nameOf) }),
      ...(request.sendMessages ? { new_subscription_messages_sent: isNotified } : {}),
    };
  }

  private async notify(
    tx: Transaction,
    actor: Actor,
    { announce }: SubscribeRequest,
    { changes, createdIds, isNotified }: Outcome,
  ): Promise<void> {
    const subscriptions = changes.filter(({ channel }) => !createdIds.has(channel.id));
    const created = changes.filter(({ channel }) => createdIds.has(channel.id));
    if (subscriptions.length > 0) {
      await this.hooks.run(usersSubscribed, tx, { actor, subscriptions, tellUsers: isNotified });
    }
    if (created.length > 0) await this.hooks.run(channelsCreated, tx, { actor, created, announce });
  }
}

interface Outcome {
  readonly changes: readonly SubscriptionChange[];
  readonly createdIds: ReadonlySet<number>;
  readonly isNotified: boolean;
}

/** A color applies only if the name is spelled as stored, as on Zulip servers. */
function colorFor(channel: ChannelRecord, wanted: readonly WantedChannel[]): string | undefined {
  return wanted.find(({ name }) => name === channel.name)?.color;
}

function newlySubscribed(changes: readonly SubscriptionChange[]): Set<number> {
  return new Set(changes.flatMap(({ userIds }) => userIds));
}

function answer(
  additions: readonly Addition[],
  changes: readonly SubscriptionChange[],
): Pick<SubscribeAnswer, 'subscribed' | 'already_subscribed'> {
  const subscribed: NamesByUser = {};
  const already: NamesByUser = {};
  const fresh = new Map(changes.map(({ channel, userIds }) => [channel.id, new Set(userIds)]));
  for (const { channel, userIds } of additions) {
    for (const userId of userIds) {
      const names = fresh.get(channel.id)?.has(userId) ? subscribed : already;
      (names[userId] ??= []).push(channel.name);
    }
  }
  return { subscribed, already_subscribed: already };
}
