import type { Command } from 'commander';
import { amount, conclude } from './output';
import { commandOf, type CommonOptions, runCommand } from './run-command';

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
