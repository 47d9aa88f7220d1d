import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { flush } from '../../features/operations/operations.module';
import type { Config } from '../../platform/config/config';
import { RunningServer } from '../../platform/operator/operator-client';
import { CommandRefused } from '../../platform/operator/operator-commands';

/** A new server that is not ready by then has failed. */
const READY_MS = 60_000;
const LOOK_EVERY_MS = 100;
const ANSWER_MS = 5_000;

/** The root of this release. */
const ROOT = realpathSync(join(__dirname, '..', '..', '..'));

/** What an upgrade exchanges, and how the server is restarted. */
export interface UpgradePlan {
  /** The symbolic link through which the server is started. */
  readonly link: string;
  /** Where it points before and after. */
  readonly from: string;
  readonly to: string;
  /** A shell command. */
  readonly restart: string;
}

/** `failed` if neither release was ready after its restart. */
export type UpgradeEnd = 'upgraded' | 'taken back' | 'failed';

/** Kept in the data folder from before the first change until the end, so that an interrupted upgrade can be finished. */
const journalOf = ({ dataDir }: Config) => join(dataDir, 'upgrade.json');

/** @returns what an interrupted upgrade was about to do */
export function unfinishedUpgrade(config: Config): UpgradePlan | null {
  const file = journalOf(config);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as UpgradePlan) : null;
}

/** @throws CommandRefused if the link cannot lead to this release */
export function planUpgrade(link: string, restart: string): UpgradePlan {
  const path = resolve(link);
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() || !existsSync(path)) {
    throw new CommandRefused(
      `${path} is no symbolic link to a release. Name the one through which the server is started, to the release's folder or its bin/parley.`,
    );
  }
  const from = realpathSync(path);
  const to = statSync(from).isDirectory() ? ROOT : join(ROOT, 'bin', 'parley');
  if (!existsSync(to))
    throw new CommandRefused(`This release has no ${to}. Let the link point to its folder.`);
  if (from === to) throw new CommandRefused(`${path} already leads to this release.`);
  return { link: path, from, to, restart };
}

/** What starts the release that the link leads to, as arguments of Node.js or of the system. */
export function formerProgram({ from }: UpgradePlan): readonly string[] {
  if (!statSync(from).isDirectory()) return [from, 'serve'];
  const script = join(from, 'bin', 'parley');
  return existsSync(script) ? [script, 'serve'] : [process.execPath, join(from, 'dist/cli/main.js'), 'serve'];
}

/**
 * Lets the link lead to this release and restarts the server; if it does not become ready, goes back. Killed at any
 * point, it leaves one of the two releases behind the link, and the same call finishes it.
 */
export async function exchange(config: Config, site: string, plan: UpgradePlan): Promise<UpgradeEnd> {
  const before = await processOf(config);
  await writeJournal(config, plan);
  await point(plan.link, plan.to);
  const isRestarted = await succeeds(plan.restart);
  if (isRestarted && (await isReady(config, site, before))) {
    await fs.rm(journalOf(config));
    return 'upgraded';
  }
  await point(plan.link, plan.from);
  await succeeds(plan.restart);
  if (!(await isReady(config, site, undefined))) return 'failed';
  await fs.rm(journalOf(config));
  return 'taken back';
}

async function writeJournal(config: Config, plan: UpgradePlan): Promise<void> {
  const file = journalOf(config);
  await fs.writeFile(`${file}.part`, JSON.stringify(plan), { mode: 0o600, flush: true });
  await fs.rename(`${file}.part`, file);
  await flush(config.dataDir);
}

/** At every moment the link leads somewhere. */
async function point(link: string, target: string): Promise<void> {
  const draft = `${link}.part`;
  await fs.rm(draft, { force: true });
  await fs.symlink(target, draft);
  await fs.rename(draft, link);
  await flush(dirname(link));
}

async function succeeds(command: string): Promise<boolean> {
  // What it prints is no result of this command.
  const shell = spawn('/bin/sh', ['-c', command], { stdio: ['ignore', 2, 2] });
  const [code] = (await once(shell, 'exit')) as [number | null];
  return code === 0;
}

/** @param former the process that is to be gone; undefined if any will do */
async function isReady(config: Config, site: string, former: number | null | undefined): Promise<boolean> {
  const until = performance.now() + READY_MS;
  while (performance.now() < until) {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const answer = await fetch(`${site}/health/ready`, { signal }).catch(() => null);
    if (answer?.ok && (former === undefined || ![former, null].includes(await processOf(config))))
      return true;
    await pause(LOOK_EVERY_MS);
  }
  return false;
}

/** The ID of the process that serves; null if none does, or one of a release that does not say. */
async function processOf(config: Config): Promise<number | null> {
  const context = { signal: AbortSignal.timeout(ANSWER_MS), report: () => undefined };
  try {
    const server = await RunningServer.find(config);
    const answer = await server?.run('server process', {}, context);
    return (answer as { pid: number } | undefined)?.pid ?? null;
  } catch (error) {
    if (error instanceof CommandRefused) return null;
    throw error;
  }
}
