import { Injectable } from '@nestjs/common';
import { type Actor, type Caller, isAdministrator, isGuest, isOwner, Role } from '../../../platform/actor';
import type { Transaction } from '../../../platform/database/transaction.service';
import { MustBeAdministrator, MustBeOwner } from '../../../platform/errors/shared.errors';
import { Audience } from '../../../platform/events/audience';
import type { EmitOptions } from '../../../platform/events/server-event';
import { AuditLog } from '../../audit/audit.module';
import {
  ChannelAccess,
  ChannelDirectory,
  type ChannelRecord,
  ChannelRecordsService,
  channelsAppeared,
  channelsDisappeared,
  defaultChannelGroupsReplaced,
  DefaultChannelGroupsStateService,
  defaultChannelsReplaced,
  FOR_ARCHIVED_CHANNELS,
  GuestVisibilityService,
  peersSubscribed,
  SubscriptionDirectory,
} from '../../channels/channels.module';
import { type Requester, SystemGroupService } from '../../user-groups/user-groups.module';
import {
  type Account,
  AccountChanges,
  AccountDirectory,
  type AccountRecord,
  actorOf,
  seesDeliveryEmail,
  userUpdated,
  UserVisibility,
  type Viewer,
} from '../../users/users.module';
import { BotVisibilityService } from '../bots/bots.service';
import { LastOwnerMustStay } from '../membership.api';

/**
 * Protects the accounts without which the organization could not continue. Must be used inside an exclusive
 * transaction, in which memory equals the database: of two owners who leave concurrently, the second is refused.
 */
@Injectable()
export class OrganizationOwners {
  constructor(private readonly accounts: AccountDirectory) {}

  /** Whether the account is the only active one, counting bots. */
  isOnlyUser(account: AccountRecord): boolean {
    return this.accounts.active.size === 1 && account.isActive;
  }

  /** Whether the account is the only active person who is an owner. */
  isOnlyOwner(account: Pick<AccountRecord, 'id' | 'role' | 'isBot' | 'isActive'>): boolean {
    return isActiveOwner(account) && this.accounts.all().filter(isActiveOwner).length === 1;
  }

  /**
   * The actor for requests from outside, such as from a company's directory: has the rights of an owner; the audit log
   * records the source.
   */
  actorFor(caller: Caller): Actor {
    const owner = this.accounts.all().find(isActiveOwner);
    if (!owner) throw new Error('The organization has no owner.');
    return actorOf(owner, caller);
  }
}

function isActiveOwner(account: Pick<AccountRecord, 'role' | 'isBot' | 'isActive'>): boolean {
  return isOwner(account) && !account.isBot && account.isActive;
}

/** A person before a change of role, and after it with the groups of the new role. */
interface RoleChange {
  readonly before: Requester;
  readonly after: Requester;
  readonly audience: Audience;
}

/** Channels with the same subscribers. */
interface SubscribedChannels {
  readonly channelIds: readonly number[];
  readonly subscribers: Audience;
}

/**
 * Emits what becomes visible or invisible when a person's role changes. Guests do not see public channels, and see only
 * some people; administrators see private channels and all bots; only some roles see addresses.
 */
@Injectable()
export class RoleVisibilityService {
  constructor(
    private readonly channels: ChannelDirectory,
    private readonly access: ChannelAccess,
    private readonly records: ChannelRecordsService,
    private readonly subscriptions: SubscriptionDirectory,
    private readonly accounts: AccountDirectory,
    private readonly visibility: UserVisibility,
    private readonly guests: GuestVisibilityService,
    private readonly bots: BotVisibilityService,
    private readonly channelGroups: DefaultChannelGroupsStateService,
  ) {}

  /**
   * @param after the person with the new role and its groups
   * @param roleBefore the old role
   */
  async emitChanges(tx: Transaction, after: Requester, roleBefore: Role): Promise<void> {
    const before: Requester = { userId: after.userId, role: roleBefore };
    const change = { before, after, audience: Audience.of([after.userId]) };
    this.emitChannels(tx, change, false);
    this.emitChannels(tx, change, true);
    if (isGuest(before) !== isGuest(after)) await this.emitDefaultChannels(tx, change);
    await this.emitPeople(tx, before, after);
    if (isAdministrator(before) !== isAdministrator(after)) await this.bots.roleChanged(tx, after);
  }

  /** Only some clients support archived channels. */
  private emitChannels(tx: Transaction, { before, after, audience }: RoleChange, archived: boolean): void {
    const options: EmitOptions = archived ? FOR_ARCHIVED_CHANNELS : {};
    const sees = (who: Requester, channel: ChannelRecord) => this.access.hasMetadataAccess(who, channel);
    const channels = this.channels.all().filter(({ isArchived }) => isArchived === archived);
    const gained = channels.filter((channel) => sees(after, channel) && !sees(before, channel));
    const lost = channels.filter((channel) => !sees(after, channel) && sees(before, channel));
    if (gained.length > 0) {
      tx.emit(channelsAppeared(gained.map((channel) => this.records.record(channel))), audience, options);
    }
    for (const { channelIds, subscribers } of this.bySubscribers(gained)) {
      tx.emit(peersSubscribed(channelIds, [...subscribers.ids()]), audience, options);
    }
    if (lost.length > 0) {
      tx.emit(channelsDisappeared(lost.map((channel) => channel.id)), audience, options);
    }
  }

  /**
   * Groups channels by their subscribers: many have everyone as a subscriber, and their long lists would be written for
   * each. Channels without subscribers are omitted.
   */
  private bySubscribers(channels: readonly ChannelRecord[]): Iterable<SubscribedChannels> {
    const found = new Map<string, { readonly channelIds: number[]; readonly subscribers: Audience }>();
    for (const { id } of channels) {
      const subscribers = this.subscriptions.subscribersOf(id);
      if (subscribers.size === 0) continue;
      const same = found.get(subscribers.hash());
      if (same) same.channelIds.push(id);
      else found.set(subscribers.hash(), { channelIds: [id], subscribers });
    }
    return found.values();
  }

  /** Empty for guests. */
  private async emitDefaultChannels(tx: Transaction, { after, audience }: RoleChange): Promise<void> {
    tx.emit(defaultChannelsReplaced(isGuest(after) ? [] : this.channels.defaultIds()), audience);
    const groups = await this.channelGroups.list(tx);
    if (groups.length === 0) return;
    tx.emit(defaultChannelGroupsReplaced(isGuest(after) ? [] : groups), audience);
  }

  /** People, and their addresses. */
  private async emitPeople(tx: Transaction, before: Viewer, after: Viewer): Promise<void> {
    // The restriction of guests in general, since memory does not show the groups of the new role yet.
    const isRestricted = this.visibility.isRestricted(null);
    if (!isRestricted || isGuest(before) === isGuest(after)) {
      this.emitAddresses(tx, before, after, () => true);
      return;
    }
    const partners = await this.visibility.partnersOf(tx, after.userId);
    if (isGuest(after)) await this.guests.emitSeePartners(tx, [after.userId]);
    this.emitAddresses(tx, before, after, (userId) => partners.has(userId));
    if (isGuest(before)) await this.guests.emitSeeAll(tx, [after.userId], after.role);
  }

  /** @param isKnown whether the person sees an account before and after the change */
  private emitAddresses(
    tx: Transaction,
    before: Viewer,
    after: Viewer,
    isKnown: (userId: number) => boolean,
  ): void {
    for (const account of this.accounts.all()) {
      if (!isKnown(account.id)) continue;
      const isShown = seesDeliveryEmail(after, account);
      if (isShown === seesDeliveryEmail(before, account)) continue;
      const person = { user_id: account.id, delivery_email: isShown ? account.deliveryEmail : null };
      tx.emit(userUpdated({ person }), Audience.of([after.userId]));
    }
  }
}

/** Changes roles, for administrators; only owners promote or demote owners. */
@Injectable()
export class ChangeRoleService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly owners: OrganizationOwners,
    private readonly changes: AccountChanges,
    private readonly systemGroups: SystemGroupService,
    private readonly visibility: RoleVisibilityService,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Changes the row; the caller saves it. Anyone with a bot's key can act as the bot, so bots above a demoted owner are
   * demoted too; bots that are owners, only if an owner makes the change.
   * @throws MustBeOwner, MustBeAdministrator, LastOwnerMustStay
   */
  async change(tx: Transaction, actor: Actor, row: Account, role: Role): Promise<void> {
    const before = row.role;
    if (role === before) return;
    const concernsOwners = role === Role.owner || before === Role.owner;
    if (concernsOwners && !isOwner(actor)) throw new MustBeOwner();
    if (!isAdministrator(actor)) throw new MustBeAdministrator();
    if (this.owners.isOnlyOwner(row)) throw new LastOwnerMustStay();
    await this.put(tx, actor, row, role);
    const bots = this.accounts.all().filter(({ botOwnerId }) => botOwnerId === row.id);
    for (const bot of bots.filter((each) => isOwner(actor) || !isOwner(each))) {
      const botRow = await this.changes.load(tx, bot.id);
      await this.lower(tx, actor, botRow, role);
      await this.changes.save(tx, botRow);
    }
  }

  /** Reduces the rights of an account to those of the role; the caller saves the row. */
  async lower(tx: Transaction, actor: Actor, row: Account, role: Role): Promise<void> {
    if (row.role < role) await this.put(tx, actor, row, role);
  }

  private async put(tx: Transaction, actor: Actor, row: Account, role: Role): Promise<void> {
    const before = row.role;
    row.role = role;
    this.audit.record(tx, actor, 'user.role_changed', { userId: row.id }, { from: before, to: role });
    await this.changes.announce(tx, row, { role });
    const placement = { userId: row.id, role, dateJoined: row.dateJoined };
    await this.systemGroups.place(tx, placement, row.isActive ? this.accounts.active : Audience.none);
    if (!row.isActive) return;
    const after = { userId: row.id, role, groupIds: this.systemGroups.groupsOncePlaced(placement) };
    await this.visibility.emitChanges(tx, after, before);
  }
}
