import type { Command } from 'commander';
import { conclude, table } from './output';
import { commandOf, type CommonOptions, runCommand } from './run-command';

interface Key {
  readonly id: number;
  readonly name: string;
  readonly scopes: string;
  /** UNIX seconds. */
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly last_used_at: number | null;
}

interface NewKey extends Key {
  readonly api_key: string;
}

const WHO = '\n<user> is the address or ID of a person or bot.';

/** Commands about the API keys with names and scopes that accounts have beside their own. */
export function addKeyCommands(program: Command): void {
  const key = program.command('key').description('API keys with names and scopes');
  commandOf(key, 'list <user>', 'list the named API keys of an account')
    .addHelpText('after', WHO)
    .action((user: string, options: CommonOptions) =>
      conclude(options, async () => {
        const result = await runCommand<{ keys: readonly Key[] }>('key list', { user }, options);
        return { result, text: textOf(result.keys) };
      }),
    );
  commandOf(key, 'add <user> <name>', 'make an API key for an account, which is shown this once')
    .requiredOption(
      '--scopes <scopes>',
      'what it may do, separated by spaces: read, send, manage_channels, manage_people, administer',
    )
    .option('--days <days>', 'for how many days it counts; 0 for no end (default: 90)', Number)
    .addHelpText('after', WHO)
    .action((user: string, name: string, options: CommonOptions & { scopes: string; days?: number }) =>
      conclude(options, async () => {
        const input = { user, name, scopes: options.scopes, expires_in_days: options.days };
        const result = await runCommand<NewKey>('key add', input, options);
        return { result, text: `Key ${result.id}. It is not shown again:\n\n  ${result.api_key}` };
      }),
    );
  commandOf(key, 'revoke <user> <id>', 'revoke a named API key of an account')
    .addHelpText('after', WHO)
    .action((user: string, id: string, options: CommonOptions) =>
      conclude(options, async () => {
        const result = await runCommand<object>('key revoke', { user, id: Number(id) }, options);
        return { result, text: `Key ${id} is revoked.` };
      }),
    );
}

function textOf(keys: readonly Key[]): string {
  if (keys.length === 0) return 'This account has no named keys. Make one with "parley key add".';
  const day = (seconds: number | null) =>
    seconds === null ? 'never' : new Date(seconds * 1000).toISOString().slice(0, 10);
  return table(
    ['ID', 'NAME', 'SCOPES', 'CREATED', 'LAST USED', 'ENDS'],
    keys.map((key) => [
      String(key.id),
      key.name,
      key.scopes,
      day(key.created_at),
      day(key.last_used_at),
      day(key.expires_at),
    ]),
  );
}
