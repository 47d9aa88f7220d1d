import { Module, type DynamicModule } from '@nestjs/common';
import { entities } from './app.entities';
import { OrganizationModule } from './features/organization';
import { AlertWordsModule } from './features/alert-words';
import { ApiDescriptionModule } from './features/api-description';
import { AuditModule } from './features/audit';
import { AuthModule } from './features/auth';
import { BackupModule } from './features/backup';
import { ChannelsModule } from './features/channels';
import { AdminModule } from './features/admin';
import { DemoModule } from './features/demo';
import { DraftsModule } from './features/drafts';
import { EmojiModule } from './features/emoji';
import { FlagsModule } from './features/flags';
import { IntegrityModule } from './features/integrity';
import { LinkifiersModule } from './features/linkifiers';
import { MessageChangesModule } from './features/message-changes';
import { MessagingBridgeModule } from './features/messaging-bridge';
import { MessagesModule } from './features/messages';
import { MembershipModule } from './features/membership';
import { MutedUsersModule } from './features/muted-users';
import { OrganizationSettingsModule } from './features/organization-settings';
import { PresenceModule } from './features/presence';
import { OutgoingWebhooksModule } from './features/outgoing-webhooks';
import { ReactionsModule } from './features/reactions';
import { TopicsModule } from './features/topics';
import { TypingModule } from './features/typing';
import { RealtimeModule } from './features/realtime';
import { ScheduledMessagesModule } from './features/scheduled-messages';
import { SavedSnippetsModule } from './features/saved-snippets';
import { UploadsModule } from './features/uploads';
import { UserGroupsModule } from './features/user-groups';
import { UsersModule } from './features/users';
import { NavigationViewsModule } from './features/navigation-views';
import { OnboardingStepsModule } from './features/onboarding-steps';
import { WidgetsModule } from './features/widgets';
import { type Clock, ClockModule } from './platform/clock';
import { Config } from './platform/config/config';
import { ConfigModule } from './platform/config/config.module';
import { DatabaseModule } from './platform/database/database.module';
import { EventsModule } from './platform/events/events.module';
import { FilesModule } from './platform/files/files.module';
import { HealthModule } from './platform/health/health.module';
import { HooksModule } from './platform/hooks/hooks.module';
import { HttpModule } from './platform/http/http.module';
import { JobsModule } from './platform/jobs/jobs.module';
import { LifecycleModule } from './platform/lifecycle/lifecycle.module';
import { ProcessPurpose } from './platform/lifecycle/periodic-task';
import { OperatorSocketModule } from './platform/operator/operator-socket.module';
import { MetricsModule } from './platform/metrics/metrics.module';
import { PicturesModule } from './platform/pictures/pictures.module';
import { SecretsModule } from './platform/secrets/secrets.module';

/** What everything stands on. */
const platform = (config: Config, clock: Clock, purpose: ProcessPurpose) => [
  ConfigModule.forRoot(config),
  ClockModule.forRoot(clock),
  LifecycleModule.forRoot(purpose),
  MetricsModule,
  HooksModule,
  DatabaseModule.forRoot({ entities }),
  EventsModule,
  JobsModule,
  SecretsModule,
  FilesModule,
  PicturesModule,
  OperatorSocketModule,
];

/** What the product does, from the bottom up. */
const features = [
  AuditModule,
  OrganizationSettingsModule,
  UsersModule,
  AlertWordsModule,
  MutedUsersModule,
  SavedSnippetsModule,
  NavigationViewsModule,
  OnboardingStepsModule,
  UserGroupsModule,
  ChannelsModule,
  TopicsModule,
  MessagesModule,
  DraftsModule,
  ScheduledMessagesModule,
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
  RealtimeModule,
  OutgoingWebhooksModule,
  MessagingBridgeModule,
  OrganizationModule,
  ApiDescriptionModule,
  AdminModule,
  BackupModule,
  DemoModule,
  IntegrityModule,
];

/** The path of a request: who is calling, then what every route has in common. Guards run in this order. */
const pipeline = [
  AuthModule,
  HttpModule.forRootAsync({ inject: [Config], useFactory: (config: Config) => config }),
];

/** Table of contents: every part of the platform, every feature, every global guard, filter and interceptor. */
@Module({})
export class AppModule {
  static forRoot(config: Config, clock: Clock, purpose = new ProcessPurpose(true)): DynamicModule {
    return {
      module: AppModule,
      imports: [...platform(config, clock, purpose), ...features, ...pipeline, HealthModule],
    };
  }
}
