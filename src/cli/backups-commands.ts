import type { Command } from 'commander';
import { amount, conclude } from './output';
import { commandOf, type CommonOptions, configOf, withContext } from './run-command';

/** Commands for backups in the bucket of BACKUP_URL. */
export function addBackupsCommands(program: Command): void {
  const backups = program.command('backups').description('backups in the bucket that BACKUP_URL names');
  commandOf(backups, 'send <backup>', 'send a backup there, and hold it for BACKUP_LOCK_DAYS').action(
    (backup: string, options: CommonOptions) =>
      conclude(options, async () => {
        const config = configOf(options);
        const { sendBackup } = await import('./backups.js');
        const result = await withContext(config, (context) => sendBackup(backup, config, context));
        const held =
          result.heldUntil === null ? '' : ` Nobody can delete it before ${result.heldUntil.slice(0, 10)}.`;
        return { result, text: `Sent ${amount(result.files, 'file')} as ${result.name}.${held}` };
      }),
  );
  commandOf(backups, 'list', 'list their names, oldest first').action((options: CommonOptions) =>
    conclude(options, async () => {
      const { listBackups } = await import('./backups.js');
      const names = await listBackups(configOf(options));
      return { result: { backups: names }, text: names.length > 0 ? names.join('\n') : 'There are none.' };
    }),
  );
  commandOf(backups, 'fetch <name> <folder>', 'fetch one into a new folder, and verify each file').action(
    (name: string, folder: string, options: CommonOptions) =>
      conclude(options, async () => {
        const config = configOf(options);
        const { fetchBackup } = await import('./backups.js');
        const result = await withContext(config, (context) => fetchBackup(name, folder, config, context));
        return { result, text: `${result.folder} holds ${name}: ${amount(result.files, 'file')}.` };
      }),
  );
}
