import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module';
import { AuthModule } from '../auth/auth.module';
import { ChannelsModule } from '../channels/channels.module';
import { MessagesModule } from '../messages/messages.module';
import { OrganizationSettingsModule } from '../organization-settings/organization-settings.module';
import { UserGroupsModule } from '../user-groups/user-groups.module';
import { UsersModule } from '../users/users.module';
import { AccountAuditService, UpdateAccountService } from './people/update-account.service';
import { BotKeysService, UpdateBotService } from './bot-changes/update-bot.service';
import {
  BotsController,
  InvitationsController,
  MembershipController,
  WelcomeController,
} from './membership.controller';
import { CreateBotService } from './bot-changes/create-bot.service';
import { BotRecords, BotRules, BotVisibilityService } from './bots/bots.service';
import { AccountActivityService } from './people/account-activity.service';
import {
  ArrivalService,
  CreateUserService,
  NewAccountService,
  SignupNoticeService,
} from './people/new-account.service';
import { ChangeRoleService, OrganizationOwners, RoleVisibilityService } from './roles/change-role.service';
import { Migrations } from '../../platform/database/database.options';
import { KnownDevices1700000000053 } from './account-notices/0053-known-devices.migration';
import { CredentialNoticeService } from './account-notices/credential-notice.service';
import {
  EmailNoticeService,
  KnownDevices,
  SignInNoticeService,
} from './account-notices/account-notices.service';
import { Invitation, KnownDevice } from './membership.entity';
import { WelcomeAnswersService, WelcomeService } from './welcome/welcome.service';
import { InvitationTermsService } from './inviting/invitation-terms.service';
import { InvitationsStateService, ManageInvitationsService } from './inviting/manage-invitations.service';
import { InvitedAddressesService, InviteService } from './inviting/invite.service';
import { JoinNoticeService, JoinService } from './joining/join.service';
import { JoinController } from './joining/join.controller';
import {
  InvitationAudienceService,
  InvitationEndService,
  InvitationExpiry,
} from './invitations/invitation-end.service';
import { InvitationLinks, InvitationMailService } from './invitations/invitation-mail.service';
import { InvitationAccess } from './invitations/invitation.access';
import { PasswordLinksController, PasswordResetController } from './password-reset/password-reset.controller';
import { FirstPasswordService } from './password-reset/first-password.service';
import {
  PasswordLinksService,
  RequestResetService,
  ResetLinks,
  ResetPasswordService,
} from './password-reset/password-reset.service';

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

/** Membership: accounts, roles, bots, invitations, password reset. */
@Migrations(KnownDevices1700000000053)
@Module({
  imports: [
    TypeOrmModule.forFeature([Invitation, KnownDevice]),
    AuditModule,
    AuthModule,
    OrganizationSettingsModule,
    UsersModule,
    UserGroupsModule,
    ChannelsModule,
    MessagesModule,
  ],
  controllers: [
    MembershipController,
    BotsController,
    WelcomeController,
    InvitationsController,
    JoinController,
    PasswordLinksController,
    PasswordResetController,
  ],
  providers: [
    ...SHARED,
    BotKeysService,
    BotRecords,
    BotRules,
    BotVisibilityService,
    RoleVisibilityService,
    SignupNoticeService,
    UpdateBotService,
    CredentialNoticeService,
    EmailNoticeService,
    KnownDevices,
    SignInNoticeService,
    WelcomeService,
    WelcomeAnswersService,
    InvitationAccess,
    InvitationAudienceService,
    InvitationEndService,
    InvitationExpiry,
    InvitationLinks,
    InvitationMailService,
    InvitationTermsService,
    InvitationsStateService,
    InvitedAddressesService,
    InviteService,
    JoinNoticeService,
    JoinService,
    ManageInvitationsService,
    FirstPasswordService,
    PasswordLinksService,
    RequestResetService,
    ResetLinks,
    ResetPasswordService,
  ],
  exports: [...SHARED, FirstPasswordService, WelcomeService, InviteService],
})
export class MembershipModule {}

// Exports for other features.
export { FirstPasswordService } from './password-reset/first-password.service';
export { AccountActivityService } from './people/account-activity.service';
export {
  ArrivalService,
  CreateUserService,
  NewAccountService,
  type NewPerson,
} from './people/new-account.service';
export { AccountAuditService, UpdateAccountService } from './people/update-account.service';
export { CreateBotService } from './bot-changes/create-bot.service';
export { CannotDeactivateOnlyOwner, LastOwnerMustStay } from './membership.api';
export { ChangeRoleService, OrganizationOwners } from './roles/change-role.service';
export { WelcomeService } from './welcome/welcome.service';
export { InviteService } from './inviting/invite.service';
export { InvitationFailed } from './invitations/invitation-records.api';
