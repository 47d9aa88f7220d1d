import { spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { compiledServer } from './compiled-server';
import { type CommandOutcome, runHosted } from './shared/command-hosts';

export type { CommandOutcome };

/** Commands that end their process, start others, or never end. */
const NEEDS_PROCESS = new Set(['serve', 'test', 'mail', 'upgrade', 'move', 'conformance']);

/**
 * The command line as people run it. A process is shared by commands that load no modules and need none of their own, as
 * each would take a second to load the program; with `TEST_COMMANDS=processes`, none is.
 */
export class CommandLine {
  /**
   * @param env of the test's environment, the process gets only `PATH`
   * @param user of the process; by default that of the test
   * @param program for Node to run
   */
  constructor(
    private readonly env: Readonly<Record<string, string>>,
    private readonly user: Pick<SpawnOptions, 'uid' | 'gid'> = {},
    readonly program = ownProgram(),
  ) {}

  async run(args: readonly string[], input: string | Buffer = ''): Promise<CommandOutcome> {
    const { PATH = '', TEST_COMMANDS } = process.env;
    const env = { PATH, PORT: '0', ...this.env };
    const [command = ''] = args;
    if (this.isHostable && TEST_COMMANDS !== 'processes' && !NEEDS_PROCESS.has(command)) {
      return runHosted(dirname(dirname(this.program)), { args, env, input: Buffer.from(input) });
    }
    const child = spawn(process.execPath, [this.program, ...args], {
      ...this.user,
      env,
    });
    let output = '';
    let errors = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (errors += chunk));
    child.stdin.on('error', () => undefined); // not every command reads it
    child.stdin.end(input);
    const [exitCode] = (await once(child, 'close')) as [number];
    return { exitCode, output, errors };
  }

  private get isHostable(): boolean {
    return this.user.uid === undefined && !this.env.PARLEY_MODULES && this.program === ownProgram();
  }

  /** Kills a command after a time, or once a condition holds, unless it has ended. */
  async killed(args: readonly string[], when: number | (() => boolean | Promise<boolean>)): Promise<void> {
    const { PATH = '' } = process.env;
    const child = spawn(process.execPath, [this.program, ...args], {
      ...this.user,
      stdio: 'ignore',
      env: { PATH, PORT: '0', ...this.env },
    });
    const began = performance.now();
    const isDue = typeof when === 'number' ? () => performance.now() - began >= when : when;
    const over = once(child, 'close');
    while (child.exitCode === null && !(await isDue())) await pause(2);
    child.kill('SIGKILL');
    await over;
  }

  /** The result as JSON. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers as they are
  async json(args: readonly string[], input = ''): Promise<any> {
    const { output, errors } = await this.run([...args, '--json'], input);
    if (output === '') throw new Error(`"${args.join(' ')}" printed nothing: ${errors}`);
    return JSON.parse(output);
  }
}

/** The sources do not change while a test file runs. */
let ownPath: string | null = null;

function ownProgram(): string {
  return (ownPath ??= join(dirname(compiledServer()), 'cli/main.js'));
}
