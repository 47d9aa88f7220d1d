import { spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { compiledServer } from './compiled-server';

/** Result of a command. */
export interface CommandOutcome {
  readonly exitCode: number;
  readonly output: string;
  readonly errors: string;
}

/** The command line as people run it, each command in a separate process. */
export class CommandLine {
  /**
   * @param env of the test's environment, the process gets only `PATH`
   * @param user of the process; by default that of the test
   * @param program for Node to run
   */
  constructor(
    private readonly env: Readonly<Record<string, string>>,
    private readonly user: Pick<SpawnOptions, 'uid' | 'gid'> = {},
    readonly program = join(dirname(compiledServer()), 'cli/main.js'),
  ) {}

  async run(args: readonly string[], input: string | Buffer = ''): Promise<CommandOutcome> {
    const { PATH = '' } = process.env;
    const child = spawn(process.execPath, [this.program, ...args], {
      ...this.user,
      env: { PATH, PORT: '0', ...this.env },
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
