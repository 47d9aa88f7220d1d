import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import zulip, { type Client } from 'zulip-js';
import { createApp } from '../../src/app.factory';
import { FirstStartService } from '../../src/features/organization/first-start.service';
import { loadConfig } from '../../src/platform/config/load-config';
import { OWNER_EMAIL, PASSWORD } from '../support/cast';
import { freePort } from '../support/free-port';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const ROOT = join(__dirname, '../..');

/** Listens for ever, as nothing ends `callOnEachEvent`, and so runs in a process of its own. */
const LISTENER = `
  require('zulip-js')(JSON.parse(process.argv[1])).then((client) =>
    client.callOnEachEvent((event) => console.log(JSON.stringify(event)), JSON.parse(process.argv[2]) ?? undefined),
  );
`;

describe('callOnEachEvent of zulip-js', () => {
  let database: TestDatabase;
  let dataDir: string;
  let server: NestFastifyApplication;
  let port: string;
  let client: Client;
  let owner: { user_id: number };
  const listeners: ChildProcess[] = [];

  async function startServer(): Promise<void> {
    const config = loadConfig({
      DATA_DIR: dataDir,
      PORT: port,
      LOG_LEVEL: 'silent',
      OWNER_EMAIL,
      OWNER_PASSWORD: PASSWORD,
      ...database.env,
    });
    server = await createApp(config);
    await server.init();
    await server.get(FirstStartService, { strict: false }).run();
    await server.listen(Number(port), '127.0.0.1');
  }

  beforeAll(async () => {
    database = await createTestDatabase();
    dataDir = mkdtempSync(join(tmpdir(), 'parley-listener-'));
    port = await freePort();
    await startServer();
    client = await zulip({ username: OWNER_EMAIL, password: PASSWORD, realm: `http://127.0.0.1:${port}` });
    owner = await client.users.me.getProfile();
  });

  afterAll(async () => {
    for (const listener of listeners) listener.kill('SIGKILL');
    await server.close();
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  /** What a listener got so far; it goes on growing. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- events as they are
  function listen(eventTypes: string[] | null): any[] {
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- events as they are
    const events: any[] = [];
    const listener = spawn(
      process.execPath,
      ['-e', LISTENER, JSON.stringify(client.config), JSON.stringify(eventTypes)],
      { cwd: ROOT, stdio: ['ignore', 'pipe', 'ignore'] },
    );
    listeners.push(listener);
    let rest = '';
    listener.stdout.on('data', (chunk: Buffer) => {
      const lines = (rest + chunk.toString()).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line.startsWith('{')) events.push(JSON.parse(line));
    });
    return events;
  }

  const note = (content: string) => client.messages.send({ type: 'private', to: [owner.user_id], content });

  const contents = (events: { message?: { content: string } }[]) =>
    events.flatMap(({ message }) => message?.content ?? []);

  async function until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await pause(50);
  }

  /** A listener is there once it hears something; what was sent before it registered is not for it. */
  async function untilItHears(events: object[]): Promise<void> {
    for (let n = 0; events.length === 0; n++) {
      await note(`is anybody there? ${n}`);
      await pause(500);
    }
  }

  it('goes on with its queue when the server stops and comes back, and hears everything once', async () => {
    const events = listen(['message']);
    await untilItHears(events);
    await note('before');
    await until(() => contents(events).includes('before'));
    await server.close();
    await startServer();
    await note('after 1');
    await note('after 2');
    await until(() => contents(events).includes('after 2'));
    const heard = contents(events);
    expect(heard.slice(heard.indexOf('before'))).toEqual(['before', 'after 1', 'after 2']);
    const ids = events.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  });

  it('hears everything where it asks for no types', async () => {
    const events = listen(null);
    await untilItHears(events);
    await client.callEndpoint('/users/me/alert_words', 'POST', { alert_words: JSON.stringify(['soup']) });
    await until(() => events.some(({ type }) => type === 'alert_words'));
    expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(['message', 'alert_words']));
  });
});
