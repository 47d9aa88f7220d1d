import { type DynamicModule, Module } from '@nestjs/common';
import { NotificationsModule } from './features/notifications/notifications.module';
import { OrganizationModule } from './features/organization/organization.module';
import { MembershipModule } from './features/membership/membership.module';
import { PersonalModule } from './features/personal/personal.module';
import { WebModule } from './features/web/web.module';
import { AuditModule } from './features/audit/audit.module';
import { AuthModule } from './features/auth/auth.module';
import { OperationsModule } from './features/operations/operations.module';
import { ChannelsModule } from './features/channels/channels.module';
import { AdminModule } from './features/admin/admin.module';
import { DraftsModule } from './features/drafts/drafts.module';
import { EmojiModule } from './features/emoji/emoji.module';
import { MovingModule } from './features/moving/moving.module';
import { FlagsModule } from './features/flags/flags.module';
import { IdentityProvidersModule } from './features/identity-providers/identity-providers.module';
import { IntegrationsModule } from './features/integrations/integrations.module';
import { LinkifiersModule } from './features/linkifiers/linkifiers.module';
import { MailGatewayModule } from './features/mail-gateway/mail-gateway.module';
import { MessageChangesModule } from './features/message-changes/message-changes.module';
import { MessagesModule } from './features/messages/messages.module';
import { OrganizationSettingsModule } from './features/organization-settings/organization-settings.module';
import { PresenceModule } from './features/presence/presence.module';
import { ReactionsModule } from './features/reactions/reactions.module';
import { RealtimeModule } from './features/realtime/realtime.module';
import { UploadsModule } from './features/uploads/uploads.module';
import { UserGroupsModule } from './features/user-groups/user-groups.module';
import { UsersModule } from './features/users/users.module';
import { partsOfModules } from './module/module-surface';
import { type Clock, ClockModule } from './platform/clock';
import { Config } from './platform/config/config';
import { ConfigModule } from './platform/config/config.module';
import { DatabaseModule } from './platform/database/database.module';
import { tablesOf } from './platform/database/database.options';
import { EventsModule } from './platform/events/events.module';
import { FilesModule } from './platform/files/files.module';
import { HealthModule } from './platform/health/health.module';
import { HooksModule } from './platform/hooks/hooks';
import { HttpModule } from './platform/http/http.module';
import { JobsModule } from './platform/jobs/jobs.service';
import { LifecycleModule } from './platform/lifecycle/lifecycle.module';
import type { LoadedModule } from './platform/modules/load-modules';
import { ModulesModule } from './platform/modules/modules.module';
import { ProcessPurpose } from './platform/lifecycle/periodic-task';
import { OperatorSocketModule } from './platform/operator/operator-socket';
import { MailModule } from './platform/mail/mailer.service';
import { MetricsModule } from './platform/metrics/metrics';
import { PicturesModule } from './platform/pictures/pictures';
import { SecretsModule } from './platform/secrets/secrets.module';
import { TracesModule } from './platform/traces/traces';

/** The modules on which all others depend. */
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
  TracesModule,
  HooksModule,
  DatabaseModule.forRoot({ tables, modules: modules.map(({ tables: own }) => own) }),
  ModulesModule.forRoot(modules),
  EventsModule,
  JobsModule,
  SecretsModule,
  MailModule,
  FilesModule,
  PicturesModule,
  OperatorSocketModule,
];

/** The features, from the lowest to the highest. */
const features = [
  AuditModule,
  OrganizationSettingsModule,
  UsersModule,
  OrganizationModule,
  MembershipModule,
  PersonalModule,
  UserGroupsModule,
  ChannelsModule,
  MessagesModule,
  DraftsModule,
  MessageChangesModule,
  EmojiModule,
  ReactionsModule,
  FlagsModule,
  LinkifiersModule,
  UploadsModule,
  PresenceModule,
  MailGatewayModule,
  NotificationsModule,
  RealtimeModule,
  IntegrationsModule,
  IdentityProvidersModule,
  WebModule,
  AdminModule,
  MovingModule,
  OperationsModule,
];

/** The tables of all features. */
export const tables = tablesOf(features);

/** The path of a request: authentication, then what every route has in common. Guards run in this order. */
const pipeline = [
  AuthModule,
  HttpModule.forRootAsync({ inject: [Config], useFactory: (config: Config) => config }),
];

/** Table of contents: every part of the platform, every feature, every global guard, filter and interceptor. */
@Module({})
export class AppModule {
  /** @param modules loaded beforehand, because their tables and routes must be known from the start */
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
