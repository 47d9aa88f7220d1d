import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { TransactionService, type Transaction } from '../../../platform/database/transaction.service';
import { UserAccess } from '../../users';
import { ChannelDirectory } from '../store/channel.directory';
import { Hooks } from '../../../platform/hooks/hooks';
import { usersUnsubscribed } from '../channels.hooks';
import { ChannelDoesNotExist } from '../channels.errors';
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
    const channels = [...new Set(trimmed.flatMap((name) => this.channels.byName(name) ?? []))];
    this.access.checkMayRemove(actor, accounts, channels);
    const missing = trimmed.find((name) => !this.channels.byName(name));
    if (missing !== undefined) throw new ChannelDoesNotExist(missing);
    const userIds = accounts.map(({ id }) => id);
    const removals = await this.subscribers.remove(tx, channels, userIds);
    if (removals.length > 0) await this.hooks.run(usersUnsubscribed, tx, { actor, removals });
    const left = new Map(removals.map((removal) => [removal.channel.id, removal.userIds.length]));
    return {
      removed: channels.flatMap(({ id, name }) => repeat(name, left.get(id) ?? 0)),
      not_removed: channels.flatMap(({ id, name }) => repeat(name, userIds.length - (left.get(id) ?? 0))),
    };
  }
}

function repeat(name: string, times: number): string[] {
  return Array.from({ length: times }, () => name);
}
