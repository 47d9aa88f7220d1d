import type { Command } from 'commander';
import { amount, conclude, type Outcome } from '../output';
import { commandOf, type CommonOptions, configOf, withContext } from '../run-command';
import type { Rehearsal } from './rehearsal';

const MIB = 1024 ** 2;

/** Differences beyond these are counted. */
const SHOWN = 20;

interface UpgradeOptions extends CommonOptions {
  readonly rehearse: true;
  readonly site?: string;
}

/** The command that tries an upgrade to the release whose command it is. */
export function addUpgradeCommand(program: Command): void {
  commandOf(program, 'upgrade', 'try the upgrade to this release on a copy')
    .requiredOption(
      '--rehearse',
      'migrate, check and start a copy of the database; the original stays as it is',
    )
    .option('--site <url>', 'where the running server answers (default: EXTERNAL_URL)')
    .addHelpText(
      'after',
      '\nRun it with the new release, while the server of the old one runs. It compares what an account of each role can read.\n' +
        'The copy is in the data folder, or on PostgreSQL in a database of its own, until the command ends. Exit code 1: do not\n' +
        'upgrade before you have read why.',
    )
    .action((options: UpgradeOptions) =>
      conclude(options, async () => {
        const config = configOf(options);
        const { rehearse } = await import('./rehearsal.js');
        const site = (options.site ?? config.externalUrl).replace(/\/$/, '');
        return outcome(await withContext(config, (context) => rehearse(config, site, context)));
      }),
    );
}

function outcome(result: Rehearsal): Outcome {
  const { violated, differences } = result;
  const isGood = violated.length === 0 && differences.length === 0;
  const text = [
    `Copied the database (${mib(result.databaseBytes)}) in ${seconds(result.copySeconds)}; ${mib(result.freeBytes)} are free.`,
    migrationText(result),
    violated.length === 0
      ? `All ${result.invariants} invariants hold.`
      : `${violated.length} of ${result.invariants} invariants do not hold: ${violated.join(', ')}.`,
    `The server started on the copy in ${seconds(result.startSeconds)}.`,
    `Compared ${amount(result.reads, 'read')} of ${amount(result.readers, 'account')}: ${amount(differences.length, 'difference')}.`,
    ...differences.slice(0, SHOWN).map((difference) => `  ${difference}`),
    ...(differences.length > SHOWN ? [`  and ${differences.length - SHOWN} more`] : []),
    ...(differences.length > 0
      ? ['What users changed after the copy was made is among them. Rehearse again when few are active.']
      : []),
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

function seconds(value: number): string {
  return `${value.toFixed(1)} s`;
}

function mib(bytes: number): string {
  return `${(bytes / MIB).toFixed(1)} MiB`;
}
