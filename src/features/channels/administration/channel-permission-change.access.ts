import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { InsufficientPermission } from '../../../platform/errors/shared.errors';
import {
  GroupSettingService,
  type GroupSettingValue,
  PermissionService,
} from '../../user-groups/user-groups.module';
import { ChannelAccess } from '../access/channel.access';
import type { ChannelRecord } from '../store/channel.directory';
import { hasOtherPrivacy, type ChannelGroupSettingChanges } from './channel-changes';
import { ChannelContentAccessRequired } from './administration.api';
import {
  CHANNEL_GROUP_SETTING_NAMES,
  CHANNEL_GROUP_SETTINGS,
  groupHolding,
  type ChannelGroupSetting,
} from '../store/channel-group-settings';
import { ChannelSettingsService, type ChosenChannelSettings } from '../store/channel-settings.service';
import { UnsupportedCombination } from '../store/channel-errors.api';

/** Decides whether a person who administers a channel may change its permissions. */
@Injectable()
export class ChannelPermissionChangeAccess {
  constructor(
    private readonly access: ChannelAccess,
    private readonly permissions: PermissionService,
    private readonly groupSettings: GroupSettingService,
    private readonly settings: ChannelSettingsService,
  ) {}

  /**
   * @param after the channel as it will be, its permissions aside
   * @returns the checked values of those permissions that really change
   * @throws OldValueMismatch and its neighbors, ChannelContentAccessRequired, InsufficientPermission,
   *   UnsupportedCombination
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

  /** Where history is protected, people cannot know which topics exist, so everybody must be able to start one. */
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
