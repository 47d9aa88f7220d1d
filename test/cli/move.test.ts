import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as moment } from 'node:timers/promises';
import { Client } from 'pg';
import { CommandLine } from '../support/command-line';
import { HttpClient } from '../support/http-client';
import { ModuleFolders } from '../support/module-folders';
import { ServerProcess } from '../support/server-process';
import { createTestDatabase, hasPostgres, type TestDatabase } from '../support/test-database';

if (!hasPostgres) test.todo('a move to PostgreSQL: TEST_DATABASE_URL names no server');

/** Of the module that is moved along. */
const ROOMS = '/api/v1/modules/rooms';

// Each command is a process, which takes its time where other tests run beside.
jest.setTimeout(240_000);

(hasPostgres ? describe : describe.skip)('a move from SQLite to PostgreSQL', () => {
  const modules = new ModuleFolders();
  let folder: string;
  let target: TestDatabase;
  let before: Record<string, string>;
  let server: ServerProcess | undefined;
  let queue: { id: string; last: number };
  let messages: unknown;

  const to = () => target.env['DATABASE_URL']!;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-move-'));
    target = await createTestDatabase('postgres');
    before = { LOG_LEVEL: 'warn', RATE_LIMIT_PER_MINUTE: '0', DATA_DIR: join(folder, 'data') };
    await new CommandLine(before).json(['module', 'new', 'rooms', '--in', modules.folder]);
    before['PARLEY_MODULES'] = modules.compile(join(modules.folder, 'rooms'));
    await new CommandLine(before).json(['init']);
    await new CommandLine(before).json(['demo', '--size', '30']);
  });

  afterAll(async () => {
    server?.signal('SIGKILL');
    await server?.exitCode();
    await target.drop();
    modules.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  async function serve(env: Record<string, string>): Promise<HttpClient> {
    server = new ServerProcess([new CommandLine(env).program, 'serve'], { env });
    const site = await server.ready();
    const text = readFileSync(join(before['DATA_DIR']!, 'zuliprc'), 'utf8');
    const [, email = '', apiKey = ''] = /email=(\S+)\nkey=(\w+)/.exec(text) ?? [];
    return new HttpClient(site.origin, { email, apiKey }, {});
  }

  async function stop(): Promise<void> {
    server?.signal('SIGTERM');
    await server?.exitCode();
  }

  const newest = async (client: HttpClient, narrow: object[] = []) => {
    const values = { anchor: 'newest', num_before: 1000, num_after: 0, narrow };
    return (await client.call('GET', '/api/v1/messages', values)).body.messages as { content: string }[];
  };

  const send = (client: HttpClient, content: string) =>
    client.call('POST', '/api/v1/messages', { type: 'channel', to: 'general', topic: 'moving', content });

  it('is refused while a server has the file and cannot be told', async () => {
    const client = await serve(before);
    const registered = (await client.call('POST', '/api/v1/register', { event_types: ['message'] })).body;
    await send(client, 'Written on **SQLite**, with a _word_ such as chrysanthemum');
    const { events } = (
      await client.call('GET', '/api/v1/events', { queue_id: registered.queue_id, last_event_id: -1 })
    ).body;
    queue = { id: registered.queue_id, last: events.at(-1).id };
    await send(client, 'Not fetched yet');
    await client.call('POST', ROOMS, { name: 'Blue' });
    messages = await newest(client);
    rmSync(join(before['DATA_DIR']!, 'run/parley.sock'));
    const { exitCode, errors } = await new CommandLine(before).run(['move', '--to', to()]);
    expect(exitCode).toBe(1);
    expect(errors).toContain('is in use by another process');
    await stop();
  });

  it('is refused where a module with tables is left out', async () => {
    const { exitCode, errors } = await new CommandLine({ ...before, PARLEY_MODULES: '' }).run([
      'move',
      '--to',
      to(),
    ]);
    expect([exitCode, errors]).toEqual([
      1,
      expect.stringContaining('module_rooms_room is of the module rooms, which PARLEY_MODULES does not name'),
    ]);
  });

  it('that is killed leaves nothing behind, and begins anew', async () => {
    await new CommandLine({ ...before, DATA_DIR: join(folder, 'tables'), DATABASE_URL: to() }).json([
      'migrate',
    ]);
    const client = new Client({ connectionString: to() });
    await client.connect();
    // Somewhere in its transaction it comes here, and waits.
    await client.query('BEGIN; LOCK TABLE audit_entry IN SHARE MODE');
    const killed = new ServerProcess([new CommandLine(before).program, 'move', '--to', to()], {
      env: before,
    });
    const waiting = `SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%audit_entry%'`;
    // A transaction sees activity as it first saw it, until told to look again.
    const isWaiting = async () => {
      await client.query('SELECT pg_stat_clear_snapshot()');
      return (await client.query(waiting)).rows.length > 0;
    };
    while (!(await isWaiting())) await moment(10);
    killed.signal('SIGKILL');
    await killed.exitCode();
    await client.query('ROLLBACK');
    const { rows } = await client.query('SELECT COUNT(*)::int AS accounts FROM account');
    await client.end();
    expect(rows).toEqual([{ accounts: 0 }]);
    expect(existsSync(join(before['DATA_DIR']!, 'parley.db'))).toBe(true);
  });

  it('brings everything over, and tells what it compared', async () => {
    const { rows, tables } = await new CommandLine(before).json(['move', '--to', to()]);
    expect(rows).toBeGreaterThan(100);
    expect(tables).toContainEqual({
      table: 'message',
      rows: expect.any(Number),
      checksum: expect.stringMatching(/^\w{16}$/),
    });
    expect(tables).toContainEqual({ table: 'module_rooms_room', rows: 1, checksum: expect.anything() });
    expect(existsSync(join(before['DATA_DIR']!, 'parley.db'))).toBe(false);
  });

  it('that is cut off in the end keeps servers away until it is run again', async () => {
    const after = { ...before, DATABASE_URL: to() };
    const client = new Client({ connectionString: to() });
    await client.connect();
    await client.query("INSERT INTO server_state (key, value) VALUES ('unfinished move', '')");
    await client.end();
    const { exitCode, errors } = await new CommandLine(after).run(['serve']);
    expect([exitCode, errors]).toEqual([1, expect.stringContaining('did not finish')]);
    const { tables } = await new CommandLine(before).json(['move', '--to', to()]);
    expect(tables).toContainEqual({ table: 'module_rooms_room', rows: 1, checksum: expect.anything() });
    const again = await new CommandLine(before).run(['move', '--to', to()]);
    expect([again.exitCode, again.errors]).toEqual([1, expect.stringContaining('No database found')]);
  });

  it('has a server that is started without the new database say where the data is', async () => {
    const { exitCode, errors } = await new CommandLine(before).run(['serve']);
    expect([exitCode, errors]).toEqual([
      1,
      expect.stringMatching(/^Parley cannot start\.\nThe data was moved to PostgreSQL; .* Set DATABASE_URL/),
    ]);
  });

  it('is refused into a database that has an organization', async () => {
    const other = { ...before, DATA_DIR: join(folder, 'other') };
    await new CommandLine(other).json(['init']);
    const { exitCode, errors } = await new CommandLine(other).run(['move', '--to', to()]);
    expect(exitCode).toBe(1);
    expect(errors).toContain('already contains an organization');
  });

  it('leaves clients with their keys, their queues and all that was said', async () => {
    const after = { ...before, DATABASE_URL: to(), DATABASE_POOL_SIZE: '6' };
    const client = await serve(after);
    expect(await newest(client)).toEqual(messages);
    await send(client, 'Written on PostgreSQL');
    const added = await client.call('POST', ROOMS, { name: 'Green' });
    expect((await client.call('GET', ROOMS)).body.rooms).toEqual([
      { id: 1, name: 'Blue' },
      { id: added.body.id, name: 'Green' },
    ]);
    const values = { queue_id: queue.id, last_event_id: queue.last };
    const { events } = (await client.call('GET', '/api/v1/events', values)).body;
    const contents = events.filter(({ type }: { type: string }) => type === 'message');
    expect(contents.map(({ message }: { message: { content: string } }) => message.content)).toEqual([
      'Not fetched yet',
      'Written on PostgreSQL',
    ]);
    const narrow = [{ operator: 'search', operand: 'chrysanthemum' }];
    while ((await newest(client, narrow)).length === 0) await moment(50);
    await stop();
    const { exitCode, output } = await new CommandLine(after).run(['check']);
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
  });
});
