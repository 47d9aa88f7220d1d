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

/** Maximum length of a topic name, in Unicode code points. */
export const MAX_TOPIC_LENGTH = 60;

/** The options of a new channel, except its name. */
export interface ChannelOptions {
  readonly isPrivate: boolean;
  readonly isWebPublic: boolean;
  readonly isDefault: boolean;
  /** If not set, history is public in public channels and protected in private ones. */
  readonly isHistoryPublicToSubscribers?: boolean | null;
  /** Days; -1 forever, null to follow the organization. */
  readonly messageRetentionDays: number | null;
  readonly topicsPolicy: TopicsPolicy;
  readonly folderId: number | null;
  readonly groupSettings: ChosenChannelSettings;
}

/** The options of a new channel by default. */
export const DEFAULT_CHANNEL_OPTIONS: ChannelOptions = {
  isPrivate: false,
  isWebPublic: false,
  isDefault: false,
  messageRetentionDays: null,
  topicsPolicy: 'inherit',
  folderId: null,
  groupSettings: {},
};

/** Public channels always show their history. */
export function historyIsPublic(options: ChannelOptions): boolean {
  return !options.isPrivate || (options.isHistoryPublicToSubscribers ?? false);
}

/** Changes to a channel; omitted properties do not change. */
export interface ChannelChanges {
  readonly name?: string;
  /** Markdown. */
  readonly description?: string;
  readonly isPrivate?: boolean;
  readonly isWebPublic?: boolean;
  /**
   * If omitted along with a change of `isPrivate`, history is public in public channels and protected in private ones.
   */
  readonly isHistoryPublicToSubscribers?: boolean;
  readonly isDefault?: boolean;
  /** Days; -1 forever, null to follow the organization. */
  readonly messageRetentionDays?: number | null;
  /** Unarchives a channel. Archiving is a separate operation. */
  readonly isArchived?: false;
  /** Null removes the channel from its folder. */
  readonly folderId?: number | null;
  readonly topicsPolicy?: TopicsPolicy;
  readonly groupSettings: ChannelGroupSettingChanges;
}

/** New values of permissions, each with the value that the caller believes to be current. */
export type ChannelGroupSettingChanges = Readonly<Partial<Record<ChannelGroupSetting, GroupSettingChange>>>;

/** Who reads a channel, and whether they see its history. */
export type Privacy = Pick<ChannelRecord, 'isPrivate' | 'isWebPublic' | 'isHistoryPublicToSubscribers'>;

/** Whether the two differ in who reads the channel, or in whether they see its history. */
export function hasOtherPrivacy(before: Privacy, after: Privacy): boolean {
  return (
    before.isPrivate !== after.isPrivate ||
    before.isWebPublic !== after.isWebPublic ||
    before.isHistoryPublicToSubscribers !== after.isHistoryPublicToSubscribers
  );
}

/** Permissions chosen for a channel; the others start at their defaults. */
export type ChosenChannelSettings = Readonly<Partial<Record<ChannelGroupSetting, GroupSettingValue>>>;

/** A snapshot of a channel and the values of its permissions. */
export interface ChannelState {
  readonly channel: ChannelRecord;
  readonly settings: ChannelSettingValues;
}

/** IDs of the groups behind the permissions of a channel, by the channel's properties. */
type ChannelGroups = Record<ChannelGroupSettingDefinition['property'], number>;

/** Reads, validates and stores the permissions of channels. */
@Injectable()
export class ChannelSettingsService {
  constructor(
    private readonly groupSettings: GroupSettingService,
    private readonly groups: GroupDirectory,
  ) {}

  /**
   * The values as sent to clients.
   * @param change an activation or deactivation that the directory does not show yet
   */
  valuesOf(channel: ChannelRecord, change?: ActivityChange): ChannelSettingValues {
    return recordOf(CHANNEL_GROUP_SETTING_NAMES, (setting) =>
      this.groupSettings.toWire(groupHolding(channel, setting), change),
    );
  }

  /**
   * Completes the chosen permissions of a new channel with defaults.
   * @param creatorId administers the channel unless another choice was made
   * @throws ApiError of the group-setting values
   */
  complete(chosen: ChosenChannelSettings, creatorId: number | null): ChannelSettingValues {
    return recordOf(CHANNEL_GROUP_SETTING_NAMES, (setting) =>
      this.groupSettings.starting(setting, chosen[setting], CHANNEL_GROUP_SETTINGS[setting], creatorId),
    );
  }

  /** Stores validated values for a new channel, with new anonymous groups. */
  async store(tx: Transaction, values: ChannelSettingValues): Promise<ChannelGroups> {
    const stored = {} as ChannelGroups;
    for (const setting of CHANNEL_GROUP_SETTING_NAMES) {
      stored[CHANNEL_GROUP_SETTINGS[setting].property] = await this.groupSettings.store(tx, values[setting]);
    }
    return stored;
  }

  /**
   * Stores validated values that replace those of a channel.
   * @returns the groups that now hold the replaced permissions
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

  /** The legacy number for who may post: exact for four system groups, "everyone" for all other values. */
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
