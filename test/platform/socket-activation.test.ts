import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { compiledServer } from '../support/compiled-server';
import { holdSocket } from '../support/held-socket';
import { expectNothingLost, MessageLoad } from '../support/message-load';
import { ServerProcess } from '../support/server-process';
import { createTestDatabase, type TestDatabase } from '../support/test-database';
import { FIRST } from '../support/tls/identities';

// Each start takes its time where other tests run beside.
jest.setTimeout(300_000);

describe('A server whose port another process holds', () => {
  let database: TestDatabase;
  let env: Record<string, string>;
  let socket: ReturnType<typeof holdSocket>;
  let server: ServerProcess;
  let load: MessageLoad;

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

  it('refuses, loses and doubles nothing while it restarts under load', async () => {
    await start();
    load = new MessageLoad(
      `http://127.0.0.1:${socket.port}`,
      readFileSync(join(env.DATA_DIR ?? '', 'zuliprc'), 'utf8'),
    );
    await load.start({ senders: 4, bots: 10 });
    for (let restarts = 0; restarts < 2 && !load.hasFailed; restarts += 1) {
      await load.untilMore();
      await stop();
      await pause(500);
      await start();
    }
    await load.untilMore();
    const outcome = await load.end();
    expectNothingLost(outcome);
    process.stdout.write(
      `${outcome.sent.size} messages through two restarts; longest wait ${outcome.longestMs.toFixed(0)} ms.\n`,
    );
    await stop();
  });

  it('listens with several workers on it', async () => {
    // Only one process may have the file of SQLite.
    if (database.engine !== 'postgres') return;
    await start({ WORKERS: '2' });
    await expect(load.ask('GET', '/users/me')).resolves.toMatchObject({ result: 'success' });
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
    await stop();
    const none = { ...env, PORT: '0', LISTEN_FDS: '0' };
    server = new ServerProcess([compiledServer()], { env: none, socket: socket.fd });
    expect((await server.ready()).port).not.toBe(String(socket.port));
    await stop();
  });

  it('speaks TLS on it', async () => {
    const site = `https://127.0.0.1:${socket.port}`;
    await start({ TLS_CERT: FIRST.certPath, TLS_KEY: FIRST.keyPath, EXTERNAL_URL: site });
    const status = await new Promise((resolve, reject) => {
      get(`${site}/health/ready`, { ca: FIRST.cert, checkServerIdentity: () => undefined }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      }).on('error', reject);
    });
    expect(status).toBe(200);
  });
});
