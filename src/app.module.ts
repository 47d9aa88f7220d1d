import { Module, type DynamicModule } from '@nestjs/common';
import { OrganizationModule } from './features/organization';
import { OrganizationPicturesModule } from './features/organization-pictures';
import { AllowedDomainsModule } from './features/allowed-domains';
import { AccountNoticesModule } from './features/account-notices';
import { AlertWordsModule } from './features/alert-words';
import { ApiDescriptionModule } from './features/api-description';
import { AuditModule } from './features/audit';
import { AuthModule } from './features/auth';
import { BackupModule } from './features/backup';
import { ChannelsModule } from './features/channels';
import { ConsoleModule } from './features/console';
import { AdminModule } from './features/admin';
import { DemoModule } from './features/demo';
import { DraftsModule } from './features/drafts';
import { EmojiModule } from './features/emoji';
import { FlagsModule } from './features/flags';
import { InvitationsModule } from './features/invitations';
import { IncomingWebhooksModule } from './features/incoming-webhooks';
import { IntegrityModule } from './features/integrity';
import { LinkifiersModule } from './features/linkifiers';
import { MessageChangesModule } from './features/message-changes';
import { MessagingBridgeModule } from './features/messaging-bridge';
import { MessagesModule } from './features/messages';
import { MembershipModule } from './features/membership';
import { ModuleOperationModule } from './features/module-operation';
import { MovingModule } from './features/moving';
import { MutedUsersModule } from './features/muted-users';
import { OrganizationSettingsModule } from './features/organization-settings';
import { PasswordResetModule } from './features/password-reset';
import { PresenceModule } from './features/presence';
import { OutgoingWebhooksModule } from './features/outgoing-webhooks';
import { ReactionsModule } from './features/reactions';
import { ServerStatusModule } from './features/server-status';
import { TopicsModule } from './features/topics';
import { TypingModule } from './features/typing';
import { RealtimeModule } from './features/realtime';
import { ReportsModule } from './features/reports';
import { ScheduledMessagesModule } from './features/scheduled-messages';
import { SavedSnippetsModule } from './features/saved-snippets';
import { UploadsModule } from './features/uploads';
import { UserGroupsModule } from './features/user-groups';
import { WebAppModule } from './features/web-app';
import { UsersModule } from './features/users';
import { NavigationViewsModule } from './features/navigation-views';
import { OnboardingStepsModule } from './features/onboarding-steps';
import { WelcomeModule } from './features/welcome';
import { WidgetsModule } from './features/widgets';
import { DefaultChannelGroupsModule } from './features/default-channel-groups';
import { partsOfModules } from './module/module-surface';
import { type Clock, ClockModule } from './platform/clock';
import { Config } from './platform/config/config';
import { ConfigModule } from './platform/config/config.module';
import { DatabaseModule } from './platform/database/database.module';
import { tablesOf } from './platform/database/tables.decorator';
import { EventsModule } from './platform/events/events.module';
import { FilesModule } from './platform/files/files.module';
import { HealthModule } from './platform/health/health.module';
import { HooksModule } from './platform/hooks/hooks.module';
import { HttpModule } from './platform/http/http.module';
import { JobsModule } from './platform/jobs/jobs.module';
import { LifecycleModule } from './platform/lifecycle/lifecycle.module';
import type { LoadedModule } from './platform/modules/load-modules';
import { ModulesModule } from './platform/modules/modules.module';
import { ProcessPurpose } from './platform/lifecycle/periodic-task';
import { OperatorSocketModule } from './platform/operator/operator-socket.module';
import { MailModule } from './platform/mail/mail.module';
import { MetricsModule } from './platform/metrics/metrics.module';
import { PicturesModule } from './platform/pictures/pictures.module';
import { SecretsModule } from './platform/secrets/secrets.module';

/** What everything stands on. */
const platform = (
  config: Config,
  clock: Clock,
  purpose: ProcessPurpose,
  modules: readonly LoadedModule[],
) => [
  ConfigModule.forRoot(config),
  ClockModule.forRoot(clock),
  LifecycleModule.forRoot(purpose),
  MetricsModule,
  HooksModule,
  DatabaseModule.forRoot({ tables, modules: modules.map(({ definition }) => definition) }),
  ModulesModule.forRoot(modules),
  EventsModule,
  JobsModule,
  SecretsModule,
  MailModule,
  FilesModule,
  PicturesModule,
  OperatorSocketModule,
];

/** What the product does, from the bottom up. */
const features = [
  AuditModule,
  OrganizationSettingsModule,
  UsersModule,
  OrganizationPicturesModule,
  AllowedDomainsModule,
  AccountNoticesModule,
  AlertWordsModule,
  MutedUsersModule,
  SavedSnippetsModule,
  NavigationViewsModule,
  OnboardingStepsModule,
  UserGroupsModule,
  ChannelsModule,
  DefaultChannelGroupsModule,
  TopicsModule,
  MessagesModule,
  DraftsModule,
  ScheduledMessagesModule,
  ReportsModule,
  WelcomeModule,
  WidgetsModule,
  EmojiModule,
  ReactionsModule,
  FlagsModule,
  LinkifiersModule,
  UploadsModule,
  MessageChangesModule,
  TypingModule,
  PresenceModule,
  MembershipModule,
  InvitationsModule,
  PasswordResetModule,
  RealtimeModule,
  OutgoingWebhooksModule,
  IncomingWebhooksModule,
  MessagingBridgeModule,
  OrganizationModule,
  ApiDescriptionModule,
  WebAppModule,
  ConsoleModule,
  AdminModule,
  BackupModule,
  MovingModule,
  ServerStatusModule,
  DemoModule,
  IntegrityModule,
  ModuleOperationModule,
];

/** What all of them have in the database. */
export const tables = tablesOf(features);

/** The path of a request: who is calling, then what every route has in common. Guards run in this order. */
const pipeline = [
  AuthModule,
  HttpModule.forRootAsync({ inject: [Config], useFactory: (config: Config) => config }),
];

/** Table of contents: every part of the platform, every feature, every global guard, filter and interceptor. */
@Module({})
export class AppModule {
  /** @param modules loaded before, as their tables and routes have to be known from the start */
  static forRoot(
    config: Config,
    clock: Clock,
    purpose = new ProcessPurpose(true),
    modules: readonly LoadedModule[] = [],
  ): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ...platform(config, clock, purpose, modules),
        ...features,
        ...partsOfModules(modules),
        ...pipeline,
        HealthModule,
      ],
    };
  }
}
