import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import { ChannelAccess, ChannelDirectory } from '../../channels/channels.module';
import type { ReadableMessage } from '../../messages/messages.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { PermissionService } from '../../user-groups/user-groups.module';
import { AccountDirectory } from '../../users/users.module';
import { MayNotDeleteMessage, TooLateToDelete } from './rights.api';

/** The two permissions to delete; an organization and each of its channels have them. */
type DeletePermission = 'can_delete_any_message_group' | 'can_delete_own_message_group';

/** Decides who may delete which message. */
@Injectable()
export class MessageDeleteAccess {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly permissions: PermissionService,
    private readonly channels: ChannelDirectory,
    private readonly channelAccess: ChannelAccess,
    private readonly organization: OrganizationDirectory,
    private readonly clock: Clock,
  ) {}

  /**
   * No time limit for users who may delete any message.
   * @param message which the actor may change
   * @throws MayNotDeleteMessage, TooLateToDelete
   */
  check(actor: Actor, message: ReadableMessage['message']): void {
    const holds = (permission: DeletePermission) => this.holds(actor, message.channelId, permission);
    if (holds('can_delete_any_message_group')) return;
    const isOwn =
      message.senderId === actor.userId || this.accounts.byId(message.senderId)?.botOwnerId === actor.userId;
    if (!isOwn || !holds('can_delete_own_message_group')) throw new MayNotDeleteMessage();
    const { message_content_delete_limit_seconds: limit } = this.organization.settings;
    if (limit !== null && this.clock.nowSeconds() - message.sentAt > limit) throw new TooLateToDelete();
  }

  private holds(actor: Actor, channelId: number | null, permission: DeletePermission): boolean {
    if (this.permissions.allowsInOrganization(actor, permission)) return true;
    const channel = channelId === null ? undefined : this.channels.byId(channelId);
    return channel !== undefined && this.channelAccess.holds(actor, channel, permission);
  }
}
