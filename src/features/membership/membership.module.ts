import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module';
import { ChannelsModule } from '../channels/channels.module';
import { DefaultChannelGroupsModule } from '../default-channel-groups/default-channel-groups.module';
import { MessagesModule } from '../messages/messages.module';
import { OrganizationSettingsModule } from '../organization-settings/organization-settings.module';
import { UserGroupsModule } from '../user-groups/user-groups.module';
import { UsersModule } from '../users/users.module';
import { WelcomeModule } from '../welcome/welcome.module';
import { AccountAuditService } from './account-audit.service';
import { BotKeysService } from './bot-changes/bot-keys.service';
import { BotsController } from './bot-changes/bots.controller';
import { CreateBotService } from './bot-changes/create-bot.service';
import { UpdateBotService } from './bot-changes/update-bot.service';
import { BotRecords } from './bots/bot-records.service';
import { BotRules } from './bots/bot-rules.service';
import { BotVisibilityService } from './bots/bot-visibility.service';
import { AccountActivityService } from './people/account-activity.service';
import { ArrivalService } from './people/arrival.service';
import { CreateUserService } from './people/create-user.service';
import { MembershipController } from './people/membership.controller';
import { NewAccountService } from './people/new-account.service';
import { SignupNoticeService } from './people/signup-notice.service';
import { UpdateAccountService } from './people/update-account.service';
import { ChangeRoleService } from './roles/change-role.service';
import { OrganizationOwners } from './roles/organization-owners.service';
import { RoleVisibilityService } from './roles/role-visibility.service';

/** Providers that other features use. */
const SHARED = [
  AccountActivityService,
  AccountAuditService,
  ArrivalService,
  ChangeRoleService,
  CreateBotService,
  CreateUserService,
  NewAccountService,
  OrganizationOwners,
  UpdateAccountService,
];

/**
 * Joining and leaving the organization, for people and bots, their roles, and what administrators change about them
 * on the main interface.
 */
@Module({
  imports: [
    AuditModule,
    OrganizationSettingsModule,
    UsersModule,
    UserGroupsModule,
    ChannelsModule,
    DefaultChannelGroupsModule,
    MessagesModule,
    WelcomeModule,
  ],
  controllers: [MembershipController, BotsController],
  providers: [
    ...SHARED,
    BotKeysService,
    BotRecords,
    BotRules,
    BotVisibilityService,
    RoleVisibilityService,
    SignupNoticeService,
    UpdateBotService,
  ],
  exports: SHARED,
})
export class MembershipModule {}

// Joining, leaving and coming back, for people and bots.

// Changing people, and the owners without whom the organization could not go on.

// What other features use of this one.
export { AccountActivityService } from './people/account-activity.service';
export { ArrivalService } from './people/arrival.service';
export { AccountAuditService } from './account-audit.service';
export { CreateBotService } from './bot-changes/create-bot.service';
export { CreateUserService, type NewPerson } from './people/create-user.service';
export { NewAccountService } from './people/new-account.service';
export { CannotDeactivateOnlyOwner, OnlyOwnerStays } from './membership.api';
export { ChangeRoleService } from './roles/change-role.service';
export { OrganizationOwners } from './roles/organization-owners.service';
export { UpdateAccountService } from './people/update-account.service';
