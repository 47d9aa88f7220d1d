import { resolve } from 'node:path';
import { Argument, type Command } from 'commander';
import type { Finding } from './doctor';
import { amount, conclude, type Outcome } from './output';
import { commandOf, type CommonOptions, configOf, runCommand, withContext } from './run-command';

interface StartResult {
  readonly created: boolean;
  readonly organization: string;
  readonly dataDir: string;
  readonly email?: string;
  readonly password?: string;
  readonly zuliprc?: string;
}

/** Commands that start a server or prepare its start. */
export function addServerCommands(program: Command): void {
  program
    .command('serve')
    .description('run the server, as "npm start" does')
    .option('--data-dir <folder>', 'data folder of the server (default: DATA_DIR, or else "data")')
    .action(async ({ dataDir }: CommonOptions) => {
      await import('../platform/lifecycle/kept-program.js');
      const { serve } = await import('../serve.js');
      await serve(dataDir === undefined ? {} : { DATA_DIR: dataDir });
    });

  commandOf(program, 'doctor', 'find problems with this server, and explain how to fix them')
    .addHelpText(
      'after',
      '\nIt changes nothing, and works with the server running or stopped. Exit code 1: a problem was found.',
    )
    .action((options: CommonOptions) =>
      conclude(options, async () => {
        const { examine } = await import('./doctor.js');
        const findings = await examine(options);
        const exitCode = findings.some(({ state }) => state === 'problem') ? 1 : 0;
        return { result: { findings }, text: findings.map(findingText).join('\n'), exitCode };
      }),
    );

  commandOf(program, 'init', 'create the organization and its owner, without starting the server')
    .option(
      '--keep-secret',
      'also if there is a secret without its database; the new organization uses that secret',
    )
    .addHelpText('after', '\nSet ORGANIZATION_NAME, OWNER_EMAIL and OWNER_PASSWORD.')
    .action((options: CommonOptions) =>
      conclude(options, async () => {
        const result = await runCommand<StartResult>('init', {}, options);
        return { result, text: startText(result) };
      }),
    );
}

function findingText({ state, about, finding, advice }: Finding): string {
  const line = `${state.padEnd(8)} ${about}: ${finding}`;
  return advice === undefined ? line : `${line}\n${' '.repeat(9)}${advice}`;
}

function startText({ created, organization, dataDir, email, password, zuliprc }: StartResult): string {
  if (!created) return `The organization ${organization} already exists in ${dataDir}. Nothing was changed.`;
  return [
    `Created the organization ${organization}. Sign in as its owner:`,
    '',
    `  Email        ${email}`,
    `  Password     ${password === undefined ? 'the one in OWNER_PASSWORD' : `${password}   (shown only once)`}`,
    `  API key      in ${zuliprc}, a configuration file for Zulip clients`,
    '',
    'Start the server with "parley serve".',
  ].join('\n');
}

/** Checks the web app of a release, before `WEB_APP_DIR` names its folder. */
export function addWebAppCommand(program: Command): void {
  const webApp = program.command('web-app').description("manage Zulip's web app");
  commandOf(webApp, 'check <folder>', 'check whether a folder has a web app that the server can show')
    .addHelpText(
      'after',
      '\nThe folder is that of a release, as its archive unpacks. WEB_APP_DIR has the server show it.',
    )
    .action((folder: string, options: CommonOptions) => conclude(options, () => check(resolve(folder))));
}

async function check(folder: string): Promise<Outcome> {
  const { readBuild, versionNotice, WebAppIncompatible } = await import('../features/web/web.module.js');
  try {
    const build = readBuild(folder);
    const { version, files, languages } = build;
    const notice = versionNotice(build);
    const text = [
      `${folder} holds the web app of release ${version}: ${amount(files.size, 'file')}, ${amount(languages.length, 'language')}.`,
      ...(notice === null ? [] : [notice]),
      `Show it with WEB_APP_DIR=${folder}`,
    ].join('\n');
    return { result: { fits: true, version, notice, files: files.size, languages: languages.length }, text };
  } catch (error) {
    if (!(error instanceof WebAppIncompatible)) throw error;
    return { result: { fits: false, problems: error.problems }, text: error.message, exitCode: 1 };
  }
}

interface Status {
  readonly reason: string | null;
  readonly held: number;
}

interface Lifted {
  readonly sent: number;
  readonly dropped: number;
}

/** Commands for the quarantine of a restored server. */
export function addQuarantineCommand(program: Command): void {
  const quarantine = program
    .command('quarantine')
    .description('manage what a restored server holds back: mail, webhooks, answers');
  commandOf(quarantine, 'status', 'show whether anything is held back, and why').action(
    (options: CommonOptions) =>
      conclude(options, async () => {
        const result = await runCommand<Status>('quarantine status', {}, options);
        return { result, text: statusText(result) };
      }),
  );
  commandOf(quarantine, 'lift', 'allow sending again, and send what was held back')
    .option('--drop', 'discard what was held back')
    .action((options: CommonOptions & { drop?: boolean }) =>
      conclude(options, async () => {
        const input = options.drop === undefined ? {} : { drop: options.drop };
        const result = await runCommand<Lifted>('quarantine lift', input, options);
        const { sent, dropped } = result;
        const text = dropped > 0 ? `Dropped ${items(dropped)}.` : `${items(sent)} will be sent.`;
        return { result, text: `Nothing is held back any more. ${text}` };
      }),
    );
}

function statusText({ reason, held }: Status): string {
  if (reason === null) return 'Nothing is held back.';
  return `Nothing leaves this machine, because ${reason}. ${items(held)} held back. "parley quarantine lift" ends that.`;
}

const items = (count: number) => amount(count, 'mail, call or answer', 'mails, calls and answers');

/** The command that copies users' files between the data folder and a bucket. */
export function addFilesCommand(program: Command): void {
  const files = program.command('files').description('where uploads, pictures and exports are kept');
  commandOf(
    files,
    'copy',
    'copy them into the bucket that FILES_URL names, or back; also while the server runs',
  )
    .addArgument(new Argument('<to>', 'where to').choices(['bucket', 'folder']))
    .addHelpText(
      'after',
      '\nCopy while the server runs with the old setting, restart it with the new one, and copy again: only new files are\n' +
        'copied. Nothing is deleted.',
    )
    .action((to: 'bucket' | 'folder', options: CommonOptions) =>
      conclude(options, async () => {
        const config = configOf(options);
        const { copyFiles } = await import('./copy-files.js');
        const result = await withContext(config, (context) => copyFiles(to, config, context));
        const { copied, kept, bytes } = result;
        const size = `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
        return { result, text: `Copied ${amount(copied, 'file')} (${size}); ${kept} were there already.` };
      }),
    );
}
