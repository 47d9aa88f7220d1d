import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as moment } from 'node:timers/promises';
import { Client } from 'pg';
import { compiledServer } from '../support/compiled-server';
import { holdSocket } from '../support/held-socket';
import { ServerProcess } from '../support/server-process';
import { createTestDatabase, hasPostgres, type TestDatabase } from '../support/test-database';

if (!hasPostgres) test.todo('several workers: TEST_DATABASE_URL names no server');
const isLinux = process.platform === 'linux';
if (!isLinux) test.todo('several workers: only Linux tells the processes that another one started');

const WORKERS = 3;

(hasPostgres && isLinux ? describe : describe.skip)('a server of several workers', () => {
  let folder: string;
  let database: TestDatabase;
  let server: ServerProcess;
  let url: URL;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-workers-'));
    database = await createTestDatabase('postgres');
    server = new ServerProcess([compiledServer()], {
      env: {
        ...database.env,
        DATABASE_POOL_SIZE: '6',
        DATA_DIR: join(folder, 'data'),
        WORKERS: String(WORKERS),
        OWNER_PASSWORD: 'many hands make light work',
      },
    });
    url = await server.ready();
    await complete();
  });

  afterAll(async () => {
    server.signal('SIGKILL');
    await server.exitCode();
    // They end when they notice.
    while (workers().some(isAlive)) await moment(20);
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  let known: number[] = [];

  const isAlive = (pid: number) => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  };

  /** IDs of the processes that serve. */
  function workers(): number[] {
    try {
      known = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8')
        .trim()
        .split(' ')
        .map(Number);
    } catch {
      // The one that started them has ended.
    }
    return known;
  }

  async function metrics(): Promise<string> {
    const answer = await fetch(new URL('/metrics', url), { headers: { connection: 'close' } });
    expect(answer.status).toBe(200);
    return answer.text();
  }

  /** Once all workers serve. @returns what the last one asked said */
  async function complete(): Promise<string> {
    for (;;) {
      const text = await metrics().catch(() => '');
      if ((text.match(/^parley_build_info\{/gm) ?? []).length === WORKERS) return text;
      await moment(50);
    }
  }

  async function request(path: string, form?: Record<string, string>) {
    const zuliprc = readFileSync(join(folder, 'data/zuliprc'), 'utf8');
    const [email, key] = ['email', 'key'].map((name) => new RegExp(`^${name}=(.*)$`, 'm').exec(zuliprc)?.[1]);
    const answer = await fetch(new URL(`/api/v1${path}`, url), {
      // Each request makes a connection, and so comes to the next worker.
      headers: { authorization: `Basic ${btoa(`${email}:${key}`)}`, connection: 'close' },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, never> };
  }

  it('starts once: one organization, one notice', async () => {
    expect(server.output.match(/Parley is ready/g)).toHaveLength(1);
    const client = new Client({ connectionString: database.env['DATABASE_URL'] });
    await client.connect();
    const { rows } = await client.query('SELECT COUNT(*)::int AS owners FROM account WHERE role = 100');
    await client.end();
    expect(rows).toEqual([{ owners: 1 }]);
  });

  it('answers a poll at one worker with what is sent to another', async () => {
    const queue = (await request('/register', { event_types: '["message"]' })).body;
    const me = (await request('/users/me')).body;
    let last = -1;
    for (let n = 0; n < 6; n++) {
      const polled = request(`/events?queue_id=${queue['queue_id']}&last_event_id=${last}`);
      await request('/messages', { type: 'direct', to: `[${me['user_id']}]`, content: `${n}` });
      const { events } = (await polled).body as unknown as {
        events: { id: number; message: { content: string } }[];
      };
      expect(events.map(({ message }) => message.content)).toEqual([`${n}`]);
      last = events.at(-1)?.id ?? last;
    }
  });

  it('tells the figures of all of them, whichever is asked', async () => {
    const text = await complete();
    for (const name of ['parley_event_queues', 'process_resident_memory_bytes']) {
      const samples = text.match(new RegExp(`^${name}\\{.*worker="\\d+".*\\} [\\d.e+]+$`, 'gm'));
      expect(samples).toHaveLength(WORKERS);
      expect(text.match(new RegExp(`^# HELP ${name} `, 'gm'))).toHaveLength(1);
    }
  });

  it('starts another worker in place of one that dies', async () => {
    const before = workers();
    expect(before).toHaveLength(WORKERS);
    process.kill(before[0]!, 'SIGKILL');
    await server.wrote('another one is started');
    while (workers().length < WORKERS || workers().includes(before[0]!)) await moment(20);
    await complete();
    const statuses = await Promise.all(Array.from({ length: 9 }, () => request('/users/me')));
    expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('stops as a whole', async () => {
    const all = workers();
    server.signal('SIGTERM');
    await expect(server.exitCode()).resolves.toBe(0);
    expect(all.filter(isAlive)).toEqual([]);
  });
});

(hasPostgres && isLinux ? it : it.skip)(
  'a server ends when all workers do, if systemd holds its port',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-workers-'));
    const database = await createTestDatabase('postgres');
    const socket = holdSocket();
    const env = { ...database.env, DATA_DIR: folder, WORKERS: '2', PORT: '1' };
    const server = new ServerProcess([compiledServer()], { env, socket: socket.fd });
    const children = () =>
      readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8').trim().split(' ').map(Number);
    await server.ready();
    while (children().length < 2) await moment(20);
    for (const worker of children()) process.kill(worker, 'SIGKILL');
    // Whoever started the server, as systemd does, starts it again with the socket.
    await expect(server.exitCode()).resolves.toBe(1);
    expect(server.output).toContain('All workers have ended');
    socket.close();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  },
);

it('a server on SQLite has one', async () => {
  const server = new ServerProcess([compiledServer()], { env: { WORKERS: '2', DATA_DIR: '/nowhere' } });
  await expect(server.exitCode()).resolves.toBe(1);
  expect(server.errors).toContain(
    'WORKERS has a value that is not allowed: without DATABASE_URL, it must be 1.',
  );
});
