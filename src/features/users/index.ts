/** What other features use of this one. Nothing else of it is imported from outside. */
export { type AccountActivityObserver, AccountActivityRegistry } from './account-activity.registry';
export { AccountChanges } from './account-changes.service';
export { AccountRules } from './account-rules.service';
export {
  AccountDirectory,
  type AccountRecord,
  actorOf,
  emailKey,
  EmailVisibility,
} from './account.directory';
export { Account } from './account.entity';
export { ActorTransactions } from './actor-transactions.service';
export { ApiKeyService } from './api-key.service';
export { avatarPaths, AvatarService } from './avatar.service';
export { BotService } from './bot-service.entity';
export { CreateAccountService, type NewAccount, withLowerCaseDomain } from './create-account.service';
export { FirstLoginService } from './first-login.service';
export { LoginSessionService } from './login-session.service';
export { NewestMessageRegistry } from './newest-message.registry';
export { OwnPasswordService } from './own-password.service';
export { type PasswordLogin, PasswordLoginService } from './password-login.service';
export { PersonAdministrationAccess } from './person-administration.access';
export { type PersonalDataKeeper, PersonalDataRegistry } from './personal-data.registry';
export {
  type PersonalSettingObserver,
  PersonalSettingObserverRegistry,
} from './personal-setting-observer.registry';
export { PersonalSettingsService } from './personal-settings.service';
export { personalSetting, type PersonalSettings } from './personal-settings.wire';
export { ProfileDataService, type ProfileEntry } from './profile-data.service';
export { ProfileTextRegistry } from './profile-text.registry';
export { TombstoneService } from './tombstone.service';
export {
  avatarUrl,
  avatarUrlOf,
  isExternalAvatar,
  seesDeliveryEmail,
  toWireDate,
  UNKNOWN_USER,
  type Viewer,
} from './user-record.wire';
export { UserRecords } from './user-records.service';
export { UserVisibilityRegistry } from './user-visibility.registry';
export { UserVisibility } from './user-visibility.service';
export { UserAccess } from './user.access';
export { userAdded, userRemoved, userUpdated } from './users.events';
export { UsersModule } from './users.module';
export { type VisibilityObserver, VisibilityObserverRegistry } from './visibility-observer.registry';
