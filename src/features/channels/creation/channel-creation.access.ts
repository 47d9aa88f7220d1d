import { Injectable } from '@nestjs/common';
import { isAdministrator, isOwner, type Actor } from '../../../platform/actor';
import type { Queryable } from '../../../platform/sql/queryable';
import { InsufficientPermission, MustBeOwner } from '../../../platform/errors/shared.errors';
import { PermissionService } from '../../user-groups/user-groups.module';
import { ChannelAccess } from '../access/channel.access';
import { historyIsPublic, type ChannelOptions } from '../store/channel-options';
import { ChannelSettingsService } from '../store/channel-settings.service';
import {
  DefaultChannelCannotBePrivate,
  InvalidChannelFolder,
  InvalidPrivacy,
  UnsupportedCombination,
  WebPublicChannelsDisabled,
} from '../store/channel-errors.api';
import type { ChannelSettingValues } from '../store/channel-records.api';
import { ChannelFolder } from '../store/channel-folder.entity';

const DELETE_SETTINGS = ['can_delete_any_message_group', 'can_delete_own_message_group'] as const;

/** Decides who may make which channels: permissions first, then privacy. Clients see what fails first. */
@Injectable()
export class ChannelCreationAccess {
  constructor(
    private readonly permissions: PermissionService,
    private readonly access: ChannelAccess,
    private readonly settings: ChannelSettingsService,
  ) {}

  /**
   * Checks those options that are looked at even when no channel needs to be made.
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
   * @returns the complete permissions of such a channel
   * @throws InsufficientPermission, MustBeOwner, and what is wrong with the options themselves
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

  /** Where history is protected, people cannot know which topics exist, so everybody must be able to start one. */
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
