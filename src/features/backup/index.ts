/** What other features use of this one. Nothing else of it is imported from outside. */
export { BackupModule } from './backup.module';
export {
  BACKUP_FORMAT,
  type BackupManifest,
  DATABASE_FILE,
  MANIFEST,
  parseManifest,
  SECRET_FILE,
} from './folder/backup-manifest';
export { copyFile, flush } from './folder/copy-file';
