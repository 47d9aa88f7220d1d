import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import { insertEntity } from '../../../platform/database/entity-rows';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import { AccountDirectory } from '../../users';
import { ChannelDirectory, type ChannelRecord } from '../store/channel.directory';
import { Channel } from '../store/channel.entity';
import { ChannelAudienceService } from '../store/channel-audience.service';
import { historyIsPublic, type ChannelOptions } from '../store/channel-options';
import { ChannelRecordsService } from '../store/channel-records.service';
import { ChannelSettingsService } from '../store/channel-settings.service';
import { channelsAppeared, defaultChannelsReplaced } from '../store/channels.events';
import type { ChannelSettingValues } from '../store/channels.wire';
import { channelNameKey } from '../store/channel-name';

/** A channel to be made. */
export interface NewChannel {
  /** Checked, and not taken. */
  readonly name: string;
  readonly description: string;
  /** HTML. */
  readonly renderedDescription: string;
}

/** What channels that are made together have in common. */
export interface NewChannelSetup {
  readonly options: ChannelOptions;
  /** Complete and checked. */
  readonly settings: ChannelSettingValues;
  /** Null where nobody in particular makes them. */
  readonly creatorId: number | null;
}

/** A channel made in this transaction; the directories do not show it before the commit. */
export interface CreatedChannel {
  readonly channel: ChannelRecord;
  readonly settings: ChannelSettingValues;
}

/** Makes channels: rows and events. Whether somebody may is asked of `ChannelCreationAccess`. */
@Injectable()
export class CreateChannelService {
  constructor(
    private readonly channels: ChannelDirectory,
    private readonly accounts: AccountDirectory,
    private readonly settings: ChannelSettingsService,
    private readonly records: ChannelRecordsService,
    private readonly audiences: ChannelAudienceService,
    private readonly clock: Clock,
  ) {}

  /** Writes the channels and tells everybody who sees them. */
  async create(
    tx: Transaction,
    channels: readonly NewChannel[],
    setup: NewChannelSetup,
  ): Promise<CreatedChannel[]> {
    const { options, settings } = setup;
    const created: CreatedChannel[] = [];
    for (const channel of channels) {
      created.push({ channel: await this.insert(tx, channel, setup), settings });
    }
    tx.touch(
      'channels',
      created.map(({ channel }) => channel.id),
    );
    for (const { channel } of created) {
      const viewers = this.audiences.viewers(channel, settings, Audience.nobody);
      tx.emit(channelsAppeared([this.records.recordWith(channel, settings, 0)]), viewers);
    }
    if (options.isDefault && created.length > 0) this.emitDefaults(tx, created);
    return created;
  }

  private async insert(
    tx: Transaction,
    { name, description, renderedDescription }: NewChannel,
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

  private emitDefaults(tx: Transaction, created: readonly CreatedChannel[]): void {
    const before = this.channels.all().filter((channel) => channel.isDefault && !channel.isArchived);
    const ids = [...before, ...created.map(({ channel }) => channel)].map((channel) => channel.id);
    tx.emit(defaultChannelsReplaced(ids.sort((a, b) => a - b)), this.accounts.members);
  }
}
