/** What other features use of this one. Nothing else of it is imported from outside. */
export { BackupModule } from './backup.module';
export { BACKUP_FORMAT, type BackupManifest, DATABASE_FILE, SECRET_FILE } from './folder/backup-manifest';
export { BackupFolder } from './folder/backup-folder';
export { flush } from './folder/copy-file';
