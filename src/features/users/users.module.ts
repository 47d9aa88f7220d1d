import { Module } from '@nestjs/common';
import { OrganizationSettingsModule } from '../organization-settings';
import { AccountActivityRegistry } from './accounts/account-activity.registry';
import { AccountChanges } from './records/account-changes.service';
import { AccountDirectory } from './accounts/account.directory';
import { AccountRules } from './accounts/account-rules.service';
import { ApiKeyController } from './credentials/api-key.controller';
import { ApiKeyService } from './credentials/api-key.service';
import { AvatarFileController, OwnAvatarController } from './avatars/avatar.controller';
import { AvatarService } from './avatars/avatar.service';
import { BotStorageController } from './bots/bot-storage.controller';
import { BotStorageService } from './bots/bot-storage.service';
import { ClientDeviceService } from './devices/client-device.service';
import { ClientDevicesStateService } from './devices/client-devices-state.service';
import { CreateAccountService } from './accounts/create-account.service';
import { CustomProfileFieldsController } from './custom-profile/custom-profile-fields.controller';
import { CustomProfileFieldsService } from './custom-profile/custom-profile-fields.service';
import { CustomProfileFieldsStateService } from './custom-profile/custom-profile-fields-state.service';
import { ClientDevicesController, PushTokensController } from './devices/devices.controller';
import { FirstLoginService } from './credentials/first-login.service';
import { LoginSessionExpiry } from './sessions/login-session-expiry.service';
import { LoginSessionService } from './sessions/login-session.service';
import { NewestMessageRegistry } from './records/newest-message.registry';
import { OwnPasswordService } from './credentials/own-password.service';
import { OwnSettingsController } from './settings/own-settings.controller';
import { OwnSettingsService } from './settings/own-settings.service';
import { PasswordLoginService } from './credentials/password-login.service';
import { PersonAdministrationAccess } from './access/person-administration.access';
import { PersonalDataRegistry } from './accounts/personal-data.registry';
import { PersonalSettingObserverRegistry } from './settings/personal-setting-observer.registry';
import { PersonalSettingsStateService } from './settings/personal-settings-state.service';
import { PersonalSettingsService } from './settings/personal-settings.service';
import { ProfileDataController } from './custom-profile/profile-data.controller';
import { ProfileDirectory } from './records/profile.directory';
import { ProfileDataService } from './custom-profile/profile-data.service';
import { ProfileTextRegistry } from './custom-profile/profile-text.registry';
import { PushTokenService } from './devices/push-token.service';
import { ReadUsersService } from './records/read-users.service';
import { VisibilityObserverRegistry } from './access/visibility-observer.registry';
import { TombstoneService } from './tombstone.service';
import { UserAccess } from './access/user.access';
import { UserRecords } from './records/user-records.service';
import { UserVisibilityRegistry } from './access/user-visibility.registry';
import { UserVisibility } from './access/user-visibility.service';
import { UsersController } from './records/users.controller';
import { UsersStateService } from './records/users-state.service';
import { ActorTransactions } from './access/actor-transactions.service';

/** What other features use of this one. */
const SHARED = [
  AccountActivityRegistry,
  AccountDirectory,
  CreateAccountService,
  AccountRules,
  AccountChanges,
  ActorTransactions,
  UserAccess,
  UserRecords,
  UserVisibility,
  UserVisibilityRegistry,
  VisibilityObserverRegistry,
  NewestMessageRegistry,
  ProfileTextRegistry,
  ProfileDataService,
  AvatarService,
  ApiKeyService,
  FirstLoginService,
  LoginSessionService,
  OwnPasswordService,
  PasswordLoginService,
  PersonAdministrationAccess,
  PersonalDataRegistry,
  PersonalSettingObserverRegistry,
  PersonalSettingsService,
  TombstoneService,
];

/** People and bots: accounts, profiles and personal settings. */
@Module({
  imports: [OrganizationSettingsModule],
  controllers: [
    OwnAvatarController,
    AvatarFileController,
    ProfileDataController,
    ApiKeyController,
    PushTokensController,
    ClientDevicesController,
    UsersController,
    OwnSettingsController,
    CustomProfileFieldsController,
    BotStorageController,
  ],
  providers: [
    ...SHARED,
    ProfileDirectory,
    ReadUsersService,
    OwnSettingsService,
    LoginSessionExpiry,
    PersonalSettingsStateService,
    CustomProfileFieldsService,
    BotStorageService,
    PushTokenService,
    ClientDeviceService,
    UsersStateService,
    ClientDevicesStateService,
    CustomProfileFieldsStateService,
  ],
  exports: SHARED,
})
export class UsersModule {}
