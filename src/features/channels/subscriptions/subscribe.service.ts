import { Injectable } from '@nestjs/common';
import { isGuest, type Actor } from '../../../platform/actor';
import { TransactionService, type Transaction } from '../../../platform/database/transaction.service';
import { NotForGuests } from '../../../platform/errors/shared.errors';
import { UserAccess } from '../../users/users.module';
import { AddSubscribersService, type Addition } from './add-subscribers.service';
import type { ChannelRecord } from '../store/channel.directory';
import { Hooks } from '../../../platform/hooks/hooks';
import { channelsCreated, type SubscriptionChange, usersSubscribed } from '../channels.hooks';
import type { ChannelOptions } from '../store/channel-options';
import { ChannelInaccessible, NoSubscriptionsNamed } from '../store/channel-errors.api';
import { UnsubscribeService, type UnsubscribeAnswer, type UnsubscribeRequest } from './unsubscribe.service';
import {
  FindOrCreateChannelsService,
  type RenderedDescriptions,
  type WantedChannel,
} from '../creation/find-or-create-channels.service';
import { type Principals, SubscribeAccess } from '../access/subscribe.access';

/** Who is to be subscribed to what. */
export interface SubscribeRequest {
  readonly channels: readonly WantedChannel[];
  /** For channels that do not exist yet. */
  readonly options: ChannelOptions;
  readonly principals: Principals;
  readonly announce: boolean;
  /** Whether one channel out of reach fails the request. */
  readonly isAuthorizationFatal: boolean;
  /** Whether the notification bot tells people that another person subscribed them. */
  readonly sendMessages: boolean;
}

/** Names of channels by the user's ID. */
type NamesByUser = Record<number, string[]>;

/** What subscribing answers. */
export interface SubscribeAnswer {
  readonly subscribed: NamesByUser;
  readonly already_subscribed: NamesByUser;
  /** Only where channels out of reach were tolerated. */
  readonly unauthorized?: readonly string[];
  /** Only where messages were asked for. */
  readonly new_subscription_messages_sent?: boolean;
}

/** Above this number of new subscribers, the notification bot sends no direct messages. */
export const MAX_TOLD_USERS = 100;

/** Subscribes people to channels, and makes the channels that do not exist. */
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
   * Does everything or, on any error, nothing. Channels are made first, then comes who may enter them, then who is added.
   * @throws ApiError of names, creation, access and principals
   */
  async subscribe(actor: Actor, request: SubscribeRequest): Promise<SubscribeAnswer> {
    const rendered = this.finder.render(actor, request.channels);
    return this.transactions.runExclusive((tx) =>
      this.subscribeWithin(tx, this.users.current(actor), request, rendered),
    );
  }

  /**
   * Adds first, then removes; does both or, on any error, nothing.
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
   * Like {@link subscribe}, as a part of a larger exclusive transaction.
   * @param actor as of now
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
    const isTold = request.sendMessages && newlySubscribed(changes).size <= MAX_TOLD_USERS;
    const createdIds = new Set(created.map(({ channel }) => channel.id));
    await this.notify(tx, actor, request, { changes, createdIds, isTold });
    return {
      ...answer(additions, changes),
      ...(isAuthorizationFatal ? {} : { unauthorized: unauthorized.map(nameOf) }),
      ...(request.sendMessages ? { new_subscription_messages_sent: isTold } : {}),
    };
  }

  private async notify(
    tx: Transaction,
    actor: Actor,
    { announce }: SubscribeRequest,
    { changes, createdIds, isTold }: Outcome,
  ): Promise<void> {
    const subscriptions = changes.filter(({ channel }) => !createdIds.has(channel.id));
    const created = changes.filter(({ channel }) => createdIds.has(channel.id));
    if (subscriptions.length > 0) {
      await this.hooks.run(usersSubscribed, tx, { actor, subscriptions, tellUsers: isTold });
    }
    if (created.length > 0) await this.hooks.run(channelsCreated, tx, { actor, created, announce });
  }
}

interface Outcome {
  readonly changes: readonly SubscriptionChange[];
  readonly createdIds: ReadonlySet<number>;
  readonly isTold: boolean;
}

/** A colour counts where the name is spelled as it is stored, as on other servers of this interface. */
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
