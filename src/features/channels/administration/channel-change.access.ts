import { Injectable } from '@nestjs/common';
import {
  ArchivedChannelCannotBeDefault,
  ChannelContentAccessRequired,
  ChannelHasNamedTopics,
  ChannelNameTaken,
  ChannelNameUnchanged,
  ChannelNotArchived,
  MayNotChangeDefaultChannels,
  PrivateChannelWithoutSubscribers,
} from './administration.api';
import { type Actor, isAdministrator, isOwner } from '../../../platform/actor';
import type { Transaction } from '../../../platform/database/transaction.service';
import { InsufficientPermission, MustBeOwner } from '../../../platform/errors/shared.errors';
import { Hooks } from '../../../platform/hooks/hooks';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import {
  GroupSettingService,
  type GroupSettingValue,
  PermissionService,
} from '../../user-groups/user-groups.module';
import { ChannelAccess } from '../access/channel.access';
import { namedTopicsSought } from '../channels.hooks';
import {
  checkChannelName,
  DefaultChannelCannotBePrivate,
  InvalidChannelFolder,
  InvalidPrivacy,
  UnsupportedCombination,
  WebPublicChannelsDisabled,
} from '../store/channels.api';
import { ChannelFolder } from '../store/channel.entity';
import {
  CHANNEL_GROUP_SETTING_NAMES,
  CHANNEL_GROUP_SETTINGS,
  type ChannelGroupSetting,
  groupHolding,
} from '../store/channel-group-settings';
import {
  ChannelDirectory,
  channelNameKey,
  type ChannelRecord,
  lockChannels,
  SubscriptionDirectory,
} from '../store/channel.directory';
import {
  type ChannelChanges,
  type ChannelGroupSettingChanges,
  ChannelSettingsService,
  type ChosenChannelSettings,
  hasOtherPrivacy,
  type Privacy,
} from '../store/channel-settings.service';

/**
 * Decides whether an administrator of a channel may make the requested changes: errors of privacy take precedence over
 * those of individual properties. `ChannelPermissionChangeAccess` covers the channel's permissions.
 */
@Injectable()
export class ChannelChangeAccess {
  constructor(
    private readonly channels: ChannelDirectory,
    private readonly subscriptions: SubscriptionDirectory,
    private readonly access: ChannelAccess,
    private readonly permissions: PermissionService,
    private readonly hooks: Hooks,
    private readonly organization: OrganizationDirectory,
  ) {}

  /**
   * @returns the channel after the change, except for its description and permissions
   * @throws errors of privacy and of individual properties, InsufficientPermission, MustBeOwner
   */
  async check(
    tx: Transaction,
    actor: Actor,
    channel: ChannelRecord,
    changes: ChannelChanges,
  ): Promise<ChannelRecord> {
    const { isDefault, messageRetentionDays, topicsPolicy, folderId, name } = changes;
    const after: ChannelRecord = {
      ...channel,
      ...privacyAfter(channel, changes),
      isDefault: isDefault ?? channel.isDefault,
      isArchived: changes.isArchived ?? channel.isArchived,
      messageRetentionDays:
        messageRetentionDays === undefined ? channel.messageRetentionDays : messageRetentionDays,
      topicsPolicy: topicsPolicy ?? channel.topicsPolicy,
      folderId: folderId === undefined ? channel.folderId : folderId,
    };
    this.checkPrivacy(actor, channel, after);
    if (isDefault !== undefined) this.checkDefault(actor, after);
    if (messageRetentionDays !== undefined && !isOwner(actor)) throw new MustBeOwner();
    if (changes.isArchived !== undefined) this.checkReturn(channel, after);
    if (after.topicsPolicy !== channel.topicsPolicy) await this.checkTopicsPolicy(tx, actor, after);
    if (after.folderId !== null && after.folderId !== channel.folderId) {
      await this.checkFolder(tx, after.folderId);
    }
    return name === undefined ? after : { ...after, ...this.checkName(channel, name) };
  }

  private checkPrivacy(actor: Actor, before: ChannelRecord, after: ChannelRecord): void {
    const { isPrivate, isWebPublic, isHistoryPublicToSubscribers } = after;
    if (isPrivate ? isWebPublic : !isHistoryPublicToSubscribers) throw new InvalidPrivacy();
    if (isPrivate && after.isDefault) throw new DefaultChannelCannotBePrivate();
    if (!hasOtherPrivacy(before, after)) return;
    if (!this.access.hasContentAccess(actor, before)) throw new ChannelContentAccessRequired();
    if (isPrivate !== before.isPrivate) {
      const needed = isPrivate ? 'can_create_private_channel_group' : 'can_create_public_channel_group';
      if (!this.permissions.allowsInOrganization(actor, needed)) throw new InsufficientPermission();
    }
    if (isWebPublic && !before.isWebPublic) this.checkWebPublic(actor);
  }

  private checkWebPublic(actor: Actor): void {
    if (!this.access.webPublicChannelsOffered) throw new WebPublicChannelsDisabled();
    if (!this.permissions.allowsInOrganization(actor, 'can_create_web_public_channel_group')) {
      throw new InsufficientPermission();
    }
  }

  private checkDefault(actor: Actor, after: ChannelRecord): void {
    if (!isAdministrator(actor)) throw new MayNotChangeDefaultChannels();
    if (after.isDefault && after.isArchived) throw new ArchivedChannelCannotBeDefault();
  }

  private checkReturn(before: ChannelRecord, after: ChannelRecord): void {
    if (!before.isArchived) throw new ChannelNotArchived();
    if (after.isPrivate && this.subscriptions.subscriberCount(before.id) === 0) {
      throw new PrivateChannelWithoutSubscribers();
    }
  }

  /** Anyone who administers the channel may restore the organization's default. */
  private async checkTopicsPolicy(tx: Transaction, actor: Actor, after: ChannelRecord): Promise<void> {
    if (
      after.topicsPolicy !== 'inherit' &&
      !this.permissions.allowsInOrganization(actor, 'can_set_topics_policy_group')
    ) {
      throw new InsufficientPermission();
    }
    if (after.topicsPolicy === 'empty_topic_only' && (await this.hasNamedTopics(tx, after.id))) {
      throw new ChannelHasNamedTopics(this.organization.settings.empty_topic_display_name);
    }
  }

  /** Waits for messages that are being sent to the channel and blocks new ones, so that the result is final. */
  private async hasNamedTopics(tx: Transaction, channelId: number): Promise<boolean> {
    await lockChannels(tx, [channelId], 'alone');
    return (await this.hooks.run(namedTopicsSought, tx, channelId)).includes(true);
  }

  private async checkFolder(tx: Transaction, folderId: number): Promise<void> {
    const folders = await tx.repository(ChannelFolder).find({ select: { id: true } });
    if (!folders.some(({ id }) => id === folderId)) throw new InvalidChannelFolder();
  }

  /** Changing only the case of the name is always allowed. */
  private checkName(channel: ChannelRecord, wanted: string): Pick<ChannelRecord, 'name' | 'nameKey'> {
    const name = checkChannelName(wanted);
    if (name === channel.name) throw new ChannelNameUnchanged();
    const holder = this.channels.byName(name);
    if (holder && holder.id !== channel.id) throw new ChannelNameTaken();
    return { name, nameKey: channelNameKey(name) };
  }
}

function privacyAfter(before: Privacy, changes: ChannelChanges): Privacy {
  const { isPrivate = before.isPrivate, isWebPublic = before.isWebPublic } = changes;
  const initial = changes.isPrivate === undefined ? before.isHistoryPublicToSubscribers : !isPrivate;
  const { isHistoryPublicToSubscribers = initial } = changes;
  return { isPrivate, isWebPublic, isHistoryPublicToSubscribers };
}

/** Decides whether an administrator of a channel may change its permissions. */
@Injectable()
export class ChannelPermissionChangeAccess {
  constructor(
    private readonly access: ChannelAccess,
    private readonly permissions: PermissionService,
    private readonly groupSettings: GroupSettingService,
    private readonly settings: ChannelSettingsService,
  ) {}

  /**
   * @param after the channel after the change, except for its permissions
   * @returns the validated values of those permissions that really change
   * @throws OldValueMismatch and related errors, ChannelContentAccessRequired, InsufficientPermission,
   * UnsupportedCombination
   */
  check(
    actor: Actor,
    before: ChannelRecord,
    after: ChannelRecord,
    changes: ChannelGroupSettingChanges,
  ): ChosenChannelSettings {
    const values: Partial<Record<ChannelGroupSetting, GroupSettingValue>> = {};
    for (const setting of CHANNEL_GROUP_SETTING_NAMES) {
      const change = changes[setting];
      const definition = CHANNEL_GROUP_SETTINGS[setting];
      const value =
        change && this.groupSettings.changed(setting, change, groupHolding(before, setting), definition);
      if (value === undefined) continue;
      this.checkMayChange(actor, before, setting);
      values[setting] = value;
    }
    if (values.can_create_topic_group !== undefined || hasOtherPrivacy(before, after)) {
      this.checkTopicCreation(after, values.can_create_topic_group);
    }
    return values;
  }

  private checkMayChange(actor: Actor, channel: ChannelRecord, setting: ChannelGroupSetting): void {
    const { changeNeedsContentAccess } = CHANNEL_GROUP_SETTINGS[setting];
    if (changeNeedsContentAccess && !this.access.hasContentAccess(actor, channel)) {
      throw new ChannelContentAccessRequired();
    }
    if (!decidesWhoDeletes(setting)) return;
    if (!this.permissions.allowsInOrganization(actor, 'can_set_delete_message_policy_group')) {
      throw new InsufficientPermission();
    }
  }

  /** With protected history, people cannot know which topics exist, so everyone must be able to start one. */
  private checkTopicCreation(after: ChannelRecord, chosen: GroupSettingValue | undefined): void {
    if (after.isHistoryPublicToSubscribers) return;
    const value = chosen ?? this.settings.valuesOf(after).can_create_topic_group;
    if (this.settings.isEveryone(value)) return;
    throw new UnsupportedCombination('history_public_to_subscribers', 'can_create_topic_group');
  }
}

function decidesWhoDeletes(setting: ChannelGroupSetting): boolean {
  return setting === 'can_delete_any_message_group' || setting === 'can_delete_own_message_group';
}
