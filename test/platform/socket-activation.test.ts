import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { compiledServer } from '../support/compiled-server';
import { holdSocket } from '../support/held-socket';
import { ServerProcess } from '../support/server-process';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

// Each start takes its time where other tests run beside.
jest.setTimeout(300_000);

/** What the last message says. */
const END = 'the end';

describe('A server whose port another process holds', () => {
  let database: TestDatabase;
  let env: Record<string, string>;
  let socket: ReturnType<typeof holdSocket>;
  let credentials: string;
  let server: ServerProcess;
  let longest = 0;
  let acknowledged = 0;

  beforeAll(async () => {
    database = await createTestDatabase();
    const folder = mkdtempSync(join(tmpdir(), 'parley-socket-'));
    socket = holdSocket();
    const site = { EXTERNAL_URL: `http://127.0.0.1:${socket.port}`, RATE_LIMIT_PER_MINUTE: '0' };
    // Nothing could listen on that port: the socket counts.
    env = { ...database.env, ...site, DATA_DIR: folder, PORT: '1', LOG_LEVEL: 'info' };
  });

  afterAll(async () => {
    server.signal('SIGKILL');
    await server.exitCode();
    socket.close();
    await database.drop();
    rmSync(env.DATA_DIR ?? '', { recursive: true, force: true });
  });

  async function start(more: Record<string, string> = {}): Promise<void> {
    server = new ServerProcess([compiledServer()], { env: { ...env, ...more }, socket: socket.fd });
    await server.ready();
  }

  async function stop(): Promise<void> {
    server.signal('SIGTERM');
    await expect(server.exitCode()).resolves.toBe(0);
  }

  /** Each on a connection of its own, so that every one has to be let in. */
  function ask(
    method: string,
    path: string,
    form: Record<string, string> = {},
  ): Promise<Record<string, unknown>> {
    const began = performance.now();
    const body = new URLSearchParams(form).toString();
    return new Promise((resolve, reject) => {
      const headers = { authorization: credentials, 'content-type': 'application/x-www-form-urlencoded' };
      const url = `http://127.0.0.1:${socket.port}/api/v1${path}${method === 'GET' ? `?${body}` : ''}`;
      const sent = request(url, { method, headers, agent: false }, (answer) => {
        let text = '';
        answer.on('data', (chunk) => (text += chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          if (!path.startsWith('/events')) longest = Math.max(longest, performance.now() - began);
          if (answer.statusCode === 200) resolve(JSON.parse(text) as Record<string, unknown>);
          else reject(new Error(`${method} ${path}: ${answer.statusCode} ${text}`));
        });
      });
      sent.on('error', reject).end(method === 'GET' ? '' : body);
    });
  }

  /** @returns the ID of the message */
  async function say(content: string): Promise<number> {
    const place = { type: 'stream', to: '"general"', topic: 'load' };
    return Number((await ask('POST', '/messages', { ...place, content })).id);
  }

  /** Sends until told to stop. @returns what was acknowledged */
  async function send(name: string, isOver: () => boolean): Promise<Map<number, string>> {
    const sent = new Map<number, string>();
    for (let count = 0; !isOver(); count += 1) {
      const content = `${name} ${count}`;
      sent.set(await say(content), content);
      acknowledged += 1;
      await pause(20);
    }
    return sent;
  }

  /** Polls as bots do, up to the message that says the end. @returns the messages before it, as they came */
  async function follow(registered: Record<string, unknown>): Promise<number[]> {
    const seen: number[] = [];
    let last = Number(registered.last_event_id);
    for (;;) {
      const poll = { queue_id: String(registered.queue_id), last_event_id: String(last) };
      const { events } = await ask('GET', '/events', poll);
      for (const event of events as { id: number; message?: { id: number; content: string } }[]) {
        last = event.id;
        if (event.message?.content === END) return seen;
        if (event.message) seen.push(event.message.id);
      }
    }
  }

  it('refuses, loses and doubles nothing while it restarts under load', async () => {
    await start();
    const zuliprc = readFileSync(join(env.DATA_DIR ?? '', 'zuliprc'), 'utf8');
    const valueOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(zuliprc)?.[1] ?? '';
    credentials = `Basic ${Buffer.from(`${valueOf('email')}:${valueOf('key')}`).toString('base64')}`;

    let isOver = false;
    const register = () => ask('POST', '/register', { event_types: '["message"]' });
    const queues = await Promise.all(Array.from({ length: 10 }, register));
    const bots = Promise.all(queues.map(follow));
    const senders = Promise.all(['a', 'b', 'c', 'd'].map((name) => send(name, () => isOver)));
    const load = Promise.all([senders, bots]);
    const failed = new AbortController();
    load.catch(() => failed.abort());
    const untilMore = async () => {
      for (const before = acknowledged; acknowledged < before + 20;) await pause(20, null, failed);
    };
    for (let restarts = 0; restarts < 2 && !failed.signal.aborted; restarts += 1) {
      await untilMore();
      await stop();
      await pause(500);
      await start();
    }
    await untilMore();
    isOver = true;
    await senders;
    await say(END);
    const [sent, seen] = await load;

    const all = new Map(sent.flatMap((each) => [...each]));
    expect(all.size).toBe(sent.reduce((sum, each) => sum + each.size, 0));
    const ids = [...all.keys()].sort((one, other) => one - other);
    for (const messages of seen) expect(messages.filter((id) => all.has(id))).toEqual(ids);
    process.stdout.write(
      `${all.size} messages through two restarts; longest wait ${longest.toFixed(0)} ms.\n`,
    );
    await stop();
  });

  it('listens with several workers on it', async () => {
    // Only one process may have the file of SQLite.
    if (database.engine !== 'postgres') return;
    await start({ WORKERS: '2' });
    await expect(ask('GET', '/users/me')).resolves.toMatchObject({ result: 'success' });
    await stop();
  });

  it('is not one of development, which any address could reach', async () => {
    const refused = new ServerProcess([compiledServer()], {
      env: { ...env, SERVER_MODE: 'development' },
      socket: socket.fd,
    });
    await expect(refused.exitCode()).resolves.toBe(1);
    expect(refused.errors).toContain('systemd holds the port: start without parley.socket');
  });

  it('takes one socket, and only its own', async () => {
    const refused = new ServerProcess([compiledServer()], {
      env: { ...env, LISTEN_FDS: '2' },
      socket: socket.fd,
    });
    await expect(refused.exitCode()).resolves.toBe(1);
    expect(refused.errors).toContain('LISTEN_FDS is "2", but the server takes one socket.');
    const elsewhere = { ...env, PORT: '0', LISTEN_FDS: '1', LISTEN_PID: '1' };
    server = new ServerProcess([compiledServer()], { env: elsewhere });
    expect((await server.ready()).port).not.toBe(String(socket.port));
  });
});
