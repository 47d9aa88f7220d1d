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

/** What opens a channel to a person: a fact about them and the channel, or a permission of the channel. */
export type ChannelGround =
  'administrator' | 'subscriber' | 'public channel' | 'web-public channel' | ChannelGroupSetting;

/** Which channels a look-up may return. */
export interface ChannelLookup {
  /** Whether archived channels are found as well; by default they are not. */
  readonly archived?: boolean;
}

/**
 * Decides who reaches which channel. Content access opens messages and topics, metadata
 * access the name and settings. Look-ups return the channel or fail with the error the caller should
 * see, which is the same for a channel that does not exist and for one out of reach. A channel beyond the limit of the
 * caller's API key is out of reach.
 */
@Injectable()
export class ChannelAccess {
  constructor(
    private readonly channels: ChannelDirectory,
    private readonly subscriptions: SubscriptionDirectory,
    private readonly permissions: PermissionService,
    private readonly organization: OrganizationDirectory,
  ) {}

  /** @param who null for a person without an account, who reads web-public channels where that is offered */
  hasContentAccess(who: Requester | null, channel: ChannelRecord): boolean {
    if (who === null) return channel.isWebPublic && !channel.isArchived && this.webPublicChannelsOffered;
    return this.contentGround(who, channel) !== null;
  }

  /** What gives a person content access, or null. */
  contentGround(who: Requester, channel: ChannelRecord): ChannelGround | null {
    if (this.isBeyondLimit(who, channel.id)) return null;
    if (this.subscriptions.isSubscribed(who.userId, channel.id)) return 'subscriber';
    return this.readingGround(who, channel);
  }

  /** What gives a person content access without a subscription, or null. */
  readingGround(who: Requester, channel: ChannelRecord): ChannelGround | null {
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

  /** What gives a person metadata access, or null. */
  metadataGround(who: Requester, channel: ChannelRecord): ChannelGround | null {
    if (this.isBeyondLimit(who, channel.id)) return null;
    if (this.subscriptions.isSubscribed(who.userId, channel.id)) return 'subscriber';
    return this.seeingGround(who, channel);
  }

  /**
   * Whether a channel is none of those to which the caller's API key is limited.
   * @param channelId null for direct messages, which are none of them either
   */
  isBeyondLimit({ limit }: Requester, channelId: number | null): boolean {
    const ids = limit?.channelIds ?? null;
    return ids !== null && (channelId === null || !ids.has(channelId));
  }

  /** Whether a person is in the group that a permission of the channel names. */
  holds(who: Requester, channel: ChannelRecord, setting: ChannelGroupSetting): boolean {
    const definition = CHANNEL_GROUP_SETTINGS[setting];
    return this.permissions.allows(who, channel[definition.property], definition);
  }

  /** What {@link holds} answers, and why. */
  explainHolding(who: Requester, channel: ChannelRecord, setting: ChannelGroupSetting): Explanation {
    const definition = CHANNEL_GROUP_SETTINGS[setting];
    const { allowed, chain } = this.permissions.explain(who, channel[definition.property], definition);
    return { allowed, chain: [setting, ...chain] };
  }

  /** Administrators of the organization administer every channel. */
  administers(who: Requester, channel: ChannelRecord): boolean {
    return this.administrationGround(who, channel) !== null;
  }

  /** What lets a person administer the channel, or null. */
  administrationGround(who: Requester, channel: ChannelRecord): ChannelGround | null {
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

  /** The channel for a person who changes its settings. @throws InvalidChannelId, MayNotAdministerChannel */
  forAdministration(who: Requester, channelId: number, lookup?: ChannelLookup): ChannelRecord {
    const channel = this.forMetadata(who, channelId, lookup);
    if (!this.administers(who, channel)) throw new MayNotAdministerChannel();
    return channel;
  }

  private seeingGround(who: Requester, channel: ChannelRecord): ChannelGround | null {
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
