/** What other features use of this one. Nothing else of it is imported from outside. */
export { type AccountActivityObserver, AccountActivityRegistry } from './accounts/account-activity.registry';
export { AccountChanges } from './records/account-changes.service';
export { AccountRules } from './accounts/account-rules.service';
export {
  AccountDirectory,
  type AccountRecord,
  actorOf,
  emailKey,
  EmailVisibility,
} from './accounts/account.directory';
export { Account } from './accounts/account.entity';
export { ActorTransactions } from './access/actor-transactions.service';
export { ApiKeyService } from './credentials/api-key.service';
export { avatarPaths, AvatarService } from './avatars/avatar.service';
export { BotService } from './bots/bot-service.entity';
export {
  CreateAccountService,
  type NewAccount,
  withLowerCaseDomain,
} from './accounts/create-account.service';
export { FirstLoginService } from './credentials/first-login.service';
export { LoginSessionService } from './sessions/login-session.service';
export { NewestMessageRegistry } from './records/newest-message.registry';
export { OwnPasswordService } from './credentials/own-password.service';
export { type PasswordLogin, PasswordLoginService } from './credentials/password-login.service';
export { PersonAdministrationAccess } from './access/person-administration.access';
export { type PersonalDataKeeper, PersonalDataRegistry } from './accounts/personal-data.registry';
export {
  type PersonalSettingObserver,
  PersonalSettingObserverRegistry,
} from './settings/personal-setting-observer.registry';
export { PersonalSettingsService } from './settings/personal-settings.service';
export { personalSetting, type PersonalSettings } from './settings/personal-settings.wire';
export { ProfileDataService, type ProfileEntry } from './custom-profile/profile-data.service';
export { ProfileTextRegistry } from './custom-profile/profile-text.registry';
export { TombstoneService } from './tombstone.service';
export {
  avatarUrl,
  avatarUrlOf,
  isExternalAvatar,
  seesDeliveryEmail,
  toWireDate,
  UNKNOWN_USER,
  type Viewer,
} from './records/user-record.wire';
export { UserRecords } from './records/user-records.service';
export { UserVisibilityRegistry } from './access/user-visibility.registry';
export { UserVisibility } from './access/user-visibility.service';
export { UserAccess } from './access/user.access';
export { userAdded, userRemoved, userUpdated } from './records/user.events';
export { UsersModule } from './users.module';
export { type VisibilityObserver, VisibilityObserverRegistry } from './access/visibility-observer.registry';
