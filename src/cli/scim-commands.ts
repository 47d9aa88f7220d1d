import type { Command } from 'commander';
import { conclude, table } from './output';
import { commandOf, type CommonOptions, runCommand } from './run-command';

interface Key {
  readonly id: number;
  readonly directory: string;
  /** UNIX seconds. */
  readonly created_at: number;
  readonly last_used_at: number | null;
}

interface NewKey extends Key {
  readonly key: string;
}

/** Commands about the directories that keep people and groups. */
export function addScimCommands(program: Command): void {
  const scim = program.command('scim').description('manage keys of directories (SCIM)');
  commandOf(scim, 'list', 'list directory keys').action((options: CommonOptions) =>
    conclude(options, async () => {
      const result = await runCommand<{ keys: readonly Key[] }>('scim list', {}, options);
      return { result, text: textOf(result.keys) };
    }),
  );
  commandOf(scim, 'add <directory>', 'create a directory key, and show it once')
    .addHelpText(
      'after',
      '\n<directory> is a name of your choice, such as okta. Keys of a directory share its people and groups.',
    )
    .action((directory: string, options: CommonOptions) =>
      conclude(options, async () => {
        const result = await runCommand<NewKey>('scim add', { directory }, options);
        const { id, key } = result;
        return { result, text: `Key ${id} of ${directory}. It is not shown again:\n\n  ${key}` };
      }),
    );
  commandOf(scim, 'revoke <id>', 'revoke a directory key').action((id: string, options: CommonOptions) =>
    conclude(options, async () => {
      const result = await runCommand<object>('scim revoke', { id: Number(id) }, options);
      return { result, text: `Key ${id} is revoked.` };
    }),
  );
}

function textOf(keys: readonly Key[]): string {
  if (keys.length === 0) return 'No directory has a key. Make one with "parley scim add".';
  const day = (seconds: number | null) =>
    seconds === null ? 'never' : new Date(seconds * 1000).toISOString().slice(0, 10);
  return table(
    ['ID', 'DIRECTORY', 'CREATED', 'LAST USED'],
    keys.map((key) => [String(key.id), key.directory, day(key.created_at), day(key.last_used_at)]),
  );
}
