import type { Command } from 'commander';
import type { Finding } from './doctor';
import { conclude } from './output';
import { commandOf, type CommonOptions, runCommand } from './run-command';

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
