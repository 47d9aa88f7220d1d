import type { Command } from 'commander';
import { CommandRefused } from '../platform/operator/operator-command';
import { commandOf } from './common-options';
import { conclude } from './output';
import { runCommand, type CommonOptions } from './run-command';

/** Messages in the sizes that have a name. */
const SIZES: Readonly<Record<string, number>> = { small: 300, medium: 2_000, large: 10_000 };

interface DemoOptions extends CommonOptions {
  readonly size: string;
  readonly seed?: string;
  readonly force?: boolean;
}

interface DemoResult {
  readonly people: number;
  readonly bots: number;
  readonly groups: number;
  readonly channels: number;
  readonly messages: number;
  readonly reactions: number;
  readonly example: string;
}

/** The command that fills an organization with a sample. */
export function addDemoCommand(program: Command): void {
  commandOf(
    program,
    'demo',
    'fill the organization with a lively sample: people, channels, weeks of messages',
  )
    .option('--size <size>', 'small, medium, large, or a number of messages', 'small')
    .option('--seed <number>', 'the same number makes the same sample (default: 1)')
    .option('--force', 'also where people have begun to use the organization')
    .addHelpText(
      'after',
      '\nThe people have no passwords: "parley user key" and "parley user password" help.',
    )
    .action((options: DemoOptions) =>
      conclude(options, async () => {
        const messages = SIZES[options.size] ?? wholeNumber('--size', options.size);
        const seed = options.seed === undefined ? undefined : wholeNumber('--seed', options.seed);
        const result = await runCommand<DemoResult>(
          'demo',
          { messages, seed, force: options.force },
          options,
        );
        return { result, text: demoText(result) };
      }),
    );
}

function demoText(made: DemoResult): string {
  return [
    `${made.people} people, ${made.bots} bots and ${made.groups} groups are there, and in ${made.channels} channels and`,
    `between two or three they have written ${made.messages} messages and reacted ${made.reactions} times.`,
    `Be one of them with "parley user key ${made.example}".`,
  ].join('\n');
}

function wholeNumber(option: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const names = option === '--size' ? `${Object.keys(SIZES).join(', ')} or ` : '';
  throw new CommandRefused(`${option} is "${text}", but it must be ${names}a whole number.`);
}
