import { Command, CommanderError } from 'commander';
import { ADVERTISED_VERSION, FEATURE_LEVEL, PROGRAM_VERSION, readBuild } from '../platform/version';
import { addAccountCommands } from './account-commands';
import {
  addAuditCommand,
  addDemoCommand,
  addInviteCommand,
  addOrganizationCommands,
} from './organization-commands';
import { addConformanceCommand } from './conformance-command';
import { addBackupsCommands } from './backups-commands';
import { addDataCommands } from './data-commands';
import { addHoldsCommands } from './hold-commands';
import {
  addFilesCommand,
  addQuarantineCommand,
  addServerCommands,
  addWebAppCommand,
} from './server-commands';
import { addMailCommands } from './mail-commands';
import { addModuleCommands } from './module-commands';
import { addKeyCommands, addSecretCommands } from './key-commands';
import { addScimCommands, addSsoCommands } from './identity-provider-commands';
import { addTestCommand } from './test-command';
import { addUpgradeCommand } from './upgrade/upgrade-command';

const AFTERWORD = `
Commands work with the server running (through a socket in its data folder) or stopped. They read the server's settings
from the environment; DATA_DIR selects the server.

Exit codes: 0 success; 1 failure, or a problem found; 2 wrong command line; 130 stopped by Ctrl-C.`;

/** Exit code for an invalid command line. */
const MISUSED = 2;

/** Runs a command, and sets the exit code of the process. */
export async function runParley(args: readonly string[]): Promise<void> {
  try {
    await parleyProgram().parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    process.exitCode = error.exitCode === 0 ? 0 : MISUSED;
  }
}

/** The command line: every command, with its options and help texts. */
export function parleyProgram(): Command {
  const program = new Command('parley')
    .description('Run and manage a Parley server.')
    .version(versionText(), '--version', 'show the version, commit, feature level and schema')
    .helpOption('--help', 'show this help')
    .helpCommand(false)
    .showHelpAfterError('See --help.')
    .addHelpText('after', AFTERWORD)
    .exitOverride();
  addServerCommands(program);
  addAccountCommands(program);
  addInviteCommand(program);
  addSsoCommands(program);
  addKeyCommands(program);
  addScimCommands(program);
  addOrganizationCommands(program);
  addDataCommands(program);
  addBackupsCommands(program);
  addHoldsCommands(program);
  addUpgradeCommand(program);
  addFilesCommand(program);
  addQuarantineCommand(program);
  addSecretCommands(program);
  addAuditCommand(program);
  addMailCommands(program);
  addModuleCommands(program);
  addDemoCommand(program);
  addWebAppCommand(program);
  addTestCommand(program);
  addConformanceCommand(program);
  return program;
}

/** The first line is for people and programs that only need the release. */
function versionText(): string {
  const { commit = null, schema = null } = readBuild() ?? {};
  return [
    `parley ${PROGRAM_VERSION}`,
    `commit         ${commit ?? 'unknown'}`,
    `feature level  ${FEATURE_LEVEL} (Zulip ${ADVERTISED_VERSION})`,
    `schema         ${schema ?? 'unknown'}`,
  ].join('\n');
}
