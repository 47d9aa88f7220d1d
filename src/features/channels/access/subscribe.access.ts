import { Injectable } from '@nestjs/common';
import { isAdministrator, type Actor } from '../../../platform/actor';
import { InsufficientPermission } from '../../../platform/errors/shared.errors';
import { PermissionService, type Requester } from '../../user-groups/user-groups.module';
import { AccountDirectory, type AccountRecord, UserDeactivated } from '../../users/users.module';
import { PrincipalUnknown } from '../store/channel-errors.api';
import { ChannelAccess, type ChannelGround } from './channel.access';
import { composedName } from '../../../platform/names/visible-name';
import { channelNameKey, type ChannelRecord } from '../store/channel.directory';

/** People that a request is about, by IDs or by API addresses. Empty and absent both mean the caller. */
export type Principals = readonly number[] | readonly string[];

/** Finds the people that a request names, and decides who may subscribe and unsubscribe whom. */
@Injectable()
export class SubscribeAccess {
  constructor(
    private readonly access: ChannelAccess,
    private readonly permissions: PermissionService,
    private readonly accounts: AccountDirectory,
  ) {}

  /**
   * Whether a request is about anyone but the caller. The caller's own address counts as another person,
   * only the ID does not.
   */
  namesOthers(principals: Principals, callerId: number): boolean {
    return principals.some((principal) => principal !== callerId);
  }

  /**
   * The accounts, each once; all have to be valid.
   * @throws PrincipalUnknown, UserDeactivated
   */
  peopleNamed(principals: Principals, callerId: number): AccountRecord[] {
    const named = principals.length === 0 ? [callerId] : principals;
    const found = new Set<AccountRecord>();
    for (const principal of named) {
      const account =
        typeof principal === 'number' ? this.accounts.byId(principal) : this.accounts.byApiEmail(principal);
      if (!account || account.isSystemBot) throw new PrincipalUnknown();
      if (!account.isActive) throw new UserDeactivated();
      found.add(account);
    }
    return [...found];
  }

  /** Subscribing oneself or others requires content access, which administrators do not get by their role. */
  mayEnter(actor: Actor, channel: ChannelRecord): boolean {
    return this.access.hasContentAccess(actor, channel);
  }

  /** The name of a channel as the person may know it: as it is stored, or as they wrote it. */
  nameFor(actor: Actor, channel: ChannelRecord, names: readonly string[]): string {
    if (this.access.hasMetadataAccess(actor, channel)) return channel.name;
    const isMeant = (name: string) =>
      [name, composedName(name)].some((form) => channelNameKey(form) === channel.nameKey);
    return names.map((name) => name.trim()).find(isMeant) ?? '';
  }

  /**
   * People who can enter the channels may add others by a permission of the organization or of each of them.
   * @throws InsufficientPermission
   */
  checkMayAddOthers(actor: Actor, channels: readonly ChannelRecord[]): void {
    const allowed = channels.every((channel) => this.additionGround(actor, channel) !== null);
    if (!allowed) throw new InsufficientPermission();
  }

  /** What lets a person who can enter a channel add others, or null. */
  additionGround(who: Requester, channel: ChannelRecord): ChannelGround | 'organization' | null {
    if (this.permissions.allowsInOrganization(who, 'can_add_subscribers_group')) return 'organization';
    const administration = this.access.administrationGround(who, channel);
    if (administration !== null) return administration;
    return this.access.holds(who, channel, 'can_add_subscribers_group') ? 'can_add_subscribers_group' : null;
  }

  /** What lets a person remove others from a channel, or null. */
  removalGround(who: Requester, channel: ChannelRecord): ChannelGround | null {
    if (isAdministrator(who)) return 'administrator';
    const removes =
      this.access.hasMetadataAccess(who, channel) &&
      this.access.holds(who, channel, 'can_remove_subscribers_group');
    return removes ? 'can_remove_subscribers_group' : null;
  }

  /** Whether an account is a bot of the person. */
  isOwnBot(who: Requester, account: AccountRecord): boolean {
    return account.isBot && account.botOwnerId === who.userId;
  }

  /**
   * Anyone may leave. Others may be removed (a) by administrators of the organization, (b) by the owner of a bot, from
   * channels the owner sees, (c) by users who see all the channels and are in each one's
   * `can_remove_subscribers_group`.
   * @throws InsufficientPermission
   */
  checkMayRemove(actor: Actor, accounts: readonly AccountRecord[], channels: readonly ChannelRecord[]): void {
    const others = accounts.filter((account) => account.id !== actor.userId);
    if (others.length === 0) return;
    if (channels.every((channel) => this.removalGround(actor, channel) !== null)) return;
    const ownBots = others.every((account) => this.isOwnBot(actor, account));
    const seesAll = channels.every((channel) => this.access.hasMetadataAccess(actor, channel));
    if (!ownBots || !seesAll) throw new InsufficientPermission();
  }
}
