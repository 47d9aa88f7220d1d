import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { addImport } from './import-command';
import { amount, conclude } from './output';
import { commandOf, type CommonOptions, configOf, runCommand, withContext } from './run-command';
import type { RestoredKey } from '../features/operations/operations.module';

interface CheckResult {
  readonly invariants: readonly {
    readonly name: string;
    readonly about: string;
    readonly holds: boolean;
    readonly findings: readonly string[];
    readonly more: boolean;
  }[];
}

interface BackupResult {
  readonly folder: string;
  readonly files: number;
  readonly bytes: number;
  readonly hasSecret: boolean;
}

interface ExportResult {
  readonly file: string;
  readonly bytes: number;
  /** Name of the person, for data of one person. */
  readonly name?: string;
}

interface ExportOptions extends CommonOptions {
  readonly content: string;
  readonly migrationStatus?: string;
  readonly user?: string;
}

/** Commands for all data of the organization. */
export function addDataCommands(program: Command): void {
  addBackup(program);
  addRestore(program);
  addExport(program);
  addImport(program);
  addMove(program);
  addMigrate(program);
  addCheck(program);
}

function addBackup(program: Command): void {
  commandOf(program, 'backup <folder>', 'back up everything to a new folder')
    .option('--with-secret', 'include the secret: anyone with the backup can then sign in as any user')
    .addHelpText(
      'after',
      '\nA backup without the secret can be restored only with a copy of it. Keep that copy apart from the backups.',
    )
    .action((folder: string, options: CommonOptions & { withSecret?: boolean }) =>
      conclude(options, async () => {
        const input = { target: resolve(folder), withSecret: options.withSecret };
        const result = await runCommand<BackupResult>('backup', input, options);
        return { result, text: backupText(result) };
      }),
    );
}

function backupText({ folder, files, bytes, hasSecret }: BackupResult): string {
  const secret = hasSecret
    ? 'It contains the secret: keep it where only you can read it.'
    : 'It is without the secret, which restoring needs: keep a copy of that elsewhere, or use --with-secret.';
  return `${folder} holds everything: ${amount(files, 'file')}, ${(bytes / 1024 ** 2).toFixed(1)} MiB.\n${secret}`;
}

function addExport(program: Command): void {
  commandOf(program, 'export <file>', "export the organization in Zulip's format")
    .addOption(
      new Option('--content <content>', 'public channels, data that people consented to, or everything')
        .choices(['public', 'consent', 'everything'])
        .default('everything'),
    )
    .addOption(
      new Option(
        '--migration-status <file>',
        'migration_status.json of an export of the importing Zulip server',
      ).conflicts('user'),
    )
    .addOption(
      new Option(
        '--user <address>',
        'only what is stored about one person: JSON files, and pages to read (index.html)',
      ).conflicts('content'),
    )
    .addHelpText(
      'after',
      '\nZulip imports only archives of a server in its own state: take migration_status.json from an export made there.',
    )
    .action((file: string, options: ExportOptions) =>
      conclude(options, async () => {
        const result = await exported(resolve(file), options);
        const what = result.name === undefined ? 'the organization' : `the data of ${result.name}`;
        const size = `${(result.bytes / 1024 ** 2).toFixed(1)} MiB`;
        return { result, text: `${result.file} holds ${what}: ${size}. Keep it where only you can read it.` };
      }),
    );
}

function exported(target: string, options: ExportOptions): Promise<ExportResult> {
  const { content, migrationStatus: status, user } = options;
  if (user !== undefined) return runCommand<ExportResult>('export person', { target, user }, options);
  const input = { target, content, ...(status !== undefined && { migrationStatus: resolve(status) }) };
  return runCommand<ExportResult>('export', input, options);
}

function addRestore(program: Command): void {
  commandOf(program, 'restore <backup>', 'fill an empty data folder from a backup')
    .option('--secret-file <file>', 'file with the secret, for a backup without it')
    .addHelpText('after', '\nOn PostgreSQL, DATABASE_URL must also name an empty database.')
    .action((backup: string, options: CommonOptions & { secretFile?: string }) =>
      conclude(options, async () => {
        const config = configOf(options);
        const { restore } = await import('./restore.js');
        const result = await withContext(config, (context) =>
          restore(backup, options.secretFile, config, context),
        );
        const text = [
          `${result.dataDir} holds what was saved on ${result.createdAt}: ${amount(result.files, 'file')}.`,
          ...(config.filesUrl === null ? [] : ['"parley files copy bucket" puts its files into the bucket.']),
          `Start it with "parley serve --data-dir ${result.dataDir}"; "parley check" looks it over.`,
          ...(result.left.count > 0 ? [leftText(result.left)] : []),
          ...(result.keys.length > 0 ? [keysText(result.keys)] : []),
        ];
        return { result, text: text.join('\n') };
      }),
    );
}

/** Keys that are printed; `--json` has all. */
const MOST_KEYS = 50;

function keysText(keys: readonly RestoredKey[]): string {
  const lines = keys
    .slice(0, MOST_KEYS)
    .map(({ id, name, account }) =>
      account === null
        ? `  parley scim revoke ${id}   (${name})`
        : `  parley key revoke ${account} ${id}   (${name})`,
    );
  const more = keys.length > MOST_KEYS ? [`  and ${keys.length - MOST_KEYS} more`] : [];
  const about = 'These keys work as on that day. Revoke again, with --data-dir, what was revoked since:';
  return [about, ...lines, ...more].join('\n');
}

function leftText({ count, names }: { count: number; names: readonly string[] }): string {
  const more = count > names.length ? ', ...' : '';
  return `Not part of the backup, and left where it is: ${amount(count, 'file')} (${names.join(', ')}${more}).`;
}

function addMove(program: Command): void {
  commandOf(program, 'move', 'move everything from SQLite to PostgreSQL')
    .requiredOption('--to <url>', 'an empty database, as in DATABASE_URL; PGPASSWORD may hold the password')
    .addHelpText(
      'after',
      '\nA running server keeps serving, refuses writes for some seconds at the end, and stops. An interrupted move starts over.\n' +
        'Files stay where they are.',
    )
    .action((options: CommonOptions & { to: string }) =>
      conclude(options, async () => {
        const config = configOf(options);
        const { move } = await import('./move.js');
        const result = await withContext(config, (context) => move(options.to, config, context));
        const text = [
          ...result.tables
            .filter(({ rows }) => rows > 0)
            .map(({ table, rows, checksum }) => `${checksum}  ${String(rows).padStart(10)}  ${table}`),
          ...pausedText(result.pausedSeconds),
          `PostgreSQL holds everything: ${amount(result.rows, 'row')}, the same as ${result.file}, which is no longer needed.`,
          'Start the server with DATABASE_URL.',
        ];
        return { result, text: text.join('\n') };
      }),
    );
}

function pausedText(seconds: number | null): string[] {
  return seconds === null
    ? []
    : [`The server refused writes for ${seconds.toFixed(1)} seconds, and has stopped.`];
}

function addMigrate(program: Command): void {
  commandOf(program, 'migrate', 'run pending migrations, as every start does')
    .option('--status', 'only list what is applied and what is pending')
    .action((options: CommonOptions & { status?: boolean }) =>
      conclude(options, async () => {
        const { migrate } = await import('./migrate.js');
        return migrate(options);
      }),
    );
}

function addCheck(program: Command): void {
  commandOf(program, 'check', 'check the invariants of the database')
    .option('--verbose', 'also list invariants that hold')
    .addHelpText('after', '\nExits with 1 when an invariant is violated.')
    .action((options: CommonOptions & { verbose?: boolean }) =>
      conclude(options, async () => {
        const result = await runCommand<CheckResult>('check', {}, options);
        const exitCode = result.invariants.every(({ holds }) => holds) ? 0 : 1;
        return { result, text: checkText(result, options.verbose ?? false), exitCode };
      }),
    );
}

function checkText({ invariants }: CheckResult, isVerbose: boolean): string {
  const broken = invariants.filter(({ holds }) => !holds);
  const lines = invariants
    .filter(({ holds }) => isVerbose || !holds)
    .flatMap(({ name, about, holds, findings, more }) => [
      `${holds ? 'ok     ' : 'BROKEN '} ${name}: ${about}`,
      ...findings.map((finding) => `          ${finding}`),
      ...(more ? ['          There is more of this.'] : []),
    ]);
  const advice = 'Stop the server, and restore the last backup that "parley check" finds nothing in.';
  const sum =
    broken.length === 0
      ? `All ${invariants.length} invariants hold.`
      : `${broken.length} of ${invariants.length} invariants do not hold. ${advice}`;
  return [...lines, sum].join('\n');
}
