import { Injectable } from '@nestjs/common';
import {
  CHANNEL_GROUP_SETTING_NAMES,
  CHANNEL_GROUP_SETTINGS,
  type ChannelGroupSetting,
  type ChannelGroupSettingDefinition,
  groupHolding,
} from './channel-group-settings';
import { type ChannelSettingValues, PostPolicy } from './channel-records.api';
import type { ChannelRecord } from './channel.directory';
import { recordOf } from '../../../platform/collections';
import type { Transaction } from '../../../platform/database/transaction.service';
import {
  type ActivityChange,
  GroupDirectory,
  type GroupSettingChange,
  GroupSettingService,
  type GroupSettingValue,
} from '../../user-groups/user-groups.module';

/** Who decides about the empty topic of a channel, and how. */
export const TOPICS_POLICIES = [
  'inherit',
  'allow_empty_topic',
  'disable_empty_topic',
  'empty_topic_only',
] as const;

/** One of {@link TOPICS_POLICIES}. */
export type TopicsPolicy = (typeof TOPICS_POLICIES)[number];

/** Longest name of a topic, in Unicode code points. */
export const MAX_TOPIC_LENGTH = 60;

/** What is chosen for new channels beside their names. */
export interface ChannelOptions {
  readonly isPrivate: boolean;
  readonly isWebPublic: boolean;
  readonly isDefault: boolean;
  /** Not chosen: public channels show their history, private ones do not. */
  readonly isHistoryPublicToSubscribers?: boolean | null;
  /** Days; -1 forever, null to follow the organization. */
  readonly messageRetentionDays: number | null;
  readonly topicsPolicy: TopicsPolicy;
  readonly folderId: number | null;
  readonly groupSettings: ChosenChannelSettings;
}

/** Where every channel starts unless something else is chosen. */
export const DEFAULT_CHANNEL_OPTIONS: ChannelOptions = {
  isPrivate: false,
  isWebPublic: false,
  isDefault: false,
  messageRetentionDays: null,
  topicsPolicy: 'inherit',
  folderId: null,
  groupSettings: {},
};

/** Public channels show their history regardless of the option. */
export function historyIsPublic(options: ChannelOptions): boolean {
  return !options.isPrivate || (options.isHistoryPublicToSubscribers ?? false);
}

/** What to change about a channel; what is not given stays as it is. */
export interface ChannelChanges {
  readonly name?: string;
  /** Markdown. */
  readonly description?: string;
  readonly isPrivate?: boolean;
  readonly isWebPublic?: boolean;
  /** Not given with `isPrivate`: public channels show their history, private ones do not. */
  readonly isHistoryPublicToSubscribers?: boolean;
  readonly isDefault?: boolean;
  /** Days; -1 forever, null to follow the organization. */
  readonly messageRetentionDays?: number | null;
  /** Unarchives a channel. Archiving is a separate operation. */
  readonly isArchived?: false;
  /** Null takes the channel out of its folder. */
  readonly folderId?: number | null;
  readonly topicsPolicy?: TopicsPolicy;
  readonly groupSettings: ChannelGroupSettingChanges;
}

/** New values of permissions, each with the value that the caller takes to be in force. */
export type ChannelGroupSettingChanges = Readonly<Partial<Record<ChannelGroupSetting, GroupSettingChange>>>;

/** Who reads a channel, and from when on. */
export type Privacy = Pick<ChannelRecord, 'isPrivate' | 'isWebPublic' | 'isHistoryPublicToSubscribers'>;

/** Whether the two differ in who reads the channel, or from when on. */
export function hasOtherPrivacy(before: Privacy, after: Privacy): boolean {
  return (
    before.isPrivate !== after.isPrivate ||
    before.isWebPublic !== after.isWebPublic ||
    before.isHistoryPublicToSubscribers !== after.isHistoryPublicToSubscribers
  );
}

/** Permissions chosen for a channel; the others start at their defaults. */
export type ChosenChannelSettings = Readonly<Partial<Record<ChannelGroupSetting, GroupSettingValue>>>;

/** A channel and the values of its permissions, as they are at one moment. */
export interface ChannelState {
  readonly channel: ChannelRecord;
  readonly settings: ChannelSettingValues;
}

/** IDs of the groups behind the permissions of a channel, by the channel's properties. */
type ChannelGroups = Record<ChannelGroupSettingDefinition['property'], number>;

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
