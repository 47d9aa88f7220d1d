import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { compiledServer } from '../support/compiled-server';
import { holdSocket } from '../support/held-socket';
import { expectNothingLost, MessageLoad } from '../support/message-load';
import { ServerProcess } from '../support/server-process';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

// Each command is a process, which takes its time where other tests run beside.
jest.setTimeout(400_000);

describe('parley upgrade', () => {
  let database: TestDatabase;
  let folder: string;
  let env: Record<string, string>;
  let socket: ReturnType<typeof holdSocket>;
  let server: ServerProcess;
  let isOver = false;
  let supervising: Promise<void>;

  const place = (name: string) => join(folder, name);
  const link = () => place('current');
  const program = (release: string) => join(folder, release, 'dist/cli/main.js');
  const newRelease = () => realpathSync(place('new'));

  /** Asks the one who supervises to restart the server, as systemctl would. */
  const restart = () => `touch ${place('restart')}; while [ -e ${place('restart')} ]; do sleep 0.05; done`;

  const upgrade = (...more: string[]) => [
    ...['upgrade', '--link', link(), '--restart', restart(), '--no-rehearsal'],
    ...more,
  ];

  beforeAll(async () => {
    database = await createTestDatabase();
    folder = mkdtempSync(join(tmpdir(), 'parley-upgrade-'));
    socket = holdSocket();
    const site = { EXTERNAL_URL: `http://127.0.0.1:${socket.port}`, RATE_LIMIT_PER_MINUTE: '0' };
    env = { ...database.env, ...site, DATA_DIR: place('data'), LOG_LEVEL: 'info' };
    const compiled = dirname(compiledServer());
    for (const release of ['old', 'new']) {
      cpSync(compiled, join(folder, release, 'dist'), { recursive: true });
      symlinkSync(join(__dirname, '../../node_modules'), join(folder, release, 'node_modules'));
      symlinkSync(join(__dirname, '../../package.json'), join(folder, release, 'package.json'));
    }
    symlinkSync(place('old'), link());
    await start();
    supervising = supervise();
  });

  afterAll(async () => {
    isOver = true;
    await supervising;
    server.signal('SIGKILL');
    await server.exitCode();
    socket.close();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(): Promise<void> {
    server = new ServerProcess([program('current'), 'serve'], { env, socket: socket.fd });
    await server.ready();
  }

  async function supervise(): Promise<void> {
    for (; !isOver; await pause(20)) {
      if (!existsSync(place('restart'))) continue;
      server.signal('SIGTERM');
      await server.exitCode();
      await start().finally(() => rmSync(place('restart'), { force: true }));
    }
  }

  async function run(args: readonly string[]) {
    const command = new ServerProcess([program('new'), ...args], { env });
    const exitCode = await command.exitCode();
    return { exitCode, output: command.output, errors: command.errors };
  }

  async function leadToOld(): Promise<void> {
    rmSync(link());
    symlinkSync(place('old'), link());
  }

  it('makes a backup, and loses nothing on the way there and back', async () => {
    const load = new MessageLoad(env.EXTERNAL_URL ?? '', readFileSync(place('data/zuliprc'), 'utf8'));
    await load.start({ senders: 2, bots: 50 });
    await load.untilMore();
    mkdirSync(place('backups'));
    const { exitCode, output } = await run(upgrade('--backup', place('backups')));
    expect([exitCode, output]).toEqual([0, `${link()} leads to ${newRelease()}, whose server is ready.\n`]);
    expect(realpathSync(link())).toBe(newRelease());
    await load.untilMore();
    await leadToOld();
    server.signal('SIGTERM');
    await server.exitCode();
    await start();
    await load.untilMore();
    const outcome = await load.end();
    expectNothingLost(outcome);
    process.stdout.write(
      `${outcome.sent.size} messages through an upgrade and back; longest wait ${outcome.longestMs.toFixed(0)} ms.\n`,
    );
  });

  it('tries on a copy whether the former release can run again', async () => {
    const { output } = await run(['upgrade', '--rehearse', '--link', link()]);
    expect(output).toContain('The former release starts on the migrated copy');
  });

  it('goes back if the server does not come back', async () => {
    const failing = `if [ "$(readlink ${link()})" = ${place('old')} ]; then ${restart()}; else exit 1; fi`;
    const command = ['upgrade', '--link', link(), '--restart', failing, '--no-rehearsal'];
    const { exitCode, output } = await run(command);
    expect([exitCode, output]).toEqual([1, expect.stringContaining('did not become ready: see its log.')]);
    expect(realpathSync(link())).toBe(realpathSync(place('old')));
    expect(existsSync(place('data/upgrade.json'))).toBe(false);
  });

  it.each([200, 500, 700, 800, 900, 1_000, 1_200, 1_500, 2_000, 3_000])(
    'killed after %i ms, leaves one of the two, and is finished by the same command',
    async (afterMs) => {
      const killed = new ServerProcess([program('new'), ...upgrade()], { env });
      await Promise.race([pause(afterMs), killed.exitCode()]);
      killed.signal('SIGKILL');
      await killed.exitCode();
      expect([newRelease(), realpathSync(place('old'))]).toContain(realpathSync(link()));
      while (existsSync(place('restart'))) await pause(20);
      if (realpathSync(link()) !== newRelease() || existsSync(place('data/upgrade.json'))) {
        const { exitCode, errors } = await run(upgrade());
        expect([exitCode, errors]).toEqual([0, '']);
      }
      expect(realpathSync(link())).toBe(newRelease());
      expect(existsSync(place('data/upgrade.json'))).toBe(false);
      await expect(fetch(`${env.EXTERNAL_URL}/health/ready`)).resolves.toMatchObject({ status: 200 });
      await leadToOld();
    },
  );

  it('refuses a link that cannot lead here', async () => {
    for (const [path, reason] of [
      [place('old'), 'is no symbolic link to a release.'],
      [place('nothing'), 'is no symbolic link to a release.'],
    ] as const) {
      const { exitCode, errors } = await run(['upgrade', '--link', path]);
      expect([exitCode, errors]).toEqual([1, expect.stringContaining(reason)]);
    }
    const { errors } = await run(['upgrade', '--no-rehearsal']);
    expect(errors).toContain('Name the link and how the server is restarted');
  });
});
