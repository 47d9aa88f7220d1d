import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module';
import { AuthModule } from '../auth/auth.module';
import { ChannelsModule } from '../channels/channels.module';
import { MessagesModule } from '../messages/messages.module';
import { OrganizationSettingsModule } from '../organization-settings/organization-settings.module';
import { UserGroupsModule } from '../user-groups/user-groups.module';
import { UsersModule } from '../users/users.module';
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
import { Migrations } from '../../platform/database/tables';
import { KnownDevices1700000000053 } from './account-notices/0053-known-devices.migration';
import { CredentialNoticeService } from './account-notices/credential-notice.service';
import { EmailNoticeService } from './account-notices/email-notice.service';
import { KnownDevice } from './account-notices/known-device.entity';
import { KnownDevices } from './account-notices/known-devices.service';
import { SignInNoticeService } from './account-notices/sign-in-notice.service';
import { WelcomeAnswersService } from './welcome/welcome-answers.service';
import { WelcomeController } from './welcome/welcome.controller';
import { WelcomeService } from './welcome/welcome.service';
import { InvitationTermsService } from './inviting/invitation-terms.service';
import { InvitationsController } from './inviting/invitations.controller';
import { InvitationsStateService } from './inviting/invitations-state.service';
import { InvitedAddressesService } from './inviting/invited-addresses.service';
import { InviteService } from './inviting/invite.service';
import { ManageInvitationsService } from './inviting/manage-invitations.service';
import { JoinNoticeService } from './joining/join-notice.service';
import { JoinController } from './joining/join.controller';
import { JoinService } from './joining/join.service';
import { InvitationAudienceService } from './invitations/invitation-audience.service';
import { InvitationEndService } from './invitations/invitation-end.service';
import { InvitationExpiry } from './invitations/invitation-expiry.service';
import { InvitationLinks } from './invitations/invitation-links.service';
import { InvitationMailService } from './invitations/invitation-mail.service';
import { InvitationAccess } from './invitations/invitation.access';
import { Invitation } from './invitations/invitation.entity';
import { PasswordLinksController } from './password-reset/password-links.controller';
import { PasswordLinksService } from './password-reset/password-links.service';
import { PasswordResetController } from './password-reset/password-reset.controller';
import { RequestResetService } from './password-reset/request-reset.service';
import { ResetLinks } from './password-reset/reset-links.service';
import { ResetPasswordService } from './password-reset/reset-password.service';

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
    PasswordLinksService,
    RequestResetService,
    ResetLinks,
    ResetPasswordService,
  ],
  exports: [...SHARED, WelcomeService, InviteService],
})
export class MembershipModule {}

// What other features may import.
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
export { WelcomeService } from './welcome/welcome.service';
export { InviteService } from './inviting/invite.service';
export { InvitationFailed } from './invitations/invitation-records.api';
