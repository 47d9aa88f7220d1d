import { Injectable } from '@nestjs/common';
import { type Actor, isAdministrator, isOwner } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import type { Transaction } from '../../../platform/database/transaction.service';
import { InsufficientPermission, MustBeOwner } from '../../../platform/errors/shared.errors';
import { Audience } from '../../../platform/events/audience';
import { insertEntity } from '../../../platform/sql/entity-rows';
import type { Queryable } from '../../../platform/sql/queryable';
import { AuditLog } from '../../audit/audit.module';
import { PermissionService } from '../../user-groups/user-groups.module';
import { AccountDirectory } from '../../users/users.module';
import { ChannelAccess } from '../access/channel.access';
import { ChannelAudienceService } from '../store/channel-audience.service';
import {
  channelsAppeared,
  type ChannelSettingValues,
  defaultChannelsReplaced,
} from '../store/channel-records.api';
import { ChannelRecordsService, DescriptionRenderer } from '../store/channel-records.service';
import {
  type ChannelOptions,
  ChannelSettingsService,
  type ChannelState,
  historyIsPublic,
} from '../store/channel-settings.service';
import { ChannelDirectory, channelNameKey, type ChannelRecord } from '../store/channel.directory';
import { Channel, ChannelFolder } from '../store/channel.entity';
import {
  checkChannelName,
  DefaultChannelCannotBePrivate,
  InvalidChannelFolder,
  InvalidPrivacy,
  UnsupportedCombination,
  WebPublicChannelsDisabled,
} from '../store/channels.api';

const DELETE_SETTINGS = ['can_delete_any_message_group', 'can_delete_own_message_group'] as const;

/** Decides who may create which channels: permissions first, then privacy. Clients receive the first error. */
@Injectable()
export class ChannelCreationAccess {
  constructor(
    private readonly permissions: PermissionService,
    private readonly access: ChannelAccess,
    private readonly settings: ChannelSettingsService,
  ) {}

  /**
   * Validates the options that are checked even if no channel has to be created.
   * @throws InvalidChannelFolder, InsufficientPermission
   */
  async checkOptions(db: Queryable, actor: Actor, options: ChannelOptions): Promise<void> {
    if (options.folderId !== null) {
      const folders = await db.repository(ChannelFolder).find({ select: { id: true } });
      if (!folders.some(({ id }) => id === options.folderId)) throw new InvalidChannelFolder();
    }
    if (options.topicsPolicy === 'inherit') return;
    if (!this.permissions.allowsInOrganization(actor, 'can_set_topics_policy_group')) {
      throw new InsufficientPermission();
    }
  }

  /**
   * Checks whether a person may create channels with these options.
   * @returns all permissions of such a channel
   * @throws InsufficientPermission, MustBeOwner, and errors of the options themselves
   */
  checkMayCreate(actor: Actor, options: ChannelOptions): ChannelSettingValues {
    const values = this.settings.complete(options.groupSettings, actor.userId);
    this.checkDeletePermissions(actor, values);
    this.checkTopicCreation(options);
    this.checkPrivacy(actor, options);
    if (options.isWebPublic) this.checkWebPublic(actor, options);
    if (options.messageRetentionDays !== null && !isOwner(actor)) throw new MustBeOwner();
    return values;
  }

  private checkDeletePermissions(actor: Actor, values: ChannelSettingValues): void {
    const asked = DELETE_SETTINGS.some((setting) => values[setting] !== this.settings.nobody);
    if (asked && !this.permissions.allowsInOrganization(actor, 'can_set_delete_message_policy_group')) {
      throw new InsufficientPermission();
    }
  }

  /** With protected history, people cannot know which topics exist, so everyone must be able to start one. */
  private checkTopicCreation(options: ChannelOptions): void {
    const chosen = options.groupSettings.can_create_topic_group;
    if (chosen === undefined || historyIsPublic(options) || this.settings.isEveryone(chosen)) return;
    throw new UnsupportedCombination('history_public_to_subscribers', 'can_create_topic_group');
  }

  private checkPrivacy(actor: Actor, { isPrivate, isDefault }: ChannelOptions): void {
    const needed = isPrivate ? 'can_create_private_channel_group' : 'can_create_public_channel_group';
    if (!this.permissions.allowsInOrganization(actor, needed)) throw new InsufficientPermission();
    if (isDefault && !isAdministrator(actor)) throw new InsufficientPermission();
    if (isDefault && isPrivate) throw new DefaultChannelCannotBePrivate();
  }

  private checkWebPublic(actor: Actor, { isPrivate }: ChannelOptions): void {
    if (!this.access.webPublicChannelsOffered) throw new WebPublicChannelsDisabled();
    if (!this.permissions.allowsInOrganization(actor, 'can_create_web_public_channel_group')) {
      throw new InsufficientPermission();
    }
    if (isPrivate) throw new InvalidPrivacy();
  }
}

/** A channel as named in a request. */
export interface WantedChannel {
  readonly name: string;
  /** Markdown; used only for a new channel. */
  readonly description?: string;
  /** Color of new subscriptions; used only if the name is spelled as stored. */
  readonly color?: string;
}

/** HTML by Markdown. */
export type RenderedDescriptions = ReadonlyMap<string, string>;

/** Channels named in a request, and the options for those to create. */
interface ChannelsRequest {
  readonly wanted: readonly WantedChannel[];
  readonly options: ChannelOptions;
  /** The result of {@link FindOrCreateChannelsService.render}. */
  readonly rendered: RenderedDescriptions;
}

/** Existing and newly created channels, each once. */
interface FoundChannels {
  readonly existing: readonly ChannelRecord[];
  /** Not in the directories before the commit. */
  readonly created: readonly ChannelState[];
}

/** A channel to create. */
interface DescribedChannel {
  /** Validated and not taken. */
  readonly name: string;
  readonly description: string;
  /** HTML. */
  readonly renderedDescription: string;
}

/** The properties that channels created together share. */
interface NewChannelSetup {
  readonly options: ChannelOptions;
  /** Complete and validated. */
  readonly settings: ChannelSettingValues;
  /** Null without a creator. */
  readonly creatorId: number | null;
}

/** Finds channels by name, including archived ones, and creates missing ones. */
@Injectable()
export class FindOrCreateChannelsService {
  constructor(
    private readonly channels: ChannelDirectory,
    private readonly access: ChannelCreationAccess,
    private readonly channelAccess: ChannelAccess,
    private readonly accounts: AccountDirectory,
    private readonly settings: ChannelSettingsService,
    private readonly records: ChannelRecordsService,
    private readonly audiences: ChannelAudienceService,
    private readonly clock: Clock,
    private readonly renderer: DescriptionRenderer,
    private readonly audit: AuditLog,
  ) {}

  /** Renders the descriptions that new channels will need; must be called before the transaction. */
  render(author: Actor, wanted: readonly WantedChannel[]): RenderedDescriptions {
    const missing = wanted.filter(({ name }) => !this.channels.byName(name));
    const descriptions = new Set(missing.map(descriptionOf));
    return new Map([...descriptions].map((markdown) => [markdown, this.renderer.render(markdown, author)]));
  }

  /** @throws errors of the options, of the names, and of the permission to create channels, in this order */
  async findOrCreate(
    tx: Transaction,
    actor: Actor,
    { wanted, options, rendered }: ChannelsRequest,
  ): Promise<FoundChannels> {
    await this.access.checkOptions(tx, actor, options);
    const named = new Map<string, WantedChannel>();
    for (const channel of wanted) {
      const name = this.channels.byName(channel.name)?.name ?? checkChannelName(channel.name);
      const key = channelNameKey(name);
      if (!named.has(key)) named.set(key, { ...channel, name });
    }
    const existing = [...named.keys()].flatMap((key) => this.channels.byName(key) ?? []);
    const missing = [...named.values()].filter(({ name }) => !this.channels.byName(name));
    // People who may not create channels get the same error for channels that they cannot see as for missing ones.
    const isUnseen = existing.some((channel) => !this.channelAccess.hasMetadataAccess(actor, channel));
    if (missing.length === 0 && !isUnseen) return { existing, created: [] };
    const settings = this.access.checkMayCreate(actor, options);
    const channels = missing.map((channel) => this.withDescription(actor, channel, rendered));
    const setup = { options, settings, creatorId: actor.userId };
    const created = await this.create(tx, channels, setup);
    for (const { channel } of created) {
      const details = { name: channel.name, is_private: channel.isPrivate };
      this.audit.record(tx, actor, 'channel.created', { id: channel.id }, details);
    }
    return { existing, created };
  }

  /** Writes the channels and emits them to everyone who sees them. */
  private async create(
    tx: Transaction,
    channels: readonly DescribedChannel[],
    setup: NewChannelSetup,
  ): Promise<ChannelState[]> {
    const { options, settings } = setup;
    const created: ChannelState[] = [];
    for (const channel of channels) {
      created.push({ channel: await this.insert(tx, channel, setup), settings });
    }
    tx.touch(
      'channels',
      created.map(({ channel }) => channel.id),
    );
    for (const { channel } of created) {
      const viewers = this.audiences.viewers(channel, settings, Audience.none);
      tx.emit(channelsAppeared([this.records.recordWith(channel, settings, 0)]), viewers);
    }
    if (options.isDefault && created.length > 0) this.emitDefaults(tx, created);
    return created;
  }

  private async insert(
    tx: Transaction,
    { name, description, renderedDescription }: DescribedChannel,
    { options, settings, creatorId }: NewChannelSetup,
  ): Promise<ChannelRecord> {
    const { isPrivate, isWebPublic, isDefault, messageRetentionDays, topicsPolicy, folderId } = options;
    return insertEntity(tx, Channel, {
      name,
      nameKey: channelNameKey(name),
      description,
      renderedDescription,
      dateCreated: this.clock.nowSeconds(),
      creatorId,
      isPrivate,
      isWebPublic,
      isArchived: false,
      isDefault,
      isHistoryPublicToSubscribers: historyIsPublic(options),
      messageRetentionDays,
      topicsPolicy,
      firstMessageId: null,
      folderId,
      lastMessageAt: null,
      ...(await this.settings.store(tx, settings)),
    });
  }

  private emitDefaults(tx: Transaction, created: readonly ChannelState[]): void {
    const before = this.channels.all().filter((channel) => channel.isDefault && !channel.isArchived);
    const ids = [...before, ...created.map(({ channel }) => channel)].map((channel) => channel.id);
    tx.emit(defaultChannelsReplaced(ids.sort((a, b) => a - b)), this.accounts.members);
  }

  private withDescription(author: Actor, channel: WantedChannel, rendered: RenderedDescriptions) {
    const description = descriptionOf(channel);
    // The name may have become free since descriptions were rendered.
    const renderedDescription = rendered.get(description) ?? this.renderer.render(description, author);
    return { name: channel.name, description, renderedDescription };
  }
}

/** Descriptions are one line. */
function descriptionOf({ description = '' }: WantedChannel): string {
  return description.replaceAll('\n', ' ');
}
