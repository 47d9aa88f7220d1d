import type { FeatureTables, MigrationClass } from './database.options';
import { Platform1700000000000 } from './migrations/0000-platform.migration';
import { Initial1700000000001 } from './migrations/0001-initial.migration';
import {
  Linkifiers1700000000004,
  MessageChanges1700000000005,
  OutgoingWebhooks1700000000008,
  Personal1700000000003,
  Reactions1700000000002,
  Realtime1700000000007,
  Search1700000000006,
} from './migrations/0002-to-0008-first-features.migration';
import {
  ForgottenTopics1700000000016,
  Installation1700000000010,
  LoginSessions1700000000011,
  MessagingBridge1700000000012,
  SentEchoPolicies1700000000017,
  SessionOrigins1700000000015,
  UnfinishedWork1700000000014,
} from './migrations/0010-to-0017-bridge-and-sessions.migration';
import { Jobs1700000000018 } from './migrations/0018-jobs.migration';
import {
  Audit1700000000024,
  DefaultChannelGroups1700000000027,
  Drafts1700000000022,
  NavigationViews1700000000020,
  OnboardingSteps1700000000021,
  SavedSnippets1700000000019,
  ScheduledMessages1700000000025,
  Submessages1700000000026,
  UploadSpace1700000000023,
} from './migrations/0019-to-0027-personal-content.migration';
import {
  AttachmentPictures1700000000029,
  BrowserSessions1700000000033,
  EditedSettings1700000000030,
  Invitations1700000000032,
  ModuleMigrations1700000000036,
  OrganizationUuid1700000000028,
  ReminderTargets1700000000031,
  SearchTerms1700000000039,
  UnfinishedUploads1700000000038,
  WebhookDeliveries1700000000037,
} from './migrations/0028-to-0039-first-release.migration';

/** Migrations from before they moved to the features, oldest first. */
const former = [
  Platform1700000000000,
  Initial1700000000001,
  Reactions1700000000002,
  Personal1700000000003,
  Linkifiers1700000000004,
  MessageChanges1700000000005,
  Search1700000000006,
  Realtime1700000000007,
  OutgoingWebhooks1700000000008,
  Installation1700000000010,
  LoginSessions1700000000011,
  MessagingBridge1700000000012,
  UnfinishedWork1700000000014,
  SessionOrigins1700000000015,
  ForgottenTopics1700000000016,
  SentEchoPolicies1700000000017,
  Jobs1700000000018,
  SavedSnippets1700000000019,
  NavigationViews1700000000020,
  OnboardingSteps1700000000021,
  Drafts1700000000022,
  UploadSpace1700000000023,
  Audit1700000000024,
  ScheduledMessages1700000000025,
  Submessages1700000000026,
  DefaultChannelGroups1700000000027,
  OrganizationUuid1700000000028,
  AttachmentPictures1700000000029,
  EditedSettings1700000000030,
  ReminderTargets1700000000031,
  Invitations1700000000032,
  BrowserSessions1700000000033,
  ModuleMigrations1700000000036,
  WebhookDeliveries1700000000037,
  UnfinishedUploads1700000000038,
  SearchTerms1700000000039,
];

/**
 * Every migration of the program, oldest first.
 * @throws if two have the same number
 */
export function knownMigrations({ migrations = [] }: FeatureTables): MigrationClass[] {
  const known = new Map<number, MigrationClass>();
  for (const migration of [...former, ...migrations]) {
    const number = numberOf(migration);
    const other = known.get(number);
    if (other)
      throw new Error(`${migration.name} has the same number as ${other.name}. Use the next free number.`);
    known.set(number, migration);
  }
  return [...known].sort(([one], [next]) => one - next).map(([, migration]) => migration);
}

/** TypeORM takes a migration's time, which is its position, from the end of its name. */
function numberOf({ name }: MigrationClass): number {
  const number = /\d{13}$/.exec(name)?.[0];
  if (number === undefined) throw new Error(`The name of ${name} does not end with its number.`);
  return Number(number);
}
