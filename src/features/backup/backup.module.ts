import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module';
import { BackupCommandsService } from './backup-commands.service';
import { BackupService } from './backup.service';
import { SettleRestoredService } from './settle-restored.service';

/** Backups to a folder, and what has to happen when they are restored. */
@Module({ imports: [AuditModule], providers: [BackupCommandsService, BackupService, SettleRestoredService] })
export class BackupModule {}

// What other features use of this one.
export { BACKUP_FORMAT, type BackupManifest, DATABASE_FILE, SECRET_FILE } from './folder/backup-manifest';
export { BackupFolder } from './folder/backup-folder';
export { flush } from './folder/copy-file';
