import { Module } from '@nestjs/common';
import { ChannelsModule } from '../channels';
import { MessagesModule } from '../messages';
import { OrganizationSettingsModule } from '../organization-settings';
import { UserGroupsModule } from '../user-groups';
import { UsersModule } from '../users';
import { AdministerPersonService } from './administer-person.service';
import { BotIdentityService } from './bot-identity.service';
import { BotKeysService } from './bot-keys.service';
import { BotRecords } from './bot-records.service';
import { BotRules } from './bot-rules.service';
import { BotServices } from './bot-services.service';
import { BotSetupService } from './bot-setup.service';
import { BotVisibilityService } from './bot-visibility.service';
import { BotsController } from './bots.controller';
import { BotsStateService } from './bots-state.service';
import { ChangeRoleService } from './change-role.service';
import { CreateBotService } from './create-bot.service';
import { CreateUserService } from './create-user.service';
import { DeactivateAccountService } from './deactivate-account.service';
import { DeleteAccountService } from './delete-account.service';
import { GroupPresenceService } from './group-presence.service';
import { MembershipController } from './membership.controller';
import { NewAccountService } from './new-account.service';
import { NewcomerDefaults } from './newcomer-defaults.service';
import { OrganizationOwners } from './organization-owners.service';
import { PeopleVisibilityService } from './people-visibility.service';
import { PersonReferencesService } from './person-references.service';
import { ReactivateAccountService } from './reactivate-account.service';
import { RoleVisibilityService } from './role-visibility.service';
import { SignupNoticeService } from './signup-notice.service';
import { UpdateAccountService } from './update-account.service';
import { UpdateBotService } from './update-bot.service';

/** Joining and leaving the organization, for people and bots, and what administrators change about them. */
@Module({
  imports: [OrganizationSettingsModule, UsersModule, UserGroupsModule, ChannelsModule, MessagesModule],
  controllers: [MembershipController, BotsController],
  providers: [
    AdministerPersonService,
    BotIdentityService,
    BotKeysService,
    BotRecords,
    BotRules,
    BotServices,
    BotSetupService,
    BotVisibilityService,
    BotsStateService,
    ChangeRoleService,
    CreateBotService,
    CreateUserService,
    DeactivateAccountService,
    DeleteAccountService,
    GroupPresenceService,
    NewAccountService,
    NewcomerDefaults,
    OrganizationOwners,
    PeopleVisibilityService,
    PersonReferencesService,
    ReactivateAccountService,
    RoleVisibilityService,
    SignupNoticeService,
    UpdateAccountService,
    UpdateBotService,
  ],
  exports: [
    AdministerPersonService,
    CreateBotService,
    CreateUserService,
    DeactivateAccountService,
    DeleteAccountService,
    NewAccountService,
    ReactivateAccountService,
    UpdateAccountService,
  ],
})
export class MembershipModule {}
