import { Module, type DynamicModule } from '@nestjs/common';
import { entities } from './app.entities';
import { AdminModule } from './features/admin/admin.module';
import { AlertWordsModule } from './features/alert-words/alert-words.module';
import { ApiDescriptionModule } from './features/api-description/api-description.module';
import { AuthModule } from './features/auth/auth.module';
import { BackupModule } from './features/backup/backup.module';
import { ChannelsModule } from './features/channels/channels.module';
import { CompanionModule } from './features/companion/companion.module';
import { DemoModule } from './features/demo/demo.module';
import { EmojiModule } from './features/emoji/emoji.module';
import { MessageFlagsModule } from './features/message-flags/message-flags.module';
import { IntegrityModule } from './features/integrity/integrity.module';
import { LinkifiersModule } from './features/linkifiers/linkifiers.module';
import { MessageChangesModule } from './features/message-changes/message-changes.module';
import { MessagingBridgeModule } from './features/messaging-bridge/messaging-bridge.module';
import { MessagesModule } from './features/messages/messages.module';
import { MembershipModule } from './features/membership/membership.module';
import { MutedUsersModule } from './features/muted-users/muted-users.module';
import { OrganizationModule } from './features/organization/organization.module';
import { PresenceModule } from './features/presence/presence.module';
import { OperatorModule } from './features/operator/operator.module';
import { OutgoingWebhooksModule } from './features/outgoing-webhooks/outgoing-webhooks.module';
import { ReactionsModule } from './features/reactions/reactions.module';
import { TypingModule } from './features/typing/typing.module';
import { RealtimeModule } from './features/realtime/realtime.module';
import { UploadsModule } from './features/uploads/uploads.module';
import { UserGroupsModule } from './features/user-groups/user-groups.module';
import { UsersModule } from './features/users/users.module';
import type { Clock } from './platform/clock';
import { ClientStateModule } from './platform/client-state/client-state.module';
import { ClockModule } from './platform/clock.module';
import { Config } from './platform/config/config';
import { ConfigModule } from './platform/config/config.module';
import { DatabaseModule } from './platform/database/database.module';
import { EventsModule } from './platform/events/events.module';
import { FilesModule } from './platform/files/files.module';
import { HealthModule } from './platform/health/health.module';
import { HttpModule } from './platform/http/http.module';
import { LifecycleModule } from './platform/lifecycle/lifecycle.module';
import { ProcessPurpose } from './platform/lifecycle/process-purpose';
import { OperatorSocketModule } from './platform/operator/operator-socket.module';
import { MetricsModule } from './platform/metrics/metrics.module';
import { SecretsModule } from './platform/secrets/secrets.module';

/** What everything stands on. */
const platform = (config: Config, clock: Clock, purpose: ProcessPurpose) => [
  ConfigModule.forRoot(config),
  ClockModule.forRoot(clock),
  LifecycleModule.forRoot(purpose),
  MetricsModule,
  DatabaseModule.forRoot({ entities }),
  EventsModule,
  ClientStateModule,
  SecretsModule,
  FilesModule,
  OperatorSocketModule,
];

/** What the product does, from the bottom up. */
const features = [
  OrganizationModule,
  UsersModule,
  AlertWordsModule,
  MutedUsersModule,
  UserGroupsModule,
  ChannelsModule,
  MessagesModule,
  EmojiModule,
  ReactionsModule,
  MessageFlagsModule,
  LinkifiersModule,
  UploadsModule,
  MessageChangesModule,
  TypingModule,
  PresenceModule,
  MembershipModule,
  RealtimeModule,
  OutgoingWebhooksModule,
  MessagingBridgeModule,
  AdminModule,
  ApiDescriptionModule,
  CompanionModule,
  OperatorModule,
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
