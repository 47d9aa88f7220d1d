import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Migrations } from '../../platform/database/database.options';
import { AuditModule } from '../audit/audit.module';
import { OrganizationSettingsModule } from '../organization-settings/organization-settings.module';
import { ActorTransactions, OwnTransactions } from './access/actor-transactions.service';
import { OperatorAccountAccess } from './access/operator-account.access';
import { UserAccess, UserVisibility } from './access/user.access';
import { AccountDirectory } from './accounts/account.directory';
import { AccountRules, CreateAccountService } from './accounts/accounts.service';
import { AvatarFileController, FindAvatarController, OwnAvatarController } from './avatars/avatar.controller';
import { AvatarService, FindAvatarService } from './avatars/avatar.service';
import { BotServices, BotStorageService } from './bots/bots.service';
import {
  BotStorageController,
  CustomProfileFieldsController,
  ProfileDataController,
  UsersController,
} from './users.controller';
import { ApiKeyController } from './credentials/api-key.controller';
import { ApiKeyService } from './credentials/api-key.service';
import { FirstLoginService } from './credentials/first-login.service';
import { NewPasswords } from './credentials/new-passwords.service';
import { PasswordService } from './credentials/password.service';
import { SignInFailures } from './credentials/sign-in-failures.service';
import { SessionStart } from './credentials/session-start.service';
import { CustomProfileFieldsService } from './custom-profile/custom-profile-fields.service';
import { ProfileDataService } from './custom-profile/profile-data.service';
import { ClientDeviceService, PushTokenService } from './devices/devices.service';
import { ClientDevicesController, PushTokensController } from './devices/devices.controller';
import { AccountChanges } from './records/account-changes.service';
import { ProfileDirectory } from './records/profile.directory';
import { ReadUsersService, UserRecords, UsersStateService } from './records/user-records.service';
import { FactorPolicy } from './factors/factor-policy.service';
import { RememberedDevicesTable1700000000055 } from './factors/0055-remembered-devices.migration';
import { RememberedBrowsersColumns1700000000058 } from './factors/0058-remembered-browsers.migration';
import { Passkeys1700000000059 } from './factors/0059-passkeys.migration';
import { Passkey, UsedChallenge } from './factors/passkey.entity';
import { PasskeyChallenges } from './factors/passkey-challenges.service';
import { PasskeyProofs } from './factors/passkey-proofs.service';
import { Passkeys } from './factors/passkeys.service';
import { UsedChallenges } from './factors/used-challenges.service';
import { RecoveryCodeService } from './factors/recovery-codes.service';
import { SecondFactors1700000000045 } from './factors/0045-second-factors.migration';
import { RememberedDevice } from './factors/remembered-device.entity';
import { RememberedDevices } from './factors/remembered-devices.service';
import { SecondFactor } from './factors/second-factor.entity';
import { SecondFactors } from './factors/second-factors.service';
import { SignInChallenges } from './factors/sign-in-challenges.service';
import { NamedKeys1700000000048 } from './keys/0048-named-keys.migration';
import { KeysOfChannels1700000000062 } from './keys/0062-keys-of-channels.migration';
import { KeyUse } from './keys/key-use.service';
import { NamedKey } from './keys/named-key.entity';
import { NamedKeyDirectory } from './keys/named-keys.directory';
import { NamedKeys } from './keys/named-keys.service';
import { SessionStrength1700000000050 } from './sessions/0050-session-strength.migration';
import { SessionUse1700000000044 } from './sessions/0044-session-use.migration';
import { LoginSessionService } from './sessions/login-session.service';
import { SessionUse } from './sessions/session-use.service';
import {
  InitialSettingsController,
  OwnSettingsController,
  SlashCommandsController,
} from './settings/settings.controller';
import { InitialSettingsService, PersonalSettingsService } from './settings/personal-settings.service';
import { OthersSettingsService, OwnSettingsService } from './settings/change-settings.service';
import { SlashCommandsService } from './settings/slash-commands.service';
import { TombstoneService } from './tombstone.service';
import { Account, BotEndpoint, BotStorageEntry } from './accounts/account.entity';
import { ClientDevice, PushRegistration } from './devices/devices.entity';
import { IdTokensColumn1700000000056 } from './sessions/0056-id-tokens.migration';
import { ProviderSessions1700000000042 } from './sessions/0042-provider-sessions.migration';
import { LoginSession } from './sessions/login-session.entity';
import { CustomProfileField, CustomProfileValue } from './custom-profile/custom-profile-field.entity';

/** Providers that other features use. */
const SHARED = [
  AccountDirectory,
  AccountRules,
  CreateAccountService,
  ActorTransactions,
  OwnTransactions,
  UserAccess,
  UserVisibility,
  OperatorAccountAccess,
  AccountChanges,
  UserRecords,
  ApiKeyService,
  FirstLoginService,
  NewPasswords,
  PasswordService,
  SignInFailures,
  RememberedDevices,
  SecondFactors,
  Passkeys,
  UsedChallenges,
  PasskeyChallenges,
  FactorPolicy,
  SessionStart,
  LoginSessionService,
  KeyUse,
  NamedKeyDirectory,
  NamedKeys,
  AvatarService,
  BotServices,
  ProfileDataService,
  InitialSettingsService,
  PersonalSettingsService,
  TombstoneService,
];

/** Users and bots: accounts, profiles, personal settings, devices, sessions, visibility. */
@Migrations(
  ProviderSessions1700000000042,
  SessionUse1700000000044,
  SecondFactors1700000000045,
  NamedKeys1700000000048,
  KeysOfChannels1700000000062,
  SessionStrength1700000000050,
  RememberedDevicesTable1700000000055,
  RememberedBrowsersColumns1700000000058,
  IdTokensColumn1700000000056,
  Passkeys1700000000059,
)
@Module({
  imports: [
    TypeOrmModule.forFeature([
      Account,
      BotEndpoint,
      BotStorageEntry,
      ClientDevice,
      LoginSession,
      NamedKey,
      SecondFactor,
      Passkey,
      UsedChallenge,
      RememberedDevice,
      CustomProfileField,
      CustomProfileValue,
      PushRegistration,
    ]),
    AuditModule,
    OrganizationSettingsModule,
  ],
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
    SessionUse,
    SignInChallenges,
    PasskeyProofs,
    RecoveryCodeService,
  ],
  exports: SHARED,
})
export class UsersModule {}

// Exports for other features.
export {
  AccountDirectory,
  type AccountRecord,
  actorOf,
  avatarUrl,
  emailKey,
  isExternalAvatar,
} from './accounts/account.directory';
export { Account, BotEndpoint } from './accounts/account.entity';
export { AccountRules, CreateAccountService, type NewAccount } from './accounts/accounts.service';
export {
  DisposableEmailRefused,
  EMAIL_VISIBILITIES,
  EmailDomainNotAllowed,
  EmailVisibility,
  EmailWithPlus,
  FULL_NAME_LENGTHS,
  NoSuchUser,
  seesDeliveryEmail,
  UserDeactivated,
  UserIsDeleted,
  type Viewer,
} from './accounts/accounts.api';
export {
  PERSONAL_SETTING_NAMES,
  PERSONAL_SETTINGS,
  personalSetting,
  type PersonalSettings,
} from './accounts/personal-settings.api';
export { ActorTransactions, OwnTransactions } from './access/actor-transactions.service';
export { OperatorAccountAccess } from './access/operator-account.access';
export { UserAccess, UserVisibility } from './access/user.access';
export { AccountChanges } from './records/account-changes.service';
export { userAdded, userRemoved, userUpdated, toWireDate, UNKNOWN_USER } from './records/user-records.api';
export { UserRecords } from './records/user-records.service';
export { ApiKeyService } from './credentials/api-key.service';
export {
  AddressNeedsProof,
  DirectoryUnreachable,
  LoginFailed,
  WrongPassword,
} from './credentials/credentials.api';
export { FirstLoginService } from './credentials/first-login.service';
export { linkBasis, type LinkBasis } from './credentials/link-basis';
export { NewPasswords } from './credentials/new-passwords.service';
export { type PasswordLogin, PasswordService } from './credentials/password.service';
export { SignInFailures } from './credentials/sign-in-failures.service';
export { FactorPolicy } from './factors/factor-policy.service';
export {
  CodeRefused,
  MAX_CODE,
  OwnFactorFirst,
  SecondFactorMissing,
  SecondFactorRequired,
  WrongCode,
} from './factors/second-factors.api';
export { seedAddress } from './factors/one-time-codes';
export { RememberedDevices } from './factors/remembered-devices.service';
export {
  type CreationOptions,
  PASSKEY_LIMITS,
  type PasskeyProof,
  PasskeyRefused,
  WrongPasskey,
} from './factors/passkeys.api';
export type { Passkey } from './factors/passkey.entity';
export { type NewChallenge, PasskeyChallenges, type UseOptions } from './factors/passkey-challenges.service';
export { Passkeys } from './factors/passkeys.service';
export { UsedChallenges } from './factors/used-challenges.service';
export { type FactorProof, SecondFactors } from './factors/second-factors.service';
export {
  type CodeLogin,
  type PasskeyLogin,
  SessionStart,
  type StartedSession,
} from './credentials/session-start.service';
export type { SessionKind } from './sessions/login-session.entity';
export { KeyUse } from './keys/key-use.service';
export { type NamedKey, scopesOf } from './keys/named-key.entity';
export { NoSuchNamedKey } from './keys/named-keys.api';
export { digestOf, type KnownKey, NamedKeyDirectory } from './keys/named-keys.directory';
export { type CreatedNamedKey, NamedKeys } from './keys/named-keys.service';
export {
  type EndedSession,
  LoginSessionService,
  type ProviderSession,
  type SessionAuthentication,
} from './sessions/login-session.service';
export { avatarPaths, AvatarService } from './avatars/avatar.service';
export { ProfileDataService, type ProfileEntry } from './custom-profile/profile-data.service';
export { checkedFieldData, checkedKind, type FieldData, isMarkdownKind } from './custom-profile/field-kinds';
export { languageName } from './settings/locale';
export { InitialSettingsService, PersonalSettingsService } from './settings/personal-settings.service';
export { BotServices, type BotServiceUpdate } from './bots/bots.service';
export { TombstoneService } from './tombstone.service';
export {
  accessToAllUsersPort,
  groupMembersPort,
  accountActivityChanged,
  callerCheckPort,
  contentErased,
  conversationPartnersSought,
  type CredentialChange,
  credentialsChanged,
  emailChanged,
  type Erased,
  newestMessagesPort,
  passwordDirectoryPort,
  peopleShown,
  allSessionsEnded,
  personalDataRemoved,
  personalSettingsChanged,
  profileTextsPort,
  signedIn,
  type StartPage,
  startPagePort,
} from './users.hooks';
