import { InvalidArgumentError, type Command } from 'commander';
import { amount, conclude } from './output';
import { commandOf, type CommonOptions, runCommand } from './run-command';

const DIGITS = /^\d{1,9}$/;

/** Number of messages of each named size. */
const SIZES: Readonly<Record<string, number>> = { small: 300, medium: 2_000, large: 10_000 };

interface DemoOptions extends CommonOptions {
  readonly size?: number;
  readonly seed?: number;
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
  commandOf(program, 'demo', 'add sample data: people, channels, weeks of messages')
    .option('--size <size>', 'small, medium, large, or a number of messages (default: small)', sizeOf)
    .option('--seed <number>', 'seed of the sample (default: 1)', wholeNumber)
    .option('--force', 'also in an organization in use')
    .addHelpText(
      'after',
      '\nThe people have no passwords: "parley user key" and "parley user password" help.',
    )
    .action((options: DemoOptions) =>
      conclude(options, async () => {
        const { size: messages = SIZES.small, seed, force } = options;
        const result = await runCommand<DemoResult>('demo', { messages, seed, force }, options);
        return { result, text: demoText(result) };
      }),
    );
}

function demoText(made: DemoResult): string {
  return [
    `Made ${amount(made.people, 'person', 'people')}, ${amount(made.bots, 'bot')}, ${amount(made.groups, 'user group')} and ${amount(made.channels, 'channel')},`,
    `with ${amount(made.messages, 'message')} in channels and direct conversations, and ${amount(made.reactions, 'reaction')}.`,
    `See it as one of them would: "parley user key ${made.example}" shows what a client needs.`,
  ].join('\n');
}

function sizeOf(text: string): number {
  const size =
    (Object.hasOwn(SIZES, text) ? SIZES[text] : undefined) ?? (DIGITS.test(text) ? Number(text) : undefined);
  if (size === undefined) throw new InvalidArgumentError('Use small, medium, large or a whole number.');
  return size;
}

function wholeNumber(text: string): number {
  if (!DIGITS.test(text)) throw new InvalidArgumentError('Use a whole number.');
  return Number(text);
}
