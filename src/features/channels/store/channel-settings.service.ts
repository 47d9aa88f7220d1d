import { Injectable } from '@nestjs/common';
import { recordOf } from '../../../platform/collections';
import type { Transaction } from '../../../platform/database/transaction.service';
import {
  type ActivityChange,
  GroupDirectory,
  GroupSettingService,
  type GroupSettingValue,
} from '../../user-groups/user-groups.module';
import type { ChannelRecord } from './channel.directory';
import {
  CHANNEL_GROUP_SETTING_NAMES,
  CHANNEL_GROUP_SETTINGS,
  groupHolding,
  type ChannelGroupSetting,
  type ChannelGroupSettingDefinition,
} from './channel-group-settings';
import { PostPolicy, type ChannelSettingValues } from './channel-records.api';

/** Permissions chosen for a channel; the others start at their defaults. */
export type ChosenChannelSettings = Readonly<Partial<Record<ChannelGroupSetting, GroupSettingValue>>>;

/** A channel and the values of its permissions, as they are at one moment. */
export interface ChannelState {
  readonly channel: ChannelRecord;
  readonly settings: ChannelSettingValues;
}

/** IDs of the groups behind the permissions of a channel, by the channel's properties. */
export type ChannelGroups = Record<ChannelGroupSettingDefinition['property'], number>;

/** Reads, checks and stores the permissions of channels. */
@Injectable()
export class ChannelSettingsService {
  constructor(
    private readonly groupSettings: GroupSettingService,
    private readonly groups: GroupDirectory,
  ) {}

  /**
   * The values as the interface shows them.
   * @param change an account whose coming or going the directory does not show yet
   */
  valuesOf(channel: ChannelRecord, change?: ActivityChange): ChannelSettingValues {
    return recordOf(CHANNEL_GROUP_SETTING_NAMES, (setting) =>
      this.groupSettings.toWire(groupHolding(channel, setting), change),
    );
  }

  /**
   * Completes what was chosen for a new channel by the defaults.
   * @param creatorId who administers the channel unless something else was chosen
   * @throws ApiError of the group-setting values
   */
  complete(chosen: ChosenChannelSettings, creatorId: number | null): ChannelSettingValues {
    return recordOf(CHANNEL_GROUP_SETTING_NAMES, (setting) =>
      this.groupSettings.starting(setting, chosen[setting], CHANNEL_GROUP_SETTINGS[setting], creatorId),
    );
  }

  /** Stores checked values for a new channel, with new anonymous groups. */
  async store(tx: Transaction, values: ChannelSettingValues): Promise<ChannelGroups> {
    const stored = {} as ChannelGroups;
    for (const setting of CHANNEL_GROUP_SETTING_NAMES) {
      stored[CHANNEL_GROUP_SETTINGS[setting].property] = await this.groupSettings.store(tx, values[setting]);
    }
    return stored;
  }

  /**
   * Stores checked values that replace those of a channel.
   * @returns the groups that hold the replaced permissions from now on
   */
  async replace(
    tx: Transaction,
    channel: ChannelRecord,
    values: ChosenChannelSettings,
  ): Promise<Partial<ChannelGroups>> {
    const stored: Partial<ChannelGroups> = {};
    for (const setting of CHANNEL_GROUP_SETTING_NAMES) {
      const value = values[setting];
      if (value === undefined) continue;
      const { property } = CHANNEL_GROUP_SETTINGS[setting];
      stored[property] = await this.groupSettings.store(tx, value, channel[property]);
    }
    return stored;
  }

  /** The value for `role:nobody`. */
  get nobody(): GroupSettingValue {
    return this.groups.systemGroupId('role:nobody');
  }

  isEveryone(value: GroupSettingValue): boolean {
    return this.groupSettings.canonical(value) === this.groups.systemGroupId('role:everyone');
  }

  /** The older number for who may post: exact for four system groups, "anybody" for everything else. */
  postPolicyOf(value: GroupSettingValue): PostPolicy {
    switch (typeof value === 'number' ? this.groups.byId(value)?.name : undefined) {
      case 'role:administrators':
        return PostPolicy.administrators;
      case 'role:fullmembers':
        return PostPolicy.fullMembers;
      case 'role:moderators':
        return PostPolicy.moderators;
      default:
        return PostPolicy.everyone;
    }
  }
}
