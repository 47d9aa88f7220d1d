import { Injectable } from '@nestjs/common';
import { isAdministrator, isGuest } from '../../../platform/actor';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { type Explanation, PermissionService, type Requester } from '../../user-groups/user-groups.module';
import { ChannelDirectory, type ChannelRecord, SubscriptionDirectory } from '../store/channel.directory';
import {
  CHANNEL_GROUP_SETTINGS,
  CONTENT_SETTINGS,
  METADATA_SETTINGS,
  type ChannelGroupSetting,
} from '../store/channel-group-settings';
import { InvalidChannelId, InvalidChannelName, MayNotAdministerChannel } from '../store/channels.api';

/** The reason why a channel is open to a person: a fact about them and the channel, or a permission of the channel. */
export type ChannelAccessReason =
  'administrator' | 'subscriber' | 'public channel' | 'web-public channel' | ChannelGroupSetting;

/** Which channels a lookup may return. */
export interface ChannelLookup {
  /** Whether to include archived channels; false by default. */
  readonly archived?: boolean;
}

/**
 * Decides who can access which channel. Content access covers messages and topics, metadata access the name and
 * settings. Lookups return the channel or throw the error that the caller should see, which is the same for a channel
 * that does not exist and for one that is not accessible. A channel beyond the limit of the caller's API key is not
 * accessible.
 */
@Injectable()
export class ChannelAccess {
  constructor(
    private readonly channels: ChannelDirectory,
    private readonly subscriptions: SubscriptionDirectory,
    private readonly permissions: PermissionService,
    private readonly organization: OrganizationDirectory,
  ) {}

  /** @param who null for a person without an account, who can read web-public channels if the organization allows it */
  hasContentAccess(who: Requester | null, channel: ChannelRecord): boolean {
    if (who === null) return channel.isWebPublic && !channel.isArchived && this.webPublicChannelsOffered;
    return this.contentGround(who, channel) !== null;
  }

  /** The ground for a person's content access, or null. */
  contentGround(who: Requester, channel: ChannelRecord): ChannelAccessReason | null {
    if (this.isBeyondLimit(who, channel.id)) return null;
    if (this.subscriptions.isSubscribed(who.userId, channel.id)) return 'subscriber';
    return this.readingGround(who, channel);
  }

  /** The ground for a person's content access without a subscription, or null. */
  readingGround(who: Requester, channel: ChannelRecord): ChannelAccessReason | null {
    if (this.isBeyondLimit(who, channel.id)) return null;
    if (channel.isWebPublic) return 'web-public channel';
    if (isGuest(who)) return null;
    return channel.isPrivate ? this.firstHeld(who, channel, CONTENT_SETTINGS) : 'public channel';
  }

  /** @param who null for a person without an account */
  hasMetadataAccess(who: Requester | null, channel: ChannelRecord): boolean {
    if (who === null) return this.hasContentAccess(who, channel);
    return this.metadataGround(who, channel) !== null;
  }

  /** The ground for a person's metadata access, or null. */
  metadataGround(who: Requester, channel: ChannelRecord): ChannelAccessReason | null {
    if (this.isBeyondLimit(who, channel.id)) return null;
    if (this.subscriptions.isSubscribed(who.userId, channel.id)) return 'subscriber';
    return this.seeingGround(who, channel);
  }

  /**
   * Whether a channel is outside the channels to which the caller's API key is limited.
   * @param channelId null for direct messages, which are always outside
   */
  isBeyondLimit({ limit }: Requester, channelId: number | null): boolean {
    const ids = limit?.channelIds ?? null;
    return ids !== null && (channelId === null || !ids.has(channelId));
  }

  /** Whether a person is in the group of a permission of the channel. */
  holds(who: Requester, channel: ChannelRecord, setting: ChannelGroupSetting): boolean {
    const definition = CHANNEL_GROUP_SETTINGS[setting];
    return this.permissions.allows(who, channel[definition.property], definition);
  }

  /** The result of {@link holds}, with the reason. */
  explainHolding(who: Requester, channel: ChannelRecord, setting: ChannelGroupSetting): Explanation {
    const definition = CHANNEL_GROUP_SETTINGS[setting];
    const { allowed, chain } = this.permissions.explain(who, channel[definition.property], definition);
    return { allowed, chain: [setting, ...chain] };
  }

  /** Administrators of the organization administer every channel. */
  administers(who: Requester, channel: ChannelRecord): boolean {
    return this.administrationGround(who, channel) !== null;
  }

  /** The ground on which a person may administer the channel, or null. */
  administrationGround(who: Requester, channel: ChannelRecord): ChannelAccessReason | null {
    if (this.isBeyondLimit(who, channel.id)) return null;
    if (isAdministrator(who)) return 'administrator';
    return this.firstHeld(who, channel, ['can_administer_channel_group']);
  }

  /** Whether server and organization let people without an account read web-public channels. */
  get webPublicChannelsOffered(): boolean {
    return this.organization.isOpenToSpectators;
  }

  /** @throws InvalidChannelId */
  forContent(who: Requester | null, channelId: number, lookup?: ChannelLookup): ChannelRecord {
    const channel = this.find(channelId, lookup);
    if (!channel || !this.hasContentAccess(who, channel)) throw new InvalidChannelId();
    return channel;
  }

  /** @throws InvalidChannelId */
  forMetadata(who: Requester | null, channelId: number, lookup?: ChannelLookup): ChannelRecord {
    const channel = this.find(channelId, lookup);
    if (!channel || !this.hasMetadataAccess(who, channel)) throw new InvalidChannelId();
    return channel;
  }

  /** @throws InvalidChannelName */
  forContentByName(who: Requester | null, name: string): ChannelRecord {
    const channel = this.findByName(name);
    if (!channel || !this.hasContentAccess(who, channel)) throw new InvalidChannelName(name);
    return channel;
  }

  /** Loads the channel for a person who changes its settings. @throws InvalidChannelId, MayNotAdministerChannel */
  forAdministration(who: Requester, channelId: number, lookup?: ChannelLookup): ChannelRecord {
    const channel = this.forMetadata(who, channelId, lookup);
    if (!this.administers(who, channel)) throw new MayNotAdministerChannel();
    return channel;
  }

  private seeingGround(who: Requester, channel: ChannelRecord): ChannelAccessReason | null {
    if (isAdministrator(who)) return 'administrator';
    return this.readingGround(who, channel) ?? this.firstHeld(who, channel, METADATA_SETTINGS);
  }

  private firstHeld(
    who: Requester,
    channel: ChannelRecord,
    settings: readonly ChannelGroupSetting[],
  ): ChannelGroupSetting | null {
    return settings.find((setting) => this.holds(who, channel, setting)) ?? null;
  }

  private find(channelId: number, lookup: ChannelLookup = {}): ChannelRecord | undefined {
    const channel = this.channels.byId(channelId);
    return channel?.isArchived && !lookup.archived ? undefined : channel;
  }

  private findByName(name: string): ChannelRecord | undefined {
    const channel = this.channels.byName(name);
    return channel?.isArchived ? undefined : channel;
  }
}
