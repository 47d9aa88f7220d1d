import { Platform1700000000000 } from './0000-platform.migration';
import { Initial1700000000001 } from './0001-initial.migration';
import { Reactions1700000000002 } from './0002-reactions.migration';
import { Personal1700000000003 } from './0003-personal.migration';
import { Linkifiers1700000000004 } from './0004-linkifiers.migration';
import { MessageChanges1700000000005 } from './0005-message-changes.migration';
import { Search1700000000006 } from './0006-search.migration';
import { Realtime1700000000007 } from './0007-realtime.migration';
import { OutgoingWebhooks1700000000008 } from './0008-outgoing-webhooks.migration';
import { Installation1700000000010 } from './0010-installation.migration';
import { LoginSessions1700000000011 } from './0011-login-sessions.migration';
import { MessagingBridge1700000000012 } from './0012-messaging-bridge.migration';
import { UnfinishedWork1700000000014 } from './0014-unfinished-work.migration';
import { SessionOrigins1700000000015 } from './0015-session-origins.migration';
import { ForgottenTopics1700000000016 } from './0016-forgotten-topics.migration';
import { SentEchoPolicies1700000000017 } from './0017-sent-echo-policies.migration';
import { Jobs1700000000018 } from './0018-jobs.migration';
import { SavedSnippets1700000000019 } from './0019-saved-snippets.migration';
import { NavigationViews1700000000020 } from './0020-navigation-views.migration';
import { OnboardingSteps1700000000021 } from './0021-onboarding-steps.migration';
import { Drafts1700000000022 } from './0022-drafts.migration';
import { UploadSpace1700000000023 } from './0023-upload-space.migration';
import { Audit1700000000024 } from './0024-audit.migration';
import { ScheduledMessages1700000000025 } from './0025-scheduled-messages.migration';
import { Submessages1700000000026 } from './0026-submessages.migration';
import { DefaultChannelGroups1700000000027 } from './0027-default-channel-groups.migration';
import { OrganizationUuid1700000000028 } from './0028-organization-uuid.migration';
import { AttachmentPictures1700000000029 } from './0029-attachment-pictures.migration';
import { EditedSettings1700000000030 } from './0030-edited-settings.migration';
import { ReminderTargets1700000000031 } from './0031-reminder-targets.migration';
import { Invitations1700000000032 } from './0032-invitations.migration';
import { BrowserSessions1700000000033 } from './0033-browser-sessions.migration';
import { SearchTerms1700000000039 } from './0039-search-terms.migration';
import { UnfinishedUploads1700000000038 } from './0038-unfinished-uploads.migration';
import { WebhookDeliveries1700000000037 } from './0037-webhook-deliveries.migration';
import { ModuleMigrations1700000000036 } from './0036-module-migrations.migration';

/** Every migration, oldest first. */
export const migrations = [
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
