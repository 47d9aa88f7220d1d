import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as moment } from 'node:timers/promises';
import { Client } from 'pg';
import { CommandLine } from '../support/command-line';
import { HttpClient, type WireAnswer } from '../support/http-client';
import { ServerProcess } from '../support/server-process';
import { createTestDatabase, hasPostgres, type TestDatabase } from '../support/test-database';

if (!hasPostgres) test.todo('a move of a running server to PostgreSQL: TEST_DATABASE_URL names no server');

// Each command is a process, which takes its time where other tests run beside.
jest.setTimeout(240_000);

/** Where a move waits in PostgreSQL as long as the test wants it to. */
const COPYING = 1;
const MARKING = 2;

const GATES = `
  CREATE FUNCTION wait_at_gate(gate int) RETURNS boolean LANGUAGE plpgsql AS
  $$ BEGIN PERFORM pg_advisory_xact_lock_shared(gate); RETURN true; END $$;
  ALTER TABLE message ADD CHECK (wait_at_gate(${COPYING}));
  ALTER TABLE server_state ADD CHECK (key <> 'unfinished move' OR wait_at_gate(${MARKING}))`;

/** A message as its writer knows it. */
interface Written {
  content: string;
  isStarred: boolean;
  hasReaction: boolean;
}

(hasPostgres ? describe : describe.skip)('a move of a running server to PostgreSQL', () => {
  let folder: string;
  let target: TestDatabase;
  let gates: Client;
  let env: Record<string, string>;
  /** Of a server without an organization on the target. */
  let tables: Record<string, string>;
  let server: ServerProcess;
  let client: HttpClient;
  let queueId: string;
  let lastEventId: number;
  const delivered: number[] = [];
  const sent: number[] = [];
  const written = new Map<number, Written>();

  const to = () => target.env['DATABASE_URL']!;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-move-'));
    target = await createTestDatabase('postgres');
    env = { LOG_LEVEL: 'warn', RATE_LIMIT_PER_MINUTE: '0', DATA_DIR: join(folder, 'data') };
    await new CommandLine(env).json(['init']);
    await new CommandLine(env).json(['demo', '--size', '30']);
    tables = { ...env, DATA_DIR: join(folder, 'tables'), DATABASE_URL: to() };
    await new CommandLine(tables).json(['migrate']);
    gates = new Client({ connectionString: to() });
    await gates.connect();
    await gates.query(GATES);
    client = await serve(env);
    const queue = (await client.call('POST', '/api/v1/register', { event_types: ['message'] })).body;
    queueId = queue.queue_id;
    lastEventId = queue.last_event_id;
  });

  afterAll(async () => {
    server.signal('SIGKILL');
    await server.exitCode();
    await gates.end();
    await target.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function serve(settings: Record<string, string>): Promise<HttpClient> {
    server = new ServerProcess([new CommandLine(settings).program, 'serve'], { env: settings });
    const site = await server.ready();
    const text = readFileSync(join(env['DATA_DIR']!, 'zuliprc'), 'utf8');
    const [, email = '', apiKey = ''] = /email=(\S+)\nkey=(\w+)/.exec(text) ?? [];
    return new HttpClient(site.origin, { email, apiKey }, {});
  }

  const startMove = (...options: string[]) =>
    new ServerProcess([new CommandLine(env).program, 'move', '--to', to(), ...options], { env });

  const close = (gate: number) => gates.query('SELECT pg_advisory_lock($1)', [gate]);
  const open = (gate: number) => gates.query('SELECT pg_advisory_unlock($1)', [gate]);

  /** Resolves once a move waits there, or fails. */
  async function reached(gate: number, move: ServerProcess): Promise<void> {
    const waiting = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    while ((await gates.query(waiting, [gate])).rows.length === 0) {
      if (!move.isRunning) throw new Error(`The move ended: ${move.errors}`);
      await moment(10);
    }
  }

  async function kill(move: ServerProcess): Promise<void> {
    move.signal('SIGKILL');
    await move.exitCode();
  }

  const isDone = ({ status, body }: WireAnswer): boolean => {
    if (status === 200) return true;
    expect([status, body.code]).toEqual([
      503,
      expect.stringMatching(/^(WRITES_PAUSED|SERVER_STOPPING|SERVER_BUSY)$/),
    ]);
    return false;
  };

  async function send(content: string): Promise<boolean> {
    const values = { type: 'channel', to: 'general', topic: 'moving', content };
    const answer = await client.call('POST', '/api/v1/messages', values);
    if (!isDone(answer)) return false;
    sent.push(answer.body.id);
    written.set(answer.body.id, { content, isStarred: false, hasReaction: false });
    return true;
  }

  /** What people do to messages; each changes what is known of them once it is acknowledged. */
  async function change(id: number, round: number): Promise<void> {
    const message = written.get(id);
    if (!message) return;
    const path = `/api/v1/messages/${id}`;
    const values = { content: `Edited in round ${round}`, messages: [id], op: 'add', flag: 'starred' };
    const { content, ...flags } = values;
    if (round % 5 === 0 && isDone(await client.call('DELETE', path))) written.delete(id);
    else if (round % 5 === 1 && isDone(await client.call('PATCH', path, { content })))
      message.content = content;
    else if (round % 5 === 2 && isDone(await client.call('POST', '/api/v1/messages/flags', flags)))
      message.isStarred = true;
    else if (
      round % 5 === 3 &&
      !message.hasReaction &&
      isDone(await client.call('POST', `${path}/reactions`, { emoji_name: 'tada' }))
    )
      message.hasReaction = true;
  }

  /** Writes until it is told to end, or nobody is there any more. */
  async function write(rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round++) {
      await send(`Message ${sent.length}`);
      await change(sent[Math.floor(Math.random() * sent.length)]!, round);
    }
  }

  async function writeUntilStopped(): Promise<void> {
    try {
      await write(Infinity);
    } catch (error) {
      // The server stopped. It stored nothing for a while before, so no request is in doubt.
      if (!(error instanceof TypeError)) throw error;
    }
  }

  async function takeEvents(): Promise<void> {
    for (;;) {
      const values = { queue_id: queueId, last_event_id: lastEventId, dont_block: true };
      const { events } = (await client.call('GET', '/api/v1/events', values)).body;
      if (events.length === 0) return;
      lastEventId = events.at(-1).id;
      delivered.push(
        ...events.flatMap(({ message }: { message?: { id: number } }) => (message ? [message.id] : [])),
      );
    }
  }

  async function stored(): Promise<Map<number, Written>> {
    const narrow = [{ operator: 'topic', operand: 'moving' }];
    const values = { anchor: 'newest', num_before: 5000, num_after: 0, narrow, apply_markdown: false };
    const { messages } = (await client.call('GET', '/api/v1/messages', values)).body;
    return new Map(
      messages.map((message: { id: number; content: string; flags: string[]; reactions: object[] }) => [
        message.id,
        {
          content: message.content,
          isStarred: message.flags.includes('starred'),
          hasReaction: message.reactions.length > 0,
        },
      ]),
    );
  }

  it('lets people write while it copies, and after it was killed then', async () => {
    await write(20);
    await close(COPYING);
    const move = startMove();
    await reached(COPYING, move);
    await write(20);
    await takeEvents();
    await kill(move);
    await open(COPYING);
    await write(5);
    expect(await stored()).toEqual(written);
    expect(delivered).toEqual(sent.slice(0, delivered.length));
  });

  it('refuses writes while the last of them are copied, and takes them again after it was killed then', async () => {
    await close(COPYING);
    const move = startMove();
    await reached(COPYING, move);
    await write(20);
    await close(MARKING);
    await open(COPYING);
    await reached(MARKING, move);
    const values = { type: 'channel', to: 'general', topic: 'moving', content: 'Refused' };
    const refused = await client.call('POST', '/api/v1/messages', values);
    expect(refused).toMatchObject({ status: 503, body: { result: 'error', code: 'WRITES_PAUSED' } });
    expect(await stored()).toEqual(written);
    await takeEvents();
    expect(delivered).toEqual(sent);
    const ready = await fetch(new URL('/health/ready', await server.ready()));
    expect(await ready.json()).toMatchObject({
      warnings: ['Nothing is stored while the database is moved.'],
    });
    await kill(move);
    await open(MARKING);
    while (!(await send('Taken again'))) await moment(50);
    await write(5);
    expect(await stored()).toEqual(written);
    const { rows } = await gates.query('SELECT COUNT(*)::int AS accounts FROM account');
    expect(rows).toEqual([{ accounts: 0 }]);
  });

  it('keeps servers away from a database that it has not finished', async () => {
    const { exitCode, errors } = await new CommandLine(tables).run(['check']);
    expect([exitCode, errors]).toEqual([1, expect.stringContaining('did not finish')]);
  });

  it('brings over everything that was acknowledged and nothing else, and stops the server', async () => {
    await close(COPYING);
    const move = startMove('--json');
    const writing = writeUntilStopped();
    await reached(COPYING, move);
    const before = sent.length;
    while (sent.length < before + 20) await moment(10);
    await open(COPYING);
    expect([await move.exitCode(), move.errors]).toEqual([0, '']);
    const { tables: moved, pausedSeconds } = JSON.parse(move.output);
    await writing;
    expect(await server.exitCode()).toBe(0);
    expect(pausedSeconds).toEqual(expect.any(Number));
    expect(moved).toContainEqual({
      table: 'message',
      rows: expect.any(Number),
      checksum: expect.stringMatching(/^\w{16}$/),
    });
    expect(existsSync(join(env['DATA_DIR']!, 'parley.db'))).toBe(false);
  });

  it('leaves clients with their keys, their queues and all that was said', async () => {
    const after = { ...env, DATABASE_URL: to(), DATABASE_POOL_SIZE: '6' };
    client = await serve(after);
    expect(await stored()).toEqual(written);
    await send('Written on PostgreSQL');
    await takeEvents();
    expect(delivered).toEqual(sent);
    server.signal('SIGTERM');
    await server.exitCode();
    const { exitCode, output } = await new CommandLine(after).run(['check']);
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
  });

  it('is refused to a server that would begin anew beside it', async () => {
    const { exitCode, errors } = await new CommandLine(env).run(['serve']);
    expect([exitCode, errors]).toEqual([1, expect.stringContaining('The data was moved to PostgreSQL')]);
  });
});
