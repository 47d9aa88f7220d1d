import { Module } from '@nestjs/common';
import { AuditModule } from '../audit';
import { BackupCommandsService } from './backup-commands.service';
import { BackupService } from './backup.service';
import { SettleRestoredService } from './settle-restored.service';

/** Backups to a folder, and what has to happen when they are restored. */
@Module({ imports: [AuditModule], providers: [BackupCommandsService, BackupService, SettleRestoredService] })
export class BackupModule {}
