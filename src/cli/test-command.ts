import { readFileSync } from 'node:fs';
import { InvalidArgumentError, type Command } from 'commander';
import type { TestServerOptions } from '../testing/server/test-server';

const LARGEST_PORT = 65_535;

/** Feature levels of releases 8 to 12, and of this server. */
const LEVELS = [237, 278, 372, 421, 496, 497];

interface TestOptions {
  readonly port: number;
  readonly world?: TestServerOptions['world'];
  readonly module?: readonly string[];
  readonly withInput?: boolean;
  readonly level?: number;
}

/** The command that runs a test server. */
export function addTestCommand(program: Command): void {
  program
    .command('test')
    .description('run an in-memory test server with a cast of people')
    .option('--port <number>', 'port to listen on; 0 lets the system choose a free one', portOf, 0)
    .option('--world <file>', 'JSON document of the initial organization', documentIn)
    .option('--module <folder>', 'module to load (repeatable)', added)
    .option('--level <number>', `answer as an older release: ${LEVELS.join(', ')}`, levelOf)
    .option('--with-input', 'end with standard input, as when the parent process ends')
    .addHelpText(
      'after',
      '\nPrints one line of JSON once it listens: its address, and everybody with their keys. It reads no settings from the\n' +
        'environment and keeps nothing. docs/test-server.md says what it can do.',
    )
    .action(async (options: TestOptions) => {
      const { useKeptCode } = await import('../platform/lifecycle/kept-code.js');
      const { KEPT_FOLDER } = await import('../testing/server/kept-start.js');
      const code = useKeptCode(KEPT_FOLDER);
      const { serveTests } = await import('../testing/server/serve-tests.js');
      await serveTests({ ...options, modules: options.module });
      code?.keep();
    });
}

function added(folder: string, before: readonly string[] = []): readonly string[] {
  return [...before, folder];
}

function portOf(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > LARGEST_PORT)
    throw new InvalidArgumentError(`Use a whole number up to ${LARGEST_PORT}.`);
  return Number(text);
}

function levelOf(text: string): number {
  if (!LEVELS.includes(Number(text))) throw new InvalidArgumentError(`Use one of ${LEVELS.join(', ')}.`);
  return Number(text);
}

function documentIn(path: string): TestServerOptions['world'] {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as TestServerOptions['world'];
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}
