import { Injectable } from '@nestjs/common';
import { BotType, type Actor } from '../../../platform/actor';
import { Config } from '../../../platform/config/config';
import { InsufficientPermission } from '../../../platform/errors/shared.errors';
import { ChannelAccess } from '../../channels/channels.module';
import { PermissionService } from '../../user-groups/user-groups.module';
import { AccountDirectory, type AccountRecord, AccountRules } from '../../users/users.module';
import { BadNameOrUsername, BotNameInUse, NameInUse } from '../membership.api';

/** Decides who may have which bots, and what their names may be. */
@Injectable()
export class BotRules {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly rules: AccountRules,
    private readonly permissions: PermissionService,
    private readonly channels: ChannelAccess,
    private readonly config: Config,
  ) {}

  /**
   * The address of a bot with this short name.
   * @throws BadNameOrUsername
   */
  addressFor(shortName: string): string {
    const email = `${shortName}-bot@${this.config.emailDomain}`;
    if (shortName === '' || !this.rules.isUsableEmail(email)) {
      throw new BadNameOrUsername('Use a short name that an email address can start with, such as "build".');
    }
    return email;
  }

  /** @throws EmailInUse */
  requireFreeEmail(email: string): void {
    this.rules.requireFreeEmail(email);
  }

  /**
   * The channel that a person names for a bot; the empty name stands for none.
   * @throws InvalidChannelName for a channel that the person does not see
   */
  channelId(actor: Actor, name: string): number | null {
    return name === '' ? null : this.channels.forContentByName(actor, name).id;
  }

  /** Bots that can only post need a lesser permission. @throws InsufficientPermission */
  requireMayCreate(actor: Actor, botType: number | null): void {
    if (this.permissions.allowsInOrganization(actor, 'can_create_bots_group')) return;
    const onlyPosts = botType === BotType.incomingWebhook;
    if (onlyPosts && this.permissions.allowsInOrganization(actor, 'can_create_write_only_bots_group')) return;
    throw new InsufficientPermission();
  }

  /** @returns the name trimmed. @throws InvalidFullName */
  checkedName(given: string): string {
    return this.rules.checkedFullName(given);
  }

  /** A bot must not share its name with any active account. @throws NameInUse */
  requireFreeName(fullName: string, exceptUserId?: number): void {
    if (this.rules.isNameInUse(fullName, exceptUserId)) throw new NameInUse();
  }

  /** @throws InsufficientPermission, BotNameInUse */
  requireMayReactivate(actor: Actor, bot: AccountRecord): void {
    this.requireMayCreate(actor, bot.botType);
    if (this.rules.isNameInUse(bot.fullName, bot.id)) throw new BotNameInUse(bot.fullName);
  }

  hasActiveOwner({ botOwnerId }: { readonly botOwnerId: number | null }): boolean {
    return botOwnerId !== null && (this.accounts.byId(botOwnerId)?.isActive ?? false);
  }
}
