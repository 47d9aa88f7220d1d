import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { Config } from '../../platform/config/config';
import { CommandRefused } from '../../platform/operator/operator-commands';
import { PROGRAM_VERSION } from '../../platform/version';
import { amount, conclude, type Outcome } from '../output';
import { commandOf, type CommonOptions, configOf, runCommand, withContext } from '../run-command';
import type { Rehearsal } from './rehearsal';
import type { UpgradeEnd, UpgradePlan } from './upgrade';

const MIB = 1024 ** 2;

/** Maximum time for a restarted server in seconds; more if the rehearsal's start took longer. */
const LEAST_WAIT = 60;
const WAIT_FACTOR = 3;
const MOST_WAIT = 24 * 3600;

/** Further differences are only counted. */
const SHOWN = 20;

interface UpgradeOptions extends CommonOptions {
  readonly rehearse?: true;
  readonly site?: string;
  readonly link?: string;
  readonly restart?: string;
  readonly backup?: string;
  /** In seconds. */
  readonly wait?: number;
  /** False if disabled by the option. */
  readonly rehearsal: boolean;
}

/** The command that upgrades to the release that it is part of, or rehearses that on a copy. */
export function addUpgradeCommand(program: Command): void {
  commandOf(program, 'upgrade', 'upgrade the running server to this release')
    .option('--rehearse', 'only try it on a copy of the database; the original stays as it is')
    .option('--link <path>', 'symbolic link to the folder or the bin/parley of the release that runs')
    .option('--restart <command>', 'shell command that restarts the server')
    .option('--backup <folder>', 'folder in which a backup is made first')
    .option(
      '--wait <seconds>',
      'time for the new server to become ready (default: 60, or more after a slow rehearsal)',
      wait,
    )
    .option('--no-rehearsal', 'upgrade without a rehearsal')
    .option('--site <url>', 'where the running server answers (default: EXTERNAL_URL)')
    .addHelpText(
      'after',
      '\nRun it with the new release, while the server of the old one runs. A rehearsal migrates, checks and starts a copy of the\n' +
        'database, in the data folder or on PostgreSQL in another database, and compares what an account of each role can read,\n' +
        'with its API key. An upgrade points the link at this release and restarts the server; if that does not become ready in\n' +
        'time, it goes back. Run an interrupted one again. Exit code 1: the output says which release runs.',
    )
    .action((options: UpgradeOptions) => conclude(options, () => run(options)));
}

/** @throws InvalidArgumentError */
function wait(given: string): number {
  const seconds = Number(given);
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= MOST_WAIT) return seconds;
  throw new InvalidArgumentError(`It must be a number of seconds, from 1 to ${MOST_WAIT}.`);
}

async function run(options: UpgradeOptions): Promise<Outcome> {
  const config = configOf(options);
  const { asTheOnlyUpgrade } = await import('./upgrade.js');
  return asTheOnlyUpgrade(config, () =>
    options.rehearse ? rehearsed(config, options) : upgraded(config, options),
  );
}

async function upgraded(config: Config, options: UpgradeOptions): Promise<Outcome> {
  const { exchange, planUpgrade, requireReady, unfinishedUpgrade } = await import('./upgrade.js');
  const site = siteOf(config, options);
  const unfinished = unfinishedUpgrade(config, options.restart);
  const exchanged = async (plan: UpgradePlan, seconds: number) =>
    endOutcome(await exchange(config, site, plan, 1000 * (options.wait ?? seconds)), plan);
  if (unfinished) return exchanged(unfinished, LEAST_WAIT);
  if (options.link === undefined || options.restart === undefined)
    throw new CommandRefused(
      'Name the link and how the server is restarted (--link, --restart), or use --rehearse.',
    );
  const plan = planUpgrade(options.link, options.restart);
  await requireReady(config, site);
  let seconds = LEAST_WAIT;
  if (options.rehearsal) {
    const outcome = await rehearsed(config, options, plan);
    if (outcome.exitCode !== 0)
      return { ...outcome, text: `${outcome.text}\nTo upgrade anyway, use --no-rehearsal.` };
    const { migrationSeconds, startSeconds } = outcome.result;
    seconds = Math.max(LEAST_WAIT, WAIT_FACTOR * (migrationSeconds + startSeconds));
  }
  if (options.backup !== undefined) await backUp(options.backup, options);
  return exchanged(plan, seconds);
}

async function rehearsed(
  config: Config,
  options: UpgradeOptions,
  given?: UpgradePlan,
): Promise<Outcome & { readonly result: Rehearsal }> {
  const { formerProgram, planUpgrade } = await import('./upgrade.js');
  const { rehearse } = await import('./rehearsal.js');
  const plan = given ?? (options.link === undefined ? null : planUpgrade(options.link, ''));
  const former = plan && formerProgram(plan);
  return rehearsalOutcome(
    await withContext(config, (context) => rehearse(config, siteOf(config, options), former, context)),
  );
}

function siteOf({ externalUrl }: Config, { site = externalUrl }: UpgradeOptions): string {
  return site.replace(/\/$/, '');
}

async function backUp(folder: string, options: UpgradeOptions): Promise<void> {
  const name = `before-${PROGRAM_VERSION}-${new Date().toISOString().replace(/[:.]/g, '-')}`;
  await runCommand('backup', { target: join(resolve(folder), name) }, options);
}

function endOutcome({ end, isRestarted }: UpgradeEnd, { link, from, to }: UpgradePlan): Outcome {
  const text = {
    upgraded: `${link} points to ${to}, whose server is ready.`,
    'taken back': `The server of ${to} did not become ready: see its log. ${link} points to ${from} again, whose server is ready.`,
    failed: `Neither ${to} nor ${from} became ready: see the server's log. ${link} points to ${from}. Run this again when it is mended.`,
  }[end];
  const ofRestart = isRestarted ? '' : ' The restart command failed; its output is above.';
  return { result: { end, from, to }, text: `${text}${ofRestart}`, exitCode: end === 'upgraded' ? 0 : 1 };
}

function rehearsalOutcome(result: Rehearsal): Outcome & { readonly result: Rehearsal } {
  const { violated, differences, canGoBack } = result;
  const isGood = violated.length === 0 && differences.length === 0 && canGoBack !== false;
  const text = [
    `Copied the database (${mib(result.databaseBytes)}) in ${seconds(result.copySeconds)}; ${mib(result.freeBytes)} are free.`,
    migrationText(result),
    violated.length === 0
      ? `All ${result.invariants} invariants hold.`
      : `${violated.length} of ${result.invariants} invariants do not hold: ${violated.join(', ')}.`,
    `The server started on the copy in ${seconds(result.startSeconds)}.`,
    ...differencesText(result),
    ...(canGoBack === null ? [] : [goingBackText(canGoBack)]),
    `An upgrade takes about ${seconds(result.migrationSeconds + result.startSeconds)}. The copy was removed; nothing was changed.`,
  ];
  return { result, text: text.join('\n'), exitCode: isGood ? 0 : 1 };
}

function migrationText({ migrations, migrationSeconds }: Rehearsal): string {
  if (migrations.length === 0) return 'No migrations are pending.';
  const each = migrations.map(({ name, milliseconds }) => `  ${name} (${seconds(milliseconds / 1000)})`);
  return [`Applied ${amount(migrations.length, 'migration')} in ${seconds(migrationSeconds)}:`, ...each].join(
    '\n',
  );
}

function differencesText({ reads, readers, differences }: Rehearsal): string[] {
  const sum = `Compared ${amount(reads, 'read')} of ${amount(readers, 'account')}: ${amount(differences.length, 'difference')}.`;
  if (differences.length === 0) return [sum];
  return [
    sum,
    ...differences.slice(0, SHOWN).map((difference) => `  ${difference}`),
    ...(differences.length > SHOWN ? [`  and ${differences.length - SHOWN} more`] : []),
    'What users changed after the copy was made is among them. Rehearse again when few are active.',
  ];
}

function goingBackText(canGoBack: boolean): string {
  return canGoBack
    ? 'The former release starts on the migrated copy, so that it can run again.'
    : 'The former release does not start on the migrated copy: only a backup leads back.';
}

function seconds(value: number): string {
  return `${value.toFixed(1)} s`;
}

function mib(bytes: number): string {
  return `${(bytes / MIB).toFixed(1)} MiB`;
}
