import { Injectable } from '@nestjs/common';
import { ChannelAccess, type ChannelAccessReason } from './channel.access';
import { type Actor, isAdministrator, isGuest } from '../../../platform/actor';
import { InsufficientPermission } from '../../../platform/errors/shared.errors';
import { composedName } from '../../../platform/names/visible-name';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { PermissionService, type Requester } from '../../user-groups/user-groups.module';
import { AccountDirectory, type AccountRecord, UserDeactivated } from '../../users/users.module';
import {
  EmptyTopicRefused,
  MayNotCreateTopics,
  MayNotPostInChannel,
  NamedTopicRefused,
  NotAuthorizedToSend,
  PrincipalUnknown,
} from '../store/channels.api';
import type { ChannelGroupSetting } from '../store/channel-group-settings';
import { channelNameKey, type ChannelRecord, SubscriptionDirectory } from '../store/channel.directory';

/** The sender of a message, such as an actor. Bots may send what their owners may. */
export interface Sender extends Requester {
  readonly isBot: boolean;
  readonly ownerId: number | null;
}

/** The topic of a message to send. */
interface TargetTopic {
  /** Normalized; '' for the empty topic. */
  readonly name: string;
  /** Whether it has messages already; called only if the sender may not start topics. */
  readonly exists: () => Promise<boolean>;
}

/** Decides who may post where in a channel. */
@Injectable()
export class PostingAccess {
  constructor(
    private readonly access: ChannelAccess,
    private readonly subscriptions: SubscriptionDirectory,
    private readonly accounts: AccountDirectory,
    private readonly organization: OrganizationDirectory,
  ) {}

  /** Whether {@link checkMayPost} would pass. */
  mayPost(sender: Sender, channel: ChannelRecord): boolean {
    return (
      this.holderOf(sender, channel, 'can_send_message_group') !== null &&
      this.reachGround(sender, channel) !== null
    );
  }

  /** @throws MayNotPostInChannel, NotAuthorizedToSend */
  checkMayPost(sender: Sender, channel: ChannelRecord): void {
    if (!this.holderOf(sender, channel, 'can_send_message_group')) throw new MayNotPostInChannel();
    if (this.reachGround(sender, channel) === null) throw new NotAuthorizedToSend(channel.name);
  }

  /** @throws MayNotCreateTopics, EmptyTopicRefused, NamedTopicRefused */
  async checkTopic(sender: Sender, channel: ChannelRecord, topic: TargetTopic): Promise<void> {
    if (!this.holderOf(sender, channel, 'can_create_topic_group') && !(await topic.exists())) {
      throw new MayNotCreateTopics();
    }
    const { topics_policy: initial, empty_topic_display_name: displayName } = this.organization.settings;
    const policy = channel.topicsPolicy === 'inherit' ? initial : channel.topicsPolicy;
    if (topic.name === '' && policy === 'disable_empty_topic') throw new EmptyTopicRefused(displayName);
    if (topic.name !== '' && policy === 'empty_topic_only') throw new NamedTopicRefused(displayName);
  }

  /** The sender or, for a bot, its owner, if in the group of a permission of the channel; null if neither is. */
  holderOf(sender: Sender, channel: ChannelRecord, setting: ChannelGroupSetting): Requester | null {
    if (this.access.holds(sender, channel, setting)) return sender;
    const owner = this.ownerOf(sender);
    return owner !== null && this.access.holds(owner, channel, setting) ? owner : null;
  }

  /**
   * The ground on which a sender may post to the channel, or null. Guests need a subscription unless the channel is
   * web-public. In private channels everyone needs one, unless new subscribers see the history and a permission group
   * includes the sender.
   */
  reachGround(sender: Sender, channel: ChannelRecord): ChannelAccessReason | 'subscribed owner' | null {
    if (channel.isArchived || this.access.isBeyondLimit(sender, channel.id)) return null;
    if (channel.isWebPublic) return 'web-public channel';
    if (!channel.isPrivate && !isGuest(sender)) return 'public channel';
    if (this.subscriptions.isSubscribed(sender.userId, channel.id)) return 'subscriber';
    const ground = channel.isHistoryPublicToSubscribers ? this.access.contentGround(sender, channel) : null;
    if (ground !== null) return ground;
    const owner = this.ownerOf(sender);
    return owner !== null && this.subscriptions.isSubscribed(owner.userId, channel.id)
      ? 'subscribed owner'
      : null;
  }

  private ownerOf(sender: Sender): Requester | null {
    const owner = sender.isBot && sender.ownerId !== null ? this.accounts.byId(sender.ownerId) : undefined;
    return owner ? { userId: owner.id, role: owner.role } : null;
  }
}

/** The people in a request, by IDs or by API addresses. Empty and absent both mean the caller. */
export type Principals = readonly number[] | readonly string[];

/** Finds the people named in a request, and decides who may subscribe and unsubscribe whom. */
@Injectable()
export class SubscribeAccess {
  constructor(
    private readonly access: ChannelAccess,
    private readonly permissions: PermissionService,
    private readonly accounts: AccountDirectory,
  ) {}

  /**
   * Whether a request names anyone but the caller. The caller's own address counts as another person; only the ID does
   * not.
   */
  namesOthers(principals: Principals, callerId: number): boolean {
    return principals.some((principal) => principal !== callerId);
  }

  /**
   * The accounts, without duplicates; all must be valid.
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

  /** The name of a channel for a response to the person: the stored one if they may know it, or as they wrote it. */
  nameFor(actor: Actor, channel: ChannelRecord, names: readonly string[]): string {
    if (this.access.hasMetadataAccess(actor, channel)) return channel.name;
    const isMeant = (name: string) =>
      [name, composedName(name)].some((form) => channelNameKey(form) === channel.nameKey);
    return names.map((name) => name.trim()).find(isMeant) ?? '';
  }

  /**
   * People who can enter the channels may add others if a permission of the organization or of every channel allows it.
   * @throws InsufficientPermission
   */
  checkMayAddOthers(actor: Actor, channels: readonly ChannelRecord[]): void {
    const allowed = channels.every((channel) => this.additionGround(actor, channel) !== null);
    if (!allowed) throw new InsufficientPermission();
  }

  /** The ground on which a person who can enter a channel may add others, or null. */
  additionGround(who: Requester, channel: ChannelRecord): ChannelAccessReason | 'organization' | null {
    if (this.permissions.allowsInOrganization(who, 'can_add_subscribers_group')) return 'organization';
    const administration = this.access.administrationGround(who, channel);
    if (administration !== null) return administration;
    return this.access.holds(who, channel, 'can_add_subscribers_group') ? 'can_add_subscribers_group' : null;
  }

  /** The ground on which a person may remove others from a channel, or null. */
  removalGround(who: Requester, channel: ChannelRecord): ChannelAccessReason | null {
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
   * Anyone may unsubscribe. Others may be removed (a) by administrators of the organization, (b) by the owner of a bot,
   * from channels the owner sees, (c) by users who see all the channels and are in each one's
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
