import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CommandLine } from '../support/command-line';
import { compiledServer } from '../support/compiled-server';
import { ServerProcess } from '../support/server-process';

// Each start translates the whole program, which takes its time where other tests run beside.
jest.setTimeout(240_000);

describe('the server process', () => {
  let dataDir: string;
  const processes: ServerProcess[] = [];

  beforeAll(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'parley-process-'));
  });

  afterEach(async () => {
    for (const server of processes.splice(0)) {
      server.signal('SIGKILL');
      await server.exitCode();
    }
  });

  afterAll(() => {
    rmSync(dataDir, { recursive: true, force: true });
  });

  function start(env: Record<string, string> = {}): ServerProcess {
    const server = new ServerProcess([compiledServer()], { env: { DATA_DIR: dataDir, ...env } });
    processes.push(server);
    return server;
  }

  it('keeps what it writes to itself, and tells how to sign in once it listens and never again', async () => {
    const env = { DATA_DIR: join(dataDir, 'fresh') };
    const notice = join(env.DATA_DIR, 'first-sign-in.txt');
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const refused = start({ ...env, PORT: String((other.address() as AddressInfo).port) });
    await expect(refused.exitCode()).resolves.toBe(1);
    expect(refused.output).toBe('');
    other.close();

    // Who did not get in yet may have other wishes by now.
    const wishes = { EMAIL_DOMAIN: 'chat.example.com', ORGANIZATION_NAME: 'Second Thoughts' };
    const first = start({ ...env, ...wishes });
    const url = await first.ready();
    await first.wrote(`New organization. The password of its owner is in ${notice}`);
    const told = readFileSync(notice, 'utf8');
    const [, password = ''] = /^ {2}Password +(\S+)$/m.exec(told) ?? [];
    const [, code = ''] = /\?code=(\S+)/.exec(told) ?? [];
    expect(statSync(notice).mode & 0o777).toBe(0o600);
    const fetchKey = (given: string) =>
      fetch(new URL('/api/v1/fetch_api_key', url), {
        method: 'POST',
        body: new URLSearchParams({ username: 'owner@chat.example.com', password: given }),
      });
    expect((await fetchKey('another')).status).not.toBe(200);
    expect(existsSync(notice)).toBe(true);
    const { api_key } = (await (await fetchKey(password)).json()) as { api_key: string };
    // The owner is in, and the log never had the password or the link.
    expect(existsSync(notice)).toBe(false);
    expect([password, code].filter((secret) => secret === '' || first.output.includes(secret))).toEqual([]);
    const settings = await fetch(new URL('/api/v1/server_settings', url));
    await expect(settings.json()).resolves.toMatchObject({ realm_name: 'Second Thoughts' });
    expect(readFileSync(join(env.DATA_DIR, 'zuliprc'), 'utf8')).toBe(
      `[api]\nemail=owner@chat.example.com\nkey=${api_key}\nsite=${url.origin}\n`,
    );
    const openToOthers = readdirSync(env.DATA_DIR).filter(
      (name) => (statSync(join(env.DATA_DIR, name)).mode & 0o077) !== 0,
    );
    expect(openToOthers).toEqual([]);
    first.signal('SIGTERM');
    await first.exitCode();

    const second = start(env);
    await second.ready();
    expect(second.output).not.toContain('New organization');
    expect(existsSync(notice)).toBe(false);
  });

  it('says where it listens, serves, and stops on SIGTERM', async () => {
    const server = start({ REDIS_URL: 'redis://127.0.0.1:1' });
    const url = await server.ready();
    const lines = server.output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>);
    const notice = lines.find(({ msg }) => msg === 'Parley is ready.');
    expect(notice).toMatchObject({
      level: 'info',
      address: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      dataFolder: dataDir,
      redis: expect.stringContaining('not used'),
    });
    await expect(fetch(notice?.apiDocs ?? '').then((answer) => answer.status)).resolves.toBe(200);
    await expect(fetch(new URL('/health/ready', url)).then((answer) => answer.json())).resolves.toMatchObject(
      {
        status: 'ready',
      },
    );
    server.signal('SIGTERM');
    await expect(server.exitCode()).resolves.toBe(0);
    expect(server.errors).toBe('');
  });

  it('goes on serving for a while after it is told to stop, when it says that it is not ready', async () => {
    const server = start({ SHUTDOWN_DELAY_SECONDS: '300' });
    const url = await server.ready();
    const statusOf = (path: string) => fetch(new URL(path, url)).then(({ status }) => status);
    server.signal('SIGTERM');
    await server.wrote('Stopping on SIGTERM');
    await expect(statusOf('/health/ready')).resolves.toBe(503);
    await expect(statusOf('/health/live')).resolves.toBe(200);
    await expect(statusOf('/api/v1/server_settings')).resolves.toBe(200);
    // Sooner, it would be the same press of Ctrl-C.
    await pause(600);
    server.signal('SIGTERM');
    await expect(server.exitCode()).resolves.toBe(1);
  });

  it('stops once that while is over', async () => {
    const server = start({ SHUTDOWN_DELAY_SECONDS: '1' });
    await server.ready();
    server.signal('SIGTERM');
    await expect(server.exitCode()).resolves.toBe(0);
  });

  it('waits for a request that is still arriving, until told again', async () => {
    const server = start();
    const { port, hostname } = await server.ready();
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    socket.write('POST /api/v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nhalf');
    await fetch(`http://${hostname}:${port}/health/live`);
    server.signal('SIGINT');
    while (!server.output.includes('Stopping on SIGINT')) await pause(20);
    server.signal('SIGINT');
    await pause(600);
    expect(server.isRunning).toBe(true);
    server.signal('SIGINT');
    await expect(server.exitCode()).resolves.toBe(1);
    socket.destroy();
  });

  it('explains why it cannot start, and nothing else', async () => {
    const server = start({ PORT: 'http', LOG_LEVEL: 'loud' });
    await expect(server.exitCode()).resolves.toBe(1);
    expect(server.output).toBe('');
    expect(server.errors).toBe(
      'Parley cannot start.\n' +
        'PORT is "http", but it must be a whole number from 0 to 65535.\n' +
        'LOG_LEVEL is "loud", but it must be "silent", "fatal", "error", "warn", "info", "debug" or "trace".\n',
    );
  });

  it('says in one line that the disk is full', async () => {
    const env = { DATA_DIR: join(dataDir, 'full') };
    mkdirSync(env.DATA_DIR);
    // Every write to it fails as on a full disk.
    symlinkSync('/dev/full', join(env.DATA_DIR, 'zuliprc'));
    const refused = start(env);
    await expect(refused.exitCode()).resolves.toBe(1);
    expect(refused.errors).toBe('Parley cannot start.\nThe disk is full. Free some space and start again.\n');
    // Whoever waits for this line may read the file.
    expect(refused.output).not.toContain('Server listening');
    rmSync(join(env.DATA_DIR, 'zuliprc'));
    const server = start(env);
    const url = await server.ready();
    expect(server.output).toContain('New organization.');
    await server.wrote(`"Server listening at ${url.origin}"`);
    const notice = join(env.DATA_DIR, 'first-sign-in.txt');
    expect(existsSync(notice)).toBe(true);
    const parley = new CommandLine(env);
    await parley.json(['user', 'password', 'owner@parley.localhost', '--generate']);
    expect(existsSync(notice)).toBe(false);
  });

  it('logs that it can take no more connections, and that it can again', async () => {
    const server = new ServerProcess([compiledServer()], { env: { DATA_DIR: dataDir }, maxDescriptors: 64 });
    processes.push(server);
    const { port, hostname } = await server.ready();
    const open = () => connect(Number(port), hostname).on('error', () => undefined);
    const sockets = Array.from({ length: 100 }, open);
    while (!server.output.includes('Too many open files and connections (EMFILE)')) await pause(20);
    for (const socket of sockets) socket.destroy();
    while (!server.output.includes('Files and connections can be opened again.')) await pause(20);
    await expect(fetch(`http://${hostname}:${port}/health/live`)).resolves.toMatchObject({ status: 200 });
  });

  it('takes no password for the owner that anybody might guess, and one that is better after that', async () => {
    const env = { DATA_DIR: join(dataDir, 'guessed') };
    const refused = start({ ...env, OWNER_PASSWORD: 'changeme' });
    await expect(refused.exitCode()).resolves.toBe(1);
    expect(refused.output).toBe('');
    expect(refused.errors).toMatch(
      /^Parley cannot start\.\nThe password in OWNER_PASSWORD is too weak\. [^\n]+\n$/,
    );
    const server = start({ ...env, OWNER_PASSWORD: 'seven quiet herons' });
    await server.ready();
    expect(server.output).toContain('the one in OWNER_PASSWORD');
  });

  it('makes no new organization where the database is gone and the secret is there, unless that is meant', async () => {
    const env = { DATA_DIR: join(dataDir, 'lost') };
    const parley = new CommandLine(env);
    await parley.json(['init']);
    const secret = readFileSync(join(env.DATA_DIR, 'secret'), 'utf8');
    rmSync(join(env.DATA_DIR, 'parley.db'));
    const sentence = `The database ${join(env.DATA_DIR, 'parley.db')} does not exist. ${join(env.DATA_DIR, 'secret')} contains`;
    const refused = start(env);
    await expect(refused.exitCode()).resolves.toBe(1);
    expect(refused.output).toBe('');
    expect(refused.errors).toMatch(/^Parley cannot start\.\n[^\n]+\n$/);
    expect(refused.errors).toContain(sentence);
    for (const command of [['init'], ['user', 'list']]) {
      const { exitCode, errors } = await parley.run(command);
      expect([exitCode, errors]).toEqual([1, expect.stringContaining(sentence)]);
    }
    expect(existsSync(join(env.DATA_DIR, 'parley.db'))).toBe(false);

    await expect(parley.json(['init', '--keep-secret'])).resolves.toMatchObject({ created: true });
    expect(readFileSync(join(env.DATA_DIR, 'secret'), 'utf8')).toBe(secret);
    await start(env).ready();
  });

  it('does not start where another server is: on its port or on its data', async () => {
    const first = start();
    const { port } = await first.ready();
    const sameData = start();
    const samePort = start({ PORT: port, DATA_DIR: join(dataDir, 'other') });
    await expect(sameData.exitCode()).resolves.toBe(1);
    expect(sameData.errors).toMatch(
      /^Parley cannot start\.\nThe database file .* is in use by another process/,
    );
    await expect(samePort.exitCode()).resolves.toBe(1);
    expect([sameData.output, samePort.output]).toEqual(['', '']);
    expect(samePort.errors).toBe(
      `Parley cannot start.\nPort ${port} on 127.0.0.1 is in use. Stop the process that uses it, or set PORT to another port.\n`,
    );
  });
});
