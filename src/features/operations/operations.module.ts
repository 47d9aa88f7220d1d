import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module';
import { BackupCommandsService } from './backup/backup-commands.service';
import { BackupService } from './backup/backup.service';
import { SettleRestoredService } from './backup/settle-restored.service';
import { PauseWritesService } from './move-database/pause-writes.service';
import { HealthModule } from '../../platform/health/health.module';
import { ServerConfigurationService, ServerStatusService } from './server-status/server-status.service';
import { ServerFiguresService, StorageFiguresService } from './server-status/server-figures.service';
import { ServerMetrics } from './server-status/server-metrics.service';
import { ServerStatusController } from './server-status/server-status.controller';
import { ChannelsModule } from '../channels/channels.module';
import { MembershipModule } from '../membership/membership.module';
import { FlagsModule } from '../flags/flags.module';
import { MessagesModule } from '../messages/messages.module';
import { PresenceModule } from '../presence/presence.module';
import { ReactionsModule } from '../reactions/reactions.module';
import { UserGroupsModule } from '../user-groups/user-groups.module';
import { UsersModule } from '../users/users.module';
import { DemoMessagesService } from './demo/demo-messages.service';
import { DemoPeopleService, DemoPlacesService } from './demo/demo-places.service';
import { MakeDemoService } from './demo/make-demo.service';
import { CheckDatabaseService } from './integrity/check-database.service';
import { StoredFilesService } from './integrity/stored-files.service';
import { QuarantineService } from './quarantine/quarantine.service';
import { RotateSecretService } from './secret/rotate-secret.service';
import { ModuleCommandsService } from './plugins/module-commands.service';

/** Operations: backup, database moves, status, integrity, sample data. */
@Module({
  imports: [
    AuditModule,
    HealthModule,
    UsersModule,
    UserGroupsModule,
    ChannelsModule,
    MessagesModule,
    FlagsModule,
    MembershipModule,
    ReactionsModule,
    PresenceModule,
  ],
  providers: [
    BackupCommandsService,
    BackupService,
    SettleRestoredService,
    PauseWritesService,
    ServerConfigurationService,
    ServerFiguresService,
    ServerMetrics,
    ServerStatusService,
    StorageFiguresService,
    QuarantineService,
    RotateSecretService,
    DemoMessagesService,
    DemoPeopleService,
    DemoPlacesService,
    MakeDemoService,
    CheckDatabaseService,
    StoredFilesService,
    ModuleCommandsService,
  ],
  controllers: [ServerStatusController],
})
export class OperationsModule {}

// Exports for other features.
export {
  BACKUP_FORMAT,
  type BackupManifest,
  DATABASE_FILE,
  MANIFEST,
  parseManifest,
  SECRET_FILE,
} from './backup/folder/backup-manifest';
export { BackupFolder, MAX_MANIFEST_BYTES, requireSaved } from './backup/folder/backup-folder';
export { copyContent, flush } from './backup/folder/copy-file';
export type { RestoredKey } from './backup/settle-restored.service';
export { invariantsSought } from './integrity/integrity.hooks';
