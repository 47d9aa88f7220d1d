import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Parley, type TestPersonRecord, type World } from './parley';

/** Start options of the server. */
export interface StartOptions {
  /** 0, the default, lets the system assign a free one. */
  readonly port?: number;
  /** Initial organization, in addition to the cast. */
  readonly world?: World;
  /** Feature level of the release to emulate: 237, 278, 372, 421, 496 or 497. */
  readonly level?: number;
  /**
   * Whether the server runs in this process. A separate process, the default, is as fast once started, and starts
   * before the test has loaded the program; under Jest, which loads the program again for every test file, it is far
   * faster.
   */
  readonly inProcess?: boolean;
  /** Folders of modules to load, already built. They require a separate process. */
  readonly modules?: readonly string[];
  /** Variables of those modules, such as `MODULE_POLLS_DAYS`. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** The parts of the server used in the same process. */
interface ServerInProcess {
  readonly url: string;
  readonly people: { all(): Record<string, TestPersonRecord> };
  stop(): Promise<void>;
}

interface ServerProgram {
  readonly TestServer: {
    start(options: { port?: number; world?: unknown; level?: number }): Promise<ServerInProcess>;
  };
}

/** Starts a test server, whose data is lost when it stops. */
export async function startParley({
  port = 0,
  world,
  level,
  inProcess = false,
  modules = [],
  settings = {},
}: StartOptions = {}): Promise<Parley> {
  if (!inProcess) return startBeside({ port, world, level, modules, settings });
  if (modules.length > 0) throw new Error('A server with modules needs a separate process.');
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- the whole program, which a process beside makes unnecessary
  const { TestServer } = require('./server/test-server') as ServerProgram;
  const server = await TestServer.start({ port, world, level });
  return new Parley(server.url, server.people.all(), () => server.stop());
}

type Beside = Required<Pick<StartOptions, 'port' | 'modules' | 'settings'>> &
  Pick<StartOptions, 'world' | 'level'>;

async function startBeside({ port, world, level, modules, settings }: Beside): Promise<Parley> {
  const folder = world && mkdtempSync(join(tmpdir(), 'parley-world-'));
  const file = folder && join(folder, 'world.json');
  if (file) writeFileSync(file, JSON.stringify(world));
  const program = join(__dirname, '../cli/main.js');
  const options = ['--port', String(port), '--with-input', ...(file ? ['--world', file] : [])];
  options.push(...modules.flatMap((module) => ['--module', module]));
  if (level !== undefined) options.push('--level', String(level));
  // Its input ends with this process, and it ends with its input.
  const child = spawn(process.execPath, [program, 'test', ...options], {
    stdio: ['pipe', 'pipe', 'pipe'],
    // eslint-disable-next-line no-restricted-properties -- the server is started as anybody would start it
    env: { ...process.env, ...settings },
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-10_000)));
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const ended = exited.then(() => {
    throw new Error(`The test server did not start. ${errors}`);
  });
  try {
    const [line] = (await Promise.race([once(lines, 'line'), ended])) as [string];
    const { url, people } = JSON.parse(line) as { url: string; people: Record<string, TestPersonRecord> };
    // A test that forgets to stop it still ends.
    for (const part of [child, child.stdin, child.stdout, child.stderr])
      (part as { unref?(): void }).unref?.();
    return new Parley(url, people, async () => {
      child.ref();
      child.stdin.end();
      await exited;
    });
  } finally {
    ended.catch(() => undefined);
    if (folder) rmSync(folder, { recursive: true, force: true });
  }
}
