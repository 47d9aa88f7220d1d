import type { Command } from 'commander';
import { amount, conclude, table } from './output';
import { commandOf, type CommonOptions, runCommand } from './run-command';

interface Key {
  readonly id: number;
  readonly name: string;
  readonly scopes: string;
  readonly channel_ids: string | null;
  /** UNIX seconds. */
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly last_used_at: number | null;
}

interface NewKey extends Key {
  readonly api_key: string;
}

interface AddOptions extends CommonOptions {
  readonly scopes: string;
  readonly channels?: string;
  readonly days?: number;
}

const WHO = '\n<user> is the address or ID of a person or bot.';

/** Commands for named API keys. */
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
    .option('--channels <ids>', 'the only channels that it reaches, as IDs separated by spaces')
    .option('--days <days>', 'for how many days it counts; 0 for no end (default: 90)', Number)
    .addHelpText('after', WHO)
    .action((user: string, name: string, options: AddOptions) =>
      conclude(options, async () => {
        const { scopes, channels: channel_ids, days: expires_in_days } = options;
        const input = { user, name, scopes, channel_ids, expires_in_days };
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
    ['ID', 'NAME', 'SCOPES', 'CHANNELS', 'CREATED', 'LAST USED', 'ENDS'],
    keys.map((key) => [
      String(key.id),
      key.name,
      key.scopes,
      key.channel_ids ?? 'all',
      day(key.created_at),
      day(key.last_used_at),
      day(key.expires_at),
    ]),
  );
}

interface Status {
  readonly isRotating: boolean;
  readonly isInUse: boolean;
  readonly users: readonly string[] | null;
  readonly namedKeys: number;
}

interface Rotated {
  readonly file: string;
  readonly isFinished: boolean;
}

interface RotateOptions extends CommonOptions {
  readonly finish?: boolean;
  readonly force?: boolean;
}

/** Commands that replace the server's secret. */
export function addSecretCommands(program: Command): void {
  const secret = program.command('secret').description('replace the secret that keys are derived from');
  commandOf(secret, 'rotate', 'write a new secret, and accept keys of the former one until --finish')
    .option('--finish', 'stop accepting keys of the former secret')
    .option('--force', 'with --finish: although such keys are in use')
    .action((options: RotateOptions) =>
      conclude(options, async () => {
        const { finish, force } = options;
        const input = { ...(finish && { finish }), ...(force && { force }) };
        const result = await runCommand<Rotated>('secret rotate', input, options);
        return { result, text: rotatedText(result) };
      }),
    );
  commandOf(
    secret,
    'status',
    'show whether keys of the former secret are accepted, and who uses them',
  ).action((options: CommonOptions) =>
    conclude(options, async () => {
      const result = await runCommand<Status>('secret status', {}, options);
      return { result, text: statusText(result) };
    }),
  );
}

function rotatedText({ file, isFinished }: Rotated): string {
  if (isFinished) return 'Removed the former secret. Restart the server, and its keys are refused.';
  return (
    `Wrote a new secret to ${file}. Restart the server to use it, and keep a copy with your backups.\n` +
    'Sessions, links and API keys of the former secret are accepted until "parley secret rotate --finish".'
  );
}

function statusText({ isRotating, isInUse, users, namedKeys }: Status): string {
  if (!isRotating) return 'No rotation is under way.';
  if (!isInUse) return 'There is a new secret. Restart the server to use it.';
  const accepted = 'Keys of the former secret are accepted.';
  if (users === null) return `${accepted} The server is not running, so it is unknown who uses them.`;
  if (users.length + namedKeys === 0) return `${accepted} None was used since the server started.`;
  const named = namedKeys === 0 ? '' : `\nand ${amount(namedKeys, 'named API key', 'named API keys')}`;
  return `${accepted} Used since the server started:\n${users.map((email) => `  ${email}`).join('\n')}${named}`;
}
