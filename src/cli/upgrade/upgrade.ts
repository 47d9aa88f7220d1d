import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { flush } from '../../features/operations/operations.module';
import type { Config } from '../../platform/config/config';
import { DatabaseInUse } from '../../platform/database/database.errors';
import { loadSqliteDriver } from '../../platform/database/sqlite/sqlite-driver';
import { SqliteOwnerLock } from '../../platform/database/sqlite/sqlite-file';
import { RunningServer } from '../../platform/operator/operator-client';
import { CommandRefused } from '../../platform/operator/operator-commands';

const LOOK_EVERY_MS = 100;
const ANSWER_MS = 5_000;

/** The root of this release. */
const ROOT = realpathSync(join(__dirname, '..', '..', '..'));

/** Its executable. */
const PROGRAM = join(ROOT, 'bin', 'parley');

/** The link that an upgrade changes, and how to restart the server. */
export interface UpgradePlan {
  /** The symbolic link through which the server is started. */
  readonly link: string;
  /** Its targets before and after, as stored in the link. */
  readonly from: string;
  readonly to: string;
  /** A shell command. */
  readonly restart: string;
}

/** How an upgrade ended. */
export interface UpgradeEnd {
  /** `failed` if neither release was ready after its restart. */
  readonly end: 'upgraded' | 'taken back' | 'failed';
  /** Whether the last restart command succeeded. */
  readonly isRestarted: boolean;
}

/** The process that serves a data folder. */
interface ServingProcess {
  readonly pid: number;
  /** Missing in releases that do not report it. */
  readonly isReady?: boolean;
}

/**
 * Exists in the data folder from before the first change until the end, so that an interrupted upgrade can be
 * completed.
 */
const journalOf = ({ dataDir }: Config) => join(dataDir, 'upgrade.json');

/**
 * Runs work that excludes other upgrades and rehearsals of the same installation.
 * @throws CommandRefused
 */
export async function asTheOnlyUpgrade<Result>(
  { dataDir, sqliteDriver }: Config,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!existsSync(dataDir))
    throw new CommandRefused(`No organization in ${dataDir}. Choose its folder with --data-dir.`);
  const lock = acquire(join(dataDir, 'upgrade'), sqliteDriver);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

/** @returns the plan of an interrupted upgrade, with the restart command of this call if given */
export function unfinishedUpgrade(config: Config, restart?: string): UpgradePlan | null {
  const file = journalOf(config);
  if (!existsSync(file)) return null;
  const plan = planIn(file);
  if (!plan || ![ROOT, PROGRAM].includes(plan.to) || ![plan.from, plan.to].includes(linkText(plan.link)))
    throw new CommandRefused(
      `${file} describes another upgrade that was interrupted. Finish it with the release that started it, or remove the file if you did so by hand.`,
    );
  return { ...plan, restart: restart ?? plan.restart };
}

/** @throws CommandRefused if the link cannot point to this release */
export function planUpgrade(link: string, restart: string): UpgradePlan {
  const path = resolve(link);
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() || !existsSync(path)) {
    throw new CommandRefused(
      `${path} is no symbolic link to a release. Name the one through which the server is started, to the release's folder or its bin/parley.`,
    );
  }
  const from = readlinkSync(path);
  const to = statSync(path).isDirectory() ? ROOT : PROGRAM;
  if (!existsSync(to))
    throw new CommandRefused(`This release has no ${to}. Let the link point to its folder.`);
  if (realpathSync(path) === realpathSync(to))
    throw new CommandRefused(`${path} already points to this release.`);
  return { link: path, from, to, restart };
}

/** The command that starts the release that the link points to, as arguments of Node.js or of the system. */
export function formerProgram({ link, from }: UpgradePlan): readonly string[] {
  const former = resolve(dirname(link), from);
  if (!statSync(former).isDirectory()) return [former, 'serve'];
  const script = join(former, 'bin', 'parley');
  return existsSync(script)
    ? [script, 'serve']
    : [process.execPath, join(former, 'dist/cli/main.js'), 'serve'];
}

/** The outcome of an upgrade is judged by the server. @throws CommandRefused unless one is ready */
export async function requireReady(config: Config, site: string): Promise<void> {
  // Reports why, if a server exists that cannot be reached.
  (await RunningServer.find(config))?.close();
  if (await isReady(config, site, await servingProcess(config))) return;
  throw new CommandRefused(
    `No server is ready on ${config.dataDir}, so that an upgrade could not be told from a failure. Start it first.`,
  );
}

/**
 * Points the link at this release and restarts the server; if it does not become ready, rolls back. If killed at any
 * point, it leaves one of the two releases behind the link, and the same call completes it.
 * @param readyMs maximum time for a restarted server
 */
export async function exchange(
  config: Config,
  site: string,
  plan: UpgradePlan,
  readyMs: number,
): Promise<UpgradeEnd> {
  const former = await servingProcess(config);
  await writeJournal(config, plan);
  await point(plan.link, plan.to);
  let isRestarted = await succeeds(plan.restart);
  if (isRestarted && (await becomesReady(config, site, former?.pid, readyMs)))
    return finish(config, { end: 'upgraded', isRestarted });
  const failed = await servingProcess(config);
  await point(plan.link, plan.from);
  isRestarted = await succeeds(plan.restart);
  // If the previous server was never stopped, it continues.
  const gone = failed?.pid === former?.pid ? undefined : failed?.pid;
  if (await becomesReady(config, site, gone, readyMs))
    return finish(config, { end: 'taken back', isRestarted });
  return { end: 'failed', isRestarted };
}

/** @throws CommandRefused if another process has it */
function acquire(file: string, driver: Config['sqliteDriver']): SqliteOwnerLock {
  try {
    return SqliteOwnerLock.acquire(loadSqliteDriver(driver), file);
  } catch (error) {
    if (!(error instanceof DatabaseInUse)) throw error;
    throw new CommandRefused('Another upgrade or rehearsal of this server is running. Wait until it ends.');
  }
}

/** @returns null if the file contains none */
function planIn(file: string): UpgradePlan | null {
  try {
    const found = JSON.parse(readFileSync(file, 'utf8')) as UpgradePlan;
    const parts: unknown[] = [found.link, found.from, found.to, found.restart];
    return parts.every((part) => typeof part === 'string') ? found : null;
  } catch {
    return null;
  }
}

function linkText(link: string): string {
  return lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(link) : '';
}

async function finish(config: Config, end: UpgradeEnd): Promise<UpgradeEnd> {
  await fs.rm(journalOf(config));
  return end;
}

async function writeJournal(config: Config, plan: UpgradePlan): Promise<void> {
  const file = journalOf(config);
  await fs.writeFile(`${file}.part`, JSON.stringify(plan), { mode: 0o600, flush: true });
  await fs.rename(`${file}.part`, file);
  await flush(config.dataDir);
}

/** The link is valid at every moment. */
async function point(link: string, target: string): Promise<void> {
  const draft = `${link}.${randomBytes(4).toString('hex')}`;
  await fs.symlink(target, draft);
  await fs.rename(draft, link);
  await flush(dirname(link));
}

async function succeeds(command: string): Promise<boolean> {
  // Its output is not the result of this command.
  const shell = spawn('/bin/sh', ['-c', command], { stdio: ['ignore', 2, 2] });
  return new Promise((done) => {
    shell.once('exit', (code) => done(code === 0)).once('error', () => done(false));
  });
}

/** @param former the process that must have ended; undefined if any server will do */
async function becomesReady(
  config: Config,
  site: string,
  former: number | undefined,
  readyMs: number,
): Promise<boolean> {
  for (const until = performance.now() + readyMs; performance.now() < until; await pause(LOOK_EVERY_MS)) {
    const serving = await servingProcess(config);
    const isAnother = former === undefined || (serving !== null && serving.pid !== former);
    if (isAnother && (await isReady(config, site, serving))) return true;
  }
  return false;
}

/** Asks the server on the data folder; only a release without that feature is checked by URL. */
async function isReady(config: Config, site: string, serving: ServingProcess | null): Promise<boolean> {
  if (serving?.isReady !== undefined) return serving.isReady;
  const signal = AbortSignal.timeout(ANSWER_MS);
  const server = await RunningServer.find(config).catch(() => null);
  if (!server) return false;
  server.close();
  return fetch(`${site}/health/ready`, { signal }).then(
    (answer) => answer.ok,
    () => false,
  );
}

/** The serving process; null if none, or if its release does not report it. */
async function servingProcess(config: Config): Promise<ServingProcess | null> {
  const context = { signal: AbortSignal.timeout(ANSWER_MS), report: () => undefined };
  try {
    const server = await RunningServer.find(config);
    return ((await server?.run('server process', {}, context)) as ServingProcess | undefined) ?? null;
  } catch (error) {
    if (error instanceof CommandRefused) return null;
    throw error;
  }
}
