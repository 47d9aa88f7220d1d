import type { Command, Option } from 'commander';
import { parleyProgram } from '../src/cli/program';

const WIDTH = 110;

/** Options listed once, by their long name. */
const SHARED = ['--data-dir', '--json', '--help'];

/** The command-line page, with the help text of each command. */
export function commandLinePage(): string {
  const program = parleyProgram();
  const shared = SHARED.map((option) => sharedLine(program, option));
  const chapters = leavesOf(program).map((command) => {
    const name = nameOf(command);
    return `## ${name}\n\n\`\`\`text\n${withShortUsage(helpOf(command), name)}\n\`\`\`\n`;
  });
  return [
    '# Command line',
    '',
    '<!-- Generated from src/cli by npm run docs. -->',
    '',
    'After `npm run build`, run `npx parley <command>` in the folder of the sources, or `node dist/cli/main.js <command>` as a user',
    'without a home folder. `<user>` is the address or ID of an account. Most commands share these options:',
    '',
    ...shared,
    '',
    '```text',
    helpOf(program),
    '```',
    '',
    chapters.join('\n'),
  ].join('\n');
}

/**
 * The help of a command without what its heading and the introduction contain: its usage stays only if it has
 * arguments.
 */
function withShortUsage(help: string, name: string): string {
  return help
    .replace(/^Usage: (.*)\n\n/, (_, usage: string) => {
      const short = usage.replace(' [options]', '');
      return short === name ? '' : `${short}\n\n`;
    })
    .replace(/^<user> is the address or ID of (?:the account|a person or bot)\.\s*/m, '')
    .trimEnd();
}

/** A shared option with its meaning, and the commands without it. */
function sharedLine(program: Command, long: string): string {
  const leaves = leavesOf(program);
  const optionIn = (command: Command) =>
    command
      .createHelp()
      .visibleOptions(command)
      .find((option) => option.long === long && isShared(option));
  const option = leaves.map(optionIn).find(Boolean);
  const without = leaves.filter((command) => !optionIn(command)).map((command) => `\`${nameOf(command)}\``);
  const exceptions = without.length > 0 ? ` (not ${without.join(', ')})` : '';
  return `- \`${option?.flags}\`: ${option?.description}${exceptions}`;
}

/** A shared name with a specific argument, such as `--json <file>`, has another meaning. */
function isShared({ long, required }: Option): boolean {
  return SHARED.includes(long ?? '') && (long === '--data-dir' || !required);
}

function leavesOf(command: Command): Command[] {
  return command.commands.flatMap((each) => (each.commands.length > 0 ? leavesOf(each) : [each]));
}

function nameOf(command: Command): string {
  return command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
}

function helpOf(command: Command): string {
  let text = '';
  if (command.commands.length === 0) {
    const all = command.createHelp();
    const own = (of: Command) => all.visibleOptions(of).filter((option) => !isShared(option));
    command.configureHelp({ visibleOptions: own });
  }
  command.configureOutput({ writeOut: (part) => (text += part), getOutHelpWidth: () => WIDTH });
  command.outputHelp();
  return text.trim();
}
