import { Injectable } from '@nestjs/common';
import { isAdministrator, isGuest, type Actor } from '../../../platform/actor';
import { RawJson } from '../../../platform/http/envelope.interceptor';
import type { Requester } from '../../user-groups/user-groups.module';
import { UserAccess } from '../../users/users.module';
import { ChannelAccess } from '../access/channel.access';
import { ChannelDirectory, type ChannelRecord, SubscriptionDirectory } from '../store/channel.directory';
import { ChannelRecordsService } from '../store/channel-records.service';
import { QueryNotAuthorized } from '../store/channels.api';
import type { ChannelWire, ListedChannelWire } from '../store/channel-records.api';

/** Which channels to list; a channel is listed if any of the choices includes it. */
export interface ChannelSelection {
  readonly isPublic: boolean;
  readonly isWebPublic: boolean;
  readonly isSubscribed: boolean;
  /** For bots: channels that the owner is subscribed to. */
  readonly isOwnerSubscribed: boolean;
  readonly isDefault: boolean;
  readonly hasContentAccess: boolean;
  readonly hasMetadataAccess: boolean;
  /** For administrators: every channel. */
  readonly isActive: boolean;
  /** Leaves out archived channels, whatever else is chosen. */
  readonly excludesArchived: boolean;
}

type Choice = (channel: ChannelRecord) => boolean;

/** Reads channels for people who may see them. */
@Injectable()
export class ListChannelsService {
  constructor(
    private readonly channels: ChannelDirectory,
    private readonly subscriptions: SubscriptionDirectory,
    private readonly users: UserAccess,
    private readonly access: ChannelAccess,
    private readonly records: ChannelRecordsService,
  ) {}

  /**
   * The selected channels, sorted by the code points of their names. A request for default channels also adds to each
   * channel whether it is one.
   * @throws QueryNotAuthorized
   */
  list(actor: Actor, selection: ChannelSelection): RawJson<ListedChannelWire[]> {
    if (selection.isActive && !isAdministrator(actor)) throw new QueryNotAuthorized();
    const choices = this.choices(actor, selection);
    const texts: string[] = [];
    for (const channel of this.channels.all()) {
      if (channel.isArchived && selection.excludesArchived) continue;
      if (this.access.isBeyondLimit(actor, channel.id)) continue;
      if (!choices.some((takes) => takes(channel))) continue;
      const text = this.records.json(channel);
      texts.push(selection.isDefault ? withDefault(text, channel.isDefault) : text);
    }
    return new RawJson(`[${texts.join(',')}]`);
  }

  /** All channels that a person sees. @param who null for a person without an account */
  visible(who: Requester | null, withArchived: boolean): RawJson<ListedChannelWire[]> {
    const texts: string[] = [];
    for (const channel of this.channels.all()) {
      if (channel.isArchived && !withArchived) continue;
      if (this.access.hasMetadataAccess(who, channel)) texts.push(this.records.json(channel));
    }
    return new RawJson(`[${texts.join(',')}]`);
  }

  /** @throws InvalidChannelId */
  one(actor: Actor, channelId: number): ChannelWire {
    return this.records.record(this.access.forMetadata(actor, channelId, { archived: true }));
  }

  /** Finds only channels whose content the caller can read, like Zulip. @throws InvalidChannelName */
  idOf(actor: Actor, name: string): number {
    return this.access.forContentByName(actor, name).id;
  }

  /** IDs of the subscribers, ascending. @throws InvalidChannelId */
  subscribers(actor: Actor, channelId: number): number[] {
    const channel = this.access.forMetadata(actor, channelId, { archived: true });
    return [...this.subscriptions.subscribersOf(channel.id).ids()];
  }

  /** @throws NoSuchUser, InsufficientPermission for a person who is not visible, InvalidChannelId */
  async isSubscribed(actor: Actor, userId: number, channelId: number): Promise<boolean> {
    await this.users.forReading(actor, userId);
    const channel = this.access.forMetadata(actor, channelId, { archived: true });
    return this.subscriptions.isSubscribed(userId, channel.id);
  }

  /**
   * IDs of the channels that a person is subscribed to, ascending, except archived ones and those that the caller does
   * not see.
   * @throws NoSuchUser, InsufficientPermission for a person who is not visible
   */
  async channelsOf(actor: Actor, userId: number): Promise<number[]> {
    await this.users.forReading(actor, userId);
    return [...this.subscriptions.channelsOf(userId)]
      .filter((id) => {
        const channel = this.channels.byId(id);
        return channel && !channel.isArchived && this.access.hasMetadataAccess(actor, channel);
      })
      .sort((a, b) => a - b);
  }

  private choices(actor: Actor, selection: ChannelSelection): Choice[] {
    const sees: Choice = (channel) => this.access.hasMetadataAccess(actor, channel);
    if (selection.isActive || selection.hasMetadataAccess) return [sees];
    const choices: Choice[] = [];
    if (selection.hasContentAccess) {
      choices.push((channel) => this.access.hasContentAccess(actor, channel));
    } else {
      if (selection.isPublic && !isGuest(actor)) choices.push((channel) => !channel.isPrivate);
      if (selection.isWebPublic) choices.push((channel) => channel.isWebPublic && !channel.isArchived);
      if (selection.isSubscribed) choices.push(this.subscribedBy(actor.userId));
    }
    if (selection.isOwnerSubscribed && actor.isBot && actor.ownerId !== null) {
      choices.push(this.subscribedBy(actor.ownerId));
    }
    if (selection.isDefault) choices.push((channel) => channel.isDefault && sees(channel));
    return choices;
  }

  private subscribedBy(userId: number): Choice {
    const channelIds = this.subscriptions.channelsOf(userId);
    return (channel) => channelIds.has(channel.id);
  }
}

/** Adds a key to a record that is already JSON. */
function withDefault(record: string, isDefault: boolean): string {
  return `${record.slice(0, -1)},"is_default":${isDefault}}`;
}
