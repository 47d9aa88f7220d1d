import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as moment } from 'node:timers/promises';

/**
 * Counts the files of the program that a request enters. Run `npm run trace`, with `-- --verbose` for their names and
 * `-- --check` to fail if a limit is exceeded. docs/performance.md defines what counts as entered.
 */
const dist = join(__dirname, '..', 'dist');

/** Maximum number of files per request, to keep the code readable. */
const LIMITS: Readonly<Record<string, number>> = { send: 75, reaction: 48 };

/** Occasional background work is not in all of them. */
const ROUNDS = 3;

/** Time for background work to settle. */
const REST_MS = 300;

const verbose = process.argv.includes('--verbose');
const check = process.argv.includes('--check');

function load<Exports>(path: string): Exports {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- V8 counts the compiled program, not its sources
  return require(join(dist, path)) as Exports;
}

/** The names of all exported functions of a file, and of all methods of its exported classes. */
function exportedNames(file: string): Set<string> {
  const names = new Set<string>();
  for (const [name, value] of Object.entries(load<object>(file))) {
    if (typeof value !== 'function') continue;
    const exported = value as { name: string; prototype?: object };
    names.add(name).add(exported.name);
    for (const owner of [exported, exported.prototype ?? {}]) {
      for (const method of Object.getOwnPropertyNames(owner)) names.add(method).add(`get ${method}`);
    }
  }
  return names;
}

/** V8's coverage of the program in this process. */
class Coverage {
  private readonly session = new Session();

  async start(): Promise<void> {
    this.session.connect();
    await this.session.post('Profiler.enable');
    await this.session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  }

  /** The files entered since the last call, from `dist`. */
  async take(): Promise<Set<string>> {
    const { result } = await this.session.post('Profiler.takePreciseCoverage');
    const files = new Set<string>();
    for (const { url, functions } of result) {
      const [, file] = url.split(`${dist}/`);
      if (file === undefined) continue;
      const exported = exportedNames(file);
      const isEntered = functions.some(
        ({ functionName, ranges }) => exported.has(functionName) && (ranges[0]?.count ?? 0) > 0,
      );
      if (isEntered) files.add(file.replace(/\.js$/, '.ts'));
    }
    return files;
  }
}

/** The first owner of a new organization, over a real connection. */
class Owner {
  private readonly site: string;
  private readonly authorization: string;

  constructor(url: string, dataDir: string) {
    const rc = readFileSync(join(dataDir, 'zuliprc'), 'utf8');
    const value = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(rc)?.[1] ?? '';
    this.site = url;
    this.authorization = `Basic ${Buffer.from(`${value('email')}:${value('key')}`).toString('base64')}`;
  }

  async call<Answer>(
    method: 'GET' | 'POST',
    path: string,
    parameters: Record<string, string>,
  ): Promise<Answer> {
    const form = new URLSearchParams(parameters);
    const isRead = method === 'GET';
    const answer = await fetch(`${this.site}/api/v1/${path}${isRead ? `?${form.toString()}` : ''}`, {
      method,
      headers: { authorization: this.authorization },
      ...(isRead ? {} : { body: form }),
    });
    const body = (await answer.json()) as { result: string };
    if (body.result !== 'success') throw new Error(`${method} ${path}: ${JSON.stringify(body)}`);
    return body as Answer;
  }
}

/** A request that is traced. */
interface Traced {
  readonly name: string;
  /** Whether a waiting client receives its event. */
  readonly isHeard: boolean;
  /** Untraced preparation. */
  readonly prepare?: () => Promise<unknown>;
  readonly request: () => Promise<unknown>;
}

interface Queue {
  readonly queue_id: string;
  last_event_id: number;
}

class Tracer {
  private messageId = 0;
  private count = 0;

  private constructor(
    private readonly owner: Owner,
    private readonly queue: Queue,
    private readonly coverage: Coverage,
  ) {}

  static async start(owner: Owner): Promise<Tracer> {
    await owner.call('POST', 'users/me/subscriptions', { subscriptions: '[{"name":"lunch"}]' });
    const event_types = '["message","reaction"]';
    const queue = await owner.call<Queue>('POST', 'register', { event_types });
    const coverage = new Coverage();
    await coverage.start();
    return new Tracer(owner, queue, coverage);
  }

  readonly requests: readonly Traced[] = [
    { name: 'send', isHeard: true, request: () => this.send() },
    { name: 'reaction', isHeard: true, request: () => this.react() },
    { name: 'subscribe', isHeard: false, request: () => this.subscribe() },
    { name: 'poll', isHeard: false, prepare: () => this.send(), request: () => this.poll() },
    { name: 'register', isHeard: false, request: () => this.owner.call('POST', 'register', {}) },
  ];

  /** @returns the files that the request enters each time */
  async filesOf(traced: Traced): Promise<string[]> {
    let common: Set<string> | undefined;
    for (let round = 0; round < ROUNDS; round++) {
      const files = await this.once(traced);
      common = common ? new Set([...common].filter((file) => files.has(file))) : files;
    }
    return [...(common ?? [])].sort();
  }

  private async once({ isHeard, prepare, request }: Traced): Promise<Set<string>> {
    await prepare?.();
    const waiting = isHeard ? this.poll() : null;
    await moment(REST_MS);
    await this.coverage.take();
    await request();
    await waiting;
    // A response is logged after it is sent.
    await moment(REST_MS / 6);
    return this.coverage.take();
  }

  private async poll(): Promise<void> {
    const { queue_id, last_event_id } = this.queue;
    const place = { queue_id, last_event_id: String(last_event_id) };
    const { events } = await this.owner.call<{ events: { id: number }[] }>('GET', 'events', place);
    this.queue.last_event_id = events.at(-1)?.id ?? last_event_id;
  }

  private async send(): Promise<void> {
    const message = { type: 'channel', to: 'lunch', topic: 'Tuesday', content: 'Soup **at noon**?' };
    this.messageId = (await this.owner.call<{ id: number }>('POST', 'messages', message)).id;
  }

  private react(): Promise<unknown> {
    const emoji_name = ['tada', 'smile', 'heart'][this.count++ % ROUNDS] ?? 'tada';
    return this.owner.call('POST', `messages/${this.messageId}/reactions`, { emoji_name });
  }

  private subscribe(): Promise<unknown> {
    const subscriptions = JSON.stringify([{ name: `channel ${this.count++}` }]);
    return this.owner.call('POST', 'users/me/subscriptions', { subscriptions });
  }
}

async function main(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'parley-trace-'));
  const { createApp } = load<typeof import('../src/app.factory')>('app.factory');
  const { loadConfig } = load<typeof import('../src/platform/config/load-config')>(
    'platform/config/load-config',
  );
  const { FirstStartService } = load<typeof import('../src/features/organization/organization.module')>(
    'features/organization/organization.module',
  );
  const app = await createApp(loadConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' }));
  try {
    await app.init();
    const firstStart = app.get(FirstStartService);
    const first = await firstStart.run();
    await app.listen({ port: 0, host: '127.0.0.1' });
    const url = await app.getUrl();
    if (first) firstStart.handOver(url, first);
    await firstStart.finish();
    const tracer = await Tracer.start(new Owner(url, dataDir));
    for (const traced of tracer.requests) {
      const files = await tracer.filesOf(traced);
      const limit = LIMITS[traced.name];
      const isOver = limit !== undefined && files.length > limit;
      console.log(`${traced.name}: ${files.length} files${isOver ? `, and ${limit} are the limit` : ''}`);
      if (verbose) for (const file of files) console.log(`  ${file}`);
      if (check && isOver) process.exitCode = 1;
    }
  } finally {
    await app.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

void main();
