import { resolve } from 'node:path';
import type { Command } from 'commander';
import { amount, conclude } from './output';
import { commandOf, type CommonOptions, runCommand } from './run-command';

interface ImportResult {
  readonly wasThere: boolean;
  readonly isDryRun: boolean;
  readonly people: number;
  readonly channels: number;
  readonly messages: number;
  readonly ledger: string;
  readonly summary: readonly {
    readonly fate: string;
    readonly what: string;
    readonly reason: string;
    readonly count: number;
  }[];
}

/** Maximum number of printed lines of the summary; the list contains all. */
const MOST_LINES = 40;

/** Commands that import an organization from another system. */
export function addImport(program: Command): void {
  const group = program.command('import').description('import an organization from another product');
  commandOf(
    group,
    'zulip <archive>',
    'import an export of Zulip, or of this server, into an empty organization',
  )
    .option('--dry-run', 'read everything, write nothing, and tell what would be lost')
    .addHelpText(
      'after',
      '\nThe archive is a .tar.gz, or the folder it was unpacked into. The server must be stopped.\nTo resume an interrupted import, run' +
        ' the same command again. No emails or notifications are sent.',
    )
    .action((archive: string, options: CommonOptions & { dryRun?: boolean }) =>
      conclude(options, async () => {
        const input = { archive: resolve(archive), ...(options.dryRun && { dryRun: true }) };
        const result = await runCommand<ImportResult>('import zulip', input, options);
        return { result, text: importText(result) };
      }),
    );
  commandOf(
    group,
    'mattermost <archive>',
    'import an export of a Mattermost server into an empty organization',
  )
    .option('--dry-run', 'read everything, write nothing, and show what would be lost')
    .addHelpText(
      'after',
      '\nThe archive is a .zip from "mmctl export", or the folder it was unpacked into. The server must be stopped.',
    )
    .action((archive: string, options: CommonOptions & { dryRun?: boolean }) =>
      conclude(options, async () => {
        const input = { archive: resolve(archive), ...(options.dryRun && { dryRun: true }) };
        const result = await runCommand<ImportResult>('import mattermost', input, options);
        return { result, text: importText(result) };
      }),
    );
  commandOf(group, 'slack <archive>', 'import an export of a Slack workspace into an empty organization')
    .option('--dry-run', 'read everything, download and write nothing, and show what would be lost')
    .option('--users <file>', "Slack's list of members (CSV), as exports often lack email addresses")
    .option(
      '--files <folder>',
      "files of messages, in files or folders whose names begin with Slack's file ID",
    )
    .option('--emoji <folder>', 'images of custom emoji, named like the emoji; an emoji.json adds aliases')
    .option(
      '--token',
      'download missing files and profile pictures from Slack, with the tokens in the export',
    )
    .addHelpText(
      'after',
      '\nThe archive is a .zip, or the folder it was unpacked into. The server must be stopped.',
    )
    .action((archive: string, options: CommonOptions & SlackOptions) =>
      conclude(options, async () => {
        const { users, files, emoji, token, dryRun } = options;
        const input = {
          archive: resolve(archive),
          ...(users !== undefined && { users: resolve(users) }),
          ...(files !== undefined && { files: resolve(files) }),
          ...(emoji !== undefined && { emoji: resolve(emoji) }),
          ...(token && { token }),
          ...(dryRun && { dryRun }),
        };
        const result = await runCommand<ImportResult>('import slack', input, options);
        return { result, text: importText(result) };
      }),
    );
  addInvite(group);
}

/** Adds the command to run after an import is complete. */
function addInvite(group: Command): void {
  commandOf(group, 'invite', 'email imported people a link to set a password')
    .option('--dry-run', 'only count them')
    .addHelpText('after', '\nLinks expire in seven days. Run it again to remind people.')
    .action((options: CommonOptions & { dryRun?: boolean }) =>
      conclude(options, async () => {
        const input = options.dryRun ? { dryRun: true } : {};
        const result = await runCommand<InviteResult>('import invite', input, options);
        return { result, text: inviteText(result) };
      }),
    );
}

interface InviteResult {
  readonly isDryRun: boolean;
  readonly people: number;
  readonly withoutAddress: number;
}

function inviteText({ isDryRun, people, withoutAddress }: InviteResult): string {
  const sent = isDryRun
    ? 'would get an email. Nothing was sent.'
    : 'will get an email, as soon as the server runs.';
  return [
    `${amount(people, 'account')} ${sent}`,
    ...(withoutAddress > 0 ? [`${amount(withoutAddress, 'account')} had no address in the archive.`] : []),
  ].join('\n');
}

interface SlackOptions {
  readonly dryRun?: boolean;
  readonly users?: string;
  readonly files?: string;
  readonly emoji?: string;
  readonly token?: boolean;
}

function importText(result: ImportResult): string {
  const { people, channels, messages, summary, ledger } = result;
  const sums = `${amount(people, 'account')}, ${amount(channels, 'channel')} and ${amount(messages, 'message')}`;
  if (result.wasThere) return `This archive was imported before; nothing changed. It has ${sums}.`;
  const lines = summary
    .slice(0, MOST_LINES)
    .map(({ count, fate, what, reason }) => `${String(count).padStart(8)}  ${fate}  ${what}: ${reason}`);
  return [
    result.isDryRun ? `The archive has ${sums}. Nothing was written.` : `Imported ${sums}.`,
    ...lines,
    ...(summary.length > MOST_LINES ? ['          There is more of this.'] : []),
    `${ledger} names everything that ${result.isDryRun ? 'would change or be' : 'was changed or'} left out.`,
  ].join('\n');
}
