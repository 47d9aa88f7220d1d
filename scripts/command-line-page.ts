import type { Command } from 'commander';
import { parleyProgram } from '../src/cli/program';

const WIDTH = 110;

/** The page about the command line: what each command says of itself. */
export function commandLinePage(): string {
  const program = parleyProgram();
  const chapters = leavesOf(program).map((command) => {
    const name = nameOf(command);
    return `## ${name}\n\n\`\`\`text\n${helpOf(command)}\n\`\`\`\n`;
  });
  return [
    '# Command line',
    '',
    '<!-- Generated from src/cli by npm run docs. -->',
    '',
    'After `npm run build`, run a command in the folder of the sources: `npx parley <command>`, or for a user without a home',
    'folder `node dist/cli/main.js <command>`. [operations.md](operations.md) explains step by step what each is for.',
    '',
    '```text',
    helpOf(program),
    '```',
    '',
    chapters.join('\n'),
  ].join('\n');
}

function leavesOf(command: Command): Command[] {
  return command.commands.flatMap((each) => (each.commands.length > 0 ? leavesOf(each) : [each]));
}

function nameOf(command: Command): string {
  return command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
}

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part), getOutHelpWidth: () => WIDTH });
  command.outputHelp();
  return text.trim();
}
