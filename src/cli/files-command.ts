import { Argument, type Command } from 'commander';
import { amount, conclude } from './output';
import { commandOf, type CommonOptions, configOf, withContext } from './run-command';

/** The command that moves files of users between the data folder and a bucket. */
export function addFilesCommand(program: Command): void {
  const files = program.command('files').description('where uploads, pictures and exports are kept');
  commandOf(
    files,
    'copy',
    'copy them into the bucket that FILES_URL names, or back; also while the server runs',
  )
    .addArgument(new Argument('<to>', 'where to').choices(['bucket', 'folder']))
    .addHelpText(
      'after',
      '\nCopy while the server runs with the old setting, restart it with the new one, and copy again: only new files are\n' +
        'copied. Nothing is deleted.',
    )
    .action((to: 'bucket' | 'folder', options: CommonOptions) =>
      conclude(options, async () => {
        const config = configOf(options);
        const { copyFiles } = await import('./copy-files.js');
        const result = await withContext(config, (context) => copyFiles(to, config, context));
        const { copied, kept, bytes } = result;
        const size = `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
        return { result, text: `Copied ${amount(copied, 'file')} (${size}); ${kept} were there already.` };
      }),
    );
}
