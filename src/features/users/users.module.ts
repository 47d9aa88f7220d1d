import { Module } from '@nestjs/common';
import { OrganizationSettingsModule } from '../organization-settings';
import { AccountActivityRegistry } from './account-activity.registry';
import { AccountChanges } from './account-changes.service';
import { AccountDirectory } from './account.directory';
import { AccountRules } from './account-rules.service';
import { ApiKeyController } from './own-settings/api-key.controller';
import { ApiKeyService } from './api-key.service';
import { AvatarFileController, OwnAvatarController } from './profile/avatar.controller';
import { AvatarService } from './avatar.service';
import { BotStorageController } from './bot-storage/bot-storage.controller';
import { BotStorageService } from './bot-storage/bot-storage.service';
import { ClientDeviceService } from './devices/client-device.service';
import { ClientDevicesStateService } from './devices/client-devices-state.service';
import { CreateAccountService } from './create-account.service';
import { CustomProfileFieldsController } from './custom-profile/custom-profile-fields.controller';
import { CustomProfileFieldsService } from './custom-profile/custom-profile-fields.service';
import { CustomProfileFieldsStateService } from './custom-profile/custom-profile-fields-state.service';
import { ClientDevicesController, PushTokensController } from './devices/devices.controller';
import { FirstLoginService } from './first-login.service';
import { LoginSessionExpiry } from './sessions/login-session-expiry.service';
import { LoginSessionService } from './login-session.service';
import { NewestMessageRegistry } from './newest-message.registry';
import { OwnPasswordService } from './own-password.service';
import { OwnSettingsController } from './own-settings/own-settings.controller';
import { OwnSettingsService } from './own-settings/own-settings.service';
import { PasswordLoginService } from './password-login.service';
import { PersonAdministrationAccess } from './person-administration.access';
import { PersonalDataRegistry } from './personal-data.registry';
import { PersonalSettingObserverRegistry } from './personal-setting-observer.registry';
import { PersonalSettingsStateService } from './own-settings/personal-settings-state.service';
import { PersonalSettingsService } from './personal-settings.service';
import { ProfileDataController } from './custom-profile/profile-data.controller';
import { ProfileDirectory } from './profile/profile.directory';
import { ProfileDataService } from './profile-data.service';
import { ProfileTextRegistry } from './profile-text.registry';
import { PushTokenService } from './devices/push-token.service';
import { ReadUsersService } from './profile/read-users.service';
import { VisibilityObserverRegistry } from './visibility-observer.registry';
import { TombstoneService } from './tombstone.service';
import { UserAccess } from './user.access';
import { UserRecords } from './user-records.service';
import { UserVisibilityRegistry } from './user-visibility.registry';
import { UserVisibility } from './user-visibility.service';
import { UsersController } from './users.controller';
import { UsersStateService } from './users-state.service';
import { ActorTransactions } from './actor-transactions.service';

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
