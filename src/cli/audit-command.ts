import { type Command, InvalidArgumentError } from 'commander';
import { conclude, table } from './output';
import { commandOf, type CommonOptions, runCommand } from './run-command';

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
  /** How many fit, shown or not. */
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

/** The command that shows who did what. */
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

/** Programs of clients choose their names, which must not steer the terminal. */
function printable(text: string): string {
  return text.replace(/\p{C}/gu, '?');
}
