import { type Command, InvalidArgumentError, Option } from 'commander';
import { amount, conclude, table } from './output';
import { commandOf, type CommonOptions, runCommand } from './run-command';
import { ROLE_NAMES } from '../platform/actor';

interface ActivityResult {
  readonly organization: string;
  readonly active: boolean;
  readonly changed: boolean;
}

/** Commands for the organization as a whole. */
export function addOrganizationCommands(program: Command): void {
  const organization = program
    .command('organization')
    .description('deactivate or reactivate the organization');
  addCommand(organization, 'deactivate', 'refuse all requests, and keep all data', {
    after: '"parley organization reactivate" undoes it. Messages scheduled for that time are not sent.',
    told: ({ organization: name, changed }) =>
      changed ? `${name} is now deactivated. All data is kept.` : `${name} is deactivated already.`,
  });
  addCommand(organization, 'reactivate', 'reactivate the organization', {
    after: 'Accounts, passwords and keys are unchanged.',
    told: ({ organization: name, changed }) =>
      changed ? `${name} is now in use again.` : `${name} is not deactivated.`,
  });
}

interface Texts {
  readonly after: string;
  readonly told: (result: ActivityResult) => string;
}

function addCommand(parent: Command, name: string, about: string, { after, told }: Texts): void {
  commandOf(parent, name, about)
    .addHelpText('after', `\n${after}`)
    .action((options: CommonOptions) =>
      conclude(options, async () => {
        const result = await runCommand<ActivityResult>(`organization ${name}`, {}, options);
        return { result, text: told(result) };
      }),
    );
}

interface Invited {
  readonly link: string;
  /** Address of the only invitee. */
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

interface Entry {
  readonly created_at: number;
  readonly way: string;
  readonly address: string;
  readonly client: string;
  readonly actor_id: number | null;
  readonly actor_name: string | null;
  readonly action: string;
  readonly target_user_id: number | null;
  readonly target_user_name: string | null;
  readonly target_id: number | null;
  readonly details: object;
}

interface AuditResult {
  readonly entries: readonly Entry[];
  /** Number of matching entries, including those not shown. */
  readonly total: number;
}

interface AuditOptions extends CommonOptions {
  readonly actor?: string;
  readonly user?: string;
  readonly action?: string;
  readonly since?: number;
  readonly until?: number;
  readonly limit: number;
}

const DEFAULT_LIMIT = 50;

/** The command that shows the audit log. */
export function addAuditCommand(program: Command): void {
  commandOf(program, 'audit', 'show the audit log')
    .option('--actor <account>', 'only actions by this account (address or ID)')
    .option('--user <account>', 'only actions on this account (address or ID)')
    .option('--action <name>', 'only this action, such as user.created, or kind, such as channel')
    .option(
      '--since <time>',
      'only entries after this time, such as 2026-01-31 or 2026-01-31T08:00Z',
      readTime,
    )
    .option('--until <time>', 'only entries before this time', readTime)
    .option('--limit <number>', 'show at most this many entries', readNumber, DEFAULT_LIMIT)
    .action((options: AuditOptions) =>
      conclude(options, async () => {
        const { actor, user, action, since, until, limit } = options;
        const input = { actor, user, action, since, until, limit };
        const result = await runCommand<AuditResult>('audit', input, options);
        return { result, text: auditText(result) };
      }),
    );
}

function readTime(text: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new InvalidArgumentError('Use a time such as 2026-01-31T08:00Z.');
  return Math.floor(time / 1000);
}

function readNumber(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number)) throw new InvalidArgumentError('Use a whole number.');
  return number;
}

function auditText({ entries, total }: AuditResult): string {
  if (total === 0) return 'Nothing that fits was recorded.';
  const left = total - entries.length;
  const rows = entries.map((entry) => [
    new Date(entry.created_at * 1000).toISOString().replace('.000', ''),
    actorText(entry),
    entry.action,
    targetText(entry),
    printable([entry.way, entry.address, entry.client].filter(Boolean).join(' ')),
    printable(JSON.stringify(entry.details)),
  ]);
  const heading = ['TIME', 'WHO', 'ACTION', 'ON', 'FROM', 'DETAILS'];
  return (
    table(heading, rows) + (left > 0 ? `\n${left} older entries fit, too: see --limit and --until.` : '')
  );
}

function actorText({ way, actor_id: id, actor_name: name }: Entry): string {
  if (id !== null) return printable(`${name ?? 'account'} (${id})`);
  return { command: 'the operator', server: 'the server' }[way] ?? 'a stranger';
}

function targetText({
  action,
  target_id: id,
  target_user_id: userId,
  target_user_name: name,
}: Entry): string {
  const user = userId === null ? '' : `${name ?? 'account'} (${userId})`;
  const isAccount = action.startsWith('user.');
  const thing = id === null || isAccount ? '' : `${action.slice(0, action.indexOf('.'))} ${id}`;
  return printable([user, thing].filter(Boolean).join(', '));
}

/** Client programs choose their names, which must not control the terminal. */
function printable(text: string): string {
  return text.replace(/\p{C}/gu, '?');
}

const DIGITS = /^\d{1,9}$/;

/** Number of messages of each named size. */
const SIZES: Readonly<Record<string, number>> = { small: 300, medium: 2_000, large: 10_000 };

interface DemoOptions extends CommonOptions {
  readonly size?: number;
  readonly seed?: number;
  readonly force?: boolean;
}

interface DemoResult {
  readonly people: number;
  readonly bots: number;
  readonly groups: number;
  readonly channels: number;
  readonly messages: number;
  readonly reactions: number;
  readonly example: string;
}

/** The command that fills an organization with sample data. */
export function addDemoCommand(program: Command): void {
  commandOf(program, 'demo', 'add sample data: people, channels, weeks of messages')
    .option('--size <size>', 'small, medium, large, or a number of messages (default: small)', sizeOf)
    .option('--seed <number>', 'seed of the sample (default: 1)', wholeNumber)
    .option('--force', 'also in an organization in use')
    .addHelpText(
      'after',
      '\nThe people have no passwords: "parley user key" and "parley user password" help.',
    )
    .action((options: DemoOptions) =>
      conclude(options, async () => {
        const { size: messages = SIZES.small, seed, force } = options;
        const result = await runCommand<DemoResult>('demo', { messages, seed, force }, options);
        return { result, text: demoText(result) };
      }),
    );
}

function demoText(made: DemoResult): string {
  return [
    `Made ${amount(made.people, 'person', 'people')}, ${amount(made.bots, 'bot')}, ${amount(made.groups, 'user group')} and ${amount(made.channels, 'channel')},`,
    `with ${amount(made.messages, 'message')} in channels and direct conversations, and ${amount(made.reactions, 'reaction')}.`,
    `See it as one of them would: "parley user key ${made.example}" shows what a client needs.`,
  ].join('\n');
}

function sizeOf(text: string): number {
  const size =
    (Object.hasOwn(SIZES, text) ? SIZES[text] : undefined) ?? (DIGITS.test(text) ? Number(text) : undefined);
  if (size === undefined) throw new InvalidArgumentError('Use small, medium, large or a whole number.');
  return size;
}

function wholeNumber(text: string): number {
  if (!DIGITS.test(text)) throw new InvalidArgumentError('Use a whole number.');
  return Number(text);
}
