import { statfsSync } from 'node:fs';
import { tables } from '../../app.module';
import type { Config } from '../../platform/config/config';
import { databaseOptions } from '../../platform/database/database.options';
import { DatabaseTooNew } from '../../platform/database/database.errors';
import { Database } from '../../platform/database/database.service';
import { migrationStatus } from '../../platform/database/applied-migrations';
import type { AppliedMigration } from '../../platform/database/database.options';
import { loadModules } from '../../platform/modules/load-modules';
import { CommandRefused, type OperatorContext } from '../../platform/operator/operator-commands';
import { runAllAlone } from '../run-alone';
import { differences, newestMessage, type RoleAccount, readAll } from './compared-reads';
import { DatabaseCopy } from './database-copy';
import { ServerOnCopy } from './server-on-copy';

/** Result of a rehearsal; times in seconds. */
export interface Rehearsal {
  readonly databaseBytes: number;
  readonly freeBytes: number;
  readonly copySeconds: number;
  readonly migrations: readonly AppliedMigration[];
  readonly migrationSeconds: number;
  readonly startSeconds: number;
  readonly invariants: number;
  /** Names of the violated invariants. */
  readonly violated: readonly string[];
  readonly reads: number;
  readonly readers: number;
  /** Reads with a different response in this release, and where they differ. */
  readonly differences: readonly string[];
  /** Whether the previous release starts on the migrated copy; null if not tried. */
  readonly canGoBack: boolean | null;
}

const ROLES = ['owner', 'administrator', 'moderator', 'member', 'guest'];

/**
 * Performs an upgrade to this release on a copy: applies migrations, checks invariants, starts, and compares what one
 * account of each role can read with the responses of the running server.
 * @param site URL of the running server
 * @param former command of the previous release, to test whether it works on the migrated tables
 * @throws CommandRefused, DumpFailed, StartRefused
 */
export async function rehearse(
  config: Config,
  site: string,
  former: readonly string[] | null,
  context: OperatorContext,
): Promise<Rehearsal> {
  const modules = loadModules(config).map((module) => module.tables);
  const { unknown } = await migrationStatus(databaseOptions(config, tables, modules));
  if (unknown.length > 0) throw new DatabaseTooNew(unknown);
  await requireRunning(site);
  const began = performance.now();
  const copy = await DatabaseCopy.make(config);
  const copySeconds = secondsSince(began);
  const found = await tryOn(copy, site, former, context).catch(async (error: unknown) => {
    await copy.remove().catch(() => undefined);
    throw error;
  });
  const { bavail, bsize } = statfsSync(config.dataDir);
  await copy.remove();
  return { freeBytes: bavail * bsize, copySeconds, ...found };
}

async function tryOn(
  copy: DatabaseCopy,
  site: string,
  former: readonly string[] | null,
  context: OperatorContext,
): Promise<Omit<Rehearsal, 'freeBytes' | 'copySeconds'>> {
  const databaseBytes = await copy.size();
  context.report({ done: 1, total: 5, what: 'migrations' });
  const migrated = await migrate(copy.config);
  context.report({ done: 2, total: 5, what: 'invariants' });
  const { invariants, violated, readers } = await examine(copy.config, context);
  context.report({ done: 3, total: 5, what: 'start' });
  const compared = await compare(copy, site, readers, context);
  const canGoBack = former && (await starts(copy, former, context.signal));
  return {
    databaseBytes,
    ...migrated,
    invariants,
    violated,
    readers: readers.length,
    ...compared,
    canGoBack,
  };
}

/** @throws CommandRefused */
async function requireRunning(site: string): Promise<void> {
  const answer = await fetch(`${site}/api/v1/server_settings`, { signal: AbortSignal.timeout(10_000) }).catch(
    () => null,
  );
  if (answer?.ok) return;
  throw new CommandRefused(
    `No server answers at ${site}. A rehearsal compares this release with the running server: start it, or pass its address with --site.`,
  );
}

async function migrate(config: Config): Promise<Pick<Rehearsal, 'migrations' | 'migrationSeconds'>> {
  const migrations: AppliedMigration[] = [];
  const modules = loadModules(config).map((module) => module.tables);
  const options = databaseOptions(config, tables, modules);
  const began = performance.now();
  const database = await Database.open({ ...options, onApplied: (one) => migrations.push(one) });
  const migrationSeconds = secondsSince(began);
  await database.close();
  return { migrations, migrationSeconds };
}

interface Account {
  readonly email: string;
  readonly role: string | null;
  readonly bot: boolean;
}

/** Quarantines the copy so that it sends nothing, checks it, and finds an account of each role. */
async function examine(
  config: Config,
  context: OperatorContext,
): Promise<{ invariants: number; violated: string[]; readers: RoleAccount[] }> {
  return runAllAlone(config, async (run) => {
    await run('restore settle', {}, context);
    const { invariants } = (await run('check', { withoutFiles: true }, context)) as {
      invariants: { name: string; holds: boolean }[];
    };
    const { users } = (await run('user list', { bots: true }, context)) as { users: Account[] };
    const first = ROLES.map((role) => users.find((user) => user.role === role && !user.bot));
    const chosen = [...first, users.find(({ bot }) => bot)].filter((user) => user !== undefined);
    const readers: RoleAccount[] = [];
    for (const { email, role, bot } of chosen) {
      const { zuliprc } = (await run('user key', { user: email }, context)) as { zuliprc: { key: string } };
      readers.push({ email, role: bot || role === null ? 'bot' : role, apiKey: zuliprc.key });
    }
    const violated = invariants.filter(({ holds }) => !holds).map(({ name }) => name);
    return { invariants: invariants.length, violated, readers };
  });
}

/** Writes to the running server after the copy was made count as differences. */
async function compare(
  copy: DatabaseCopy,
  site: string,
  readers: readonly RoleAccount[],
  { signal, report }: OperatorContext,
): Promise<Pick<Rehearsal, 'startSeconds' | 'reads' | 'differences'>> {
  const began = performance.now();
  const server = await ServerOnCopy.start(copy, signal);
  try {
    const startSeconds = secondsSince(began);
    const [reader] = readers;
    if (!reader || server.site === undefined) return { startSeconds, reads: 0, differences: [] };
    const newest = await newestMessage(server.site, reader);
    report({ done: 4, total: 5, what: 'reads' });
    const before = await readAll(site, readers, newest, signal);
    const onCopy = await readAll(server.site, readers, newest, signal);
    const found = differences(before, onCopy);
    return { startSeconds, reads: before.size, differences: found };
  } finally {
    await server.stop();
  }
}

async function starts(copy: DatabaseCopy, program: readonly string[], signal: AbortSignal): Promise<boolean> {
  try {
    const server = await ServerOnCopy.start(copy, signal, program);
    await server.stop();
    return true;
  } catch (error) {
    if (error instanceof CommandRefused) return false;
    throw error;
  }
}

function secondsSince(began: number): number {
  return (performance.now() - began) / 1000;
}
