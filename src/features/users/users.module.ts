import { Module } from '@nestjs/common';
import { Tables } from '../../platform/database/tables.decorator';
import { AuditModule } from '../audit';
import { OrganizationSettingsModule } from '../organization-settings';
import { ActorTransactions } from './access/actor-transactions.service';
import { OwnTransactions } from './access/own-transactions.service';
import { UserAccess } from './access/user.access';
import { UserVisibility } from './access/user-visibility.service';
import { AccountDirectory } from './accounts/account.directory';
import { AccountRules } from './accounts/account-rules.service';
import { CreateAccountService } from './accounts/create-account.service';
import { AvatarFileController, FindAvatarController, OwnAvatarController } from './avatars/avatar.controller';
import { AvatarService } from './avatars/avatar.service';
import { FindAvatarService } from './avatars/find-avatar.service';
import { BotServices } from './bots/bot-services.service';
import { BotStorageController } from './bots/bot-storage.controller';
import { BotStorageService } from './bots/bot-storage.service';
import { ApiKeyController } from './credentials/api-key.controller';
import { ApiKeyService } from './credentials/api-key.service';
import { FirstLoginService } from './credentials/first-login.service';
import { PasswordService } from './credentials/password.service';
import { SignInFailures } from './credentials/sign-in-failures.service';
import { SessionStart } from './credentials/session-start.service';
import { CustomProfileFieldsController } from './custom-profile/custom-profile-fields.controller';
import { CustomProfileFieldsService } from './custom-profile/custom-profile-fields.service';
import { ProfileDataController } from './custom-profile/profile-data.controller';
import { ProfileDataService } from './custom-profile/profile-data.service';
import { ClientDeviceService } from './devices/client-device.service';
import { ClientDevicesController, PushTokensController } from './devices/devices.controller';
import { PushTokenService } from './devices/push-token.service';
import { AccountChanges } from './records/account-changes.service';
import { ProfileDirectory } from './records/profile.directory';
import { ReadUsersService } from './records/read-users.service';
import { UserRecords } from './records/user-records.service';
import { UsersController } from './records/users.controller';
import { UsersStateService } from './records/users-state.service';
import { LoginSessionService } from './sessions/login-session.service';
import { InitialSettingsController } from './settings/initial-settings.controller';
import { InitialSettingsService } from './settings/initial-settings.service';
import { OthersSettingsService } from './settings/others-settings.service';
import { OwnSettingsController } from './settings/own-settings.controller';
import { OwnSettingsService } from './settings/own-settings.service';
import { PersonalSettingsService } from './settings/personal-settings.service';
import { SlashCommandsController } from './settings/slash-commands.controller';
import { SlashCommandsService } from './settings/slash-commands.service';
import { TombstoneService } from './tombstone.service';
import { Account } from './accounts/account.entity';
import { BotService } from './bots/bot-service.entity';
import { BotStorageEntry } from './bots/bot-storage-entry.entity';
import { ClientDevice } from './devices/client-device.entity';
import { LoginSession } from './sessions/login-session.entity';
import { CustomProfileField } from './custom-profile/custom-profile-field.entity';
import { CustomProfileValue } from './custom-profile/custom-profile-value.entity';
import { PushRegistration } from './devices/push-registration.entity';

/** Providers that other features use. */
const SHARED = [
  AccountDirectory,
  AccountRules,
  CreateAccountService,
  ActorTransactions,
  OwnTransactions,
  UserAccess,
  UserVisibility,
  AccountChanges,
  UserRecords,
  ApiKeyService,
  FirstLoginService,
  PasswordService,
  SignInFailures,
  SessionStart,
  LoginSessionService,
  AvatarService,
  BotServices,
  ProfileDataService,
  InitialSettingsService,
  PersonalSettingsService,
  TombstoneService,
];

/**
 * People and bots: accounts, profiles with custom fields, personal settings, devices, log-in sessions and when they were
 * last used, and who sees whom.
 */
@Tables({
  entities: [
    Account,
    BotService,
    BotStorageEntry,
    ClientDevice,
    LoginSession,
    CustomProfileField,
    CustomProfileValue,
    PushRegistration,
  ],
})
@Module({
  imports: [AuditModule, OrganizationSettingsModule],
  controllers: [
    OwnAvatarController,
    AvatarFileController,
    FindAvatarController,
    ProfileDataController,
    ApiKeyController,
    PushTokensController,
    ClientDevicesController,
    UsersController,
    InitialSettingsController,
    OwnSettingsController,
    SlashCommandsController,
    CustomProfileFieldsController,
    BotStorageController,
  ],
  providers: [
    ...SHARED,
    FindAvatarService,
    ProfileDirectory,
    ReadUsersService,
    UsersStateService,
    OthersSettingsService,
    OwnSettingsService,
    SlashCommandsService,
    CustomProfileFieldsService,
    BotStorageService,
    PushTokenService,
    ClientDeviceService,
  ],
  exports: SHARED,
})
export class UsersModule {}
