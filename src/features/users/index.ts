/** What other features use of this one. Nothing else of it is imported from outside. */
export { UsersModule } from './users.module';

// Accounts: their rows, all of them in memory, and what names and addresses must be.
export { AccountDirectory, type AccountRecord, actorOf, emailKey } from './accounts/account.directory';
export { Account } from './accounts/account.entity';
export { AccountRules } from './accounts/account-rules.service';
export { avatarUrl, isExternalAvatar } from './accounts/avatar-url';
export { CreateAccountService, type NewAccount } from './accounts/create-account.service';
export { EmailVisibility, seesDeliveryEmail, type Viewer } from './accounts/email-visibility';
export { personalSetting, type PersonalSettings } from './accounts/personal-settings.wire';

// Access: who sees whom, who may reach which account, and transactions of people, with their current roles or on what is theirs.
export { ActorTransactions } from './access/actor-transactions.service';
export { OwnTransactions } from './access/own-transactions.service';
export {
  DisposableEmailRefused,
  EmailDomainNotAllowed,
  EmailWithPlus,
  NoSuchUser,
  UserIsDeleted,
  UserDeactivated,
} from './accounts/account.errors';
export { UserAccess } from './access/user.access';
export { UserVisibility } from './access/user-visibility.service';

// Records: what people see of accounts, and changing it.
export { AccountChanges } from './records/account-changes.service';
export { userAdded, userRemoved, userUpdated } from './records/user.events';
export { toWireDate, UNKNOWN_USER } from './records/user-record.wire';
export { UserRecords } from './records/user-records.service';

// What people sign in with, and where they are signed in.
export { ApiKeyService } from './credentials/api-key.service';
export { FirstLoginService } from './credentials/first-login.service';
export { linkGrounds, type LinkGrounds } from './credentials/link-grounds';
export { type PasswordLogin, PasswordService } from './credentials/password.service';
export { SignInFailures } from './credentials/sign-in-failures.service';
export { SessionStart, type StartedSession } from './credentials/session-start.service';
export type { SessionKind } from './sessions/login-session.entity';
export { LoginSessionService } from './sessions/login-session.service';

// Pictures, profile fields and personal settings.
export { avatarPaths, AvatarService } from './avatars/avatar.service';
export { ProfileDataService, type ProfileEntry } from './custom-profile/profile-data.service';
export { languageName } from './settings/languages';
export { InitialSettingsService } from './settings/initial-settings.service';
export { PersonalSettingsService } from './settings/personal-settings.service';

// Bots that are reached from outside.
export { BotService } from './bots/bot-service.entity';
export { BotServices, type BotServiceUpdate } from './bots/bot-services.service';

// Deletion for good.
export { TombstoneService } from './tombstone.service';

// Hooks to listen to, and ports to provide.
export {
  accessToAllUsersPort,
  groupMembersPort,
  accountActivityChanged,
  callerCheckPort,
  conversationPartnersSought,
  emailChanged,
  newestMessagesPort,
  peopleShown,
  personalDataRemoved,
  personalSettingsChanged,
  profileTextsPort,
} from './users.hooks';
