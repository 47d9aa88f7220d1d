import { type Command, InvalidArgumentError, Option } from 'commander';
import { ROLE_NAMES } from '../platform/actor';
import { conclude } from './output';
import { commandOf, type CommonOptions, runCommand } from './run-command';

interface Invited {
  readonly link: string;
  /** Of the one person that it is for. */
  readonly email?: string;
  readonly mailed: boolean;
}

interface InviteOptions extends CommonOptions {
  readonly email?: string;
  readonly role: string;
  readonly days: number;
}

const DEFAULT_DAYS = 10;

/** The command that invites people. */
export function addInviteCommand(program: Command): void {
  commandOf(program, 'invite', 'create an invitation link')
    .option('--email <address>', 'for one person with this address; mailed if SMTP_URL is set')
    .addOption(new Option('--role <role>', 'role of invitees').choices(ROLE_NAMES).default('member'))
    .option('--days <number>', 'lifetime in days', readDays, DEFAULT_DAYS)
    .action((options: InviteOptions) =>
      conclude(options, async () => {
        const { email, role, days } = options;
        const result = await runCommand<Invited>('invite', { email, role, days }, options);
        return { result, text: textOf(result) };
      }),
    );
}

function textOf({ link, email, mailed }: Invited): string {
  const whom =
    email === undefined ? 'Anyone with this link can join:' : `${email} can join with this link, once:`;
  return [whom, '', `  ${link}`, ...(mailed ? ['', 'It is being mailed as well.'] : [])].join('\n');
}

function readDays(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new InvalidArgumentError('Use a whole number.');
  return Number(text);
}
