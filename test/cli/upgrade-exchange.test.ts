import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
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

/** When the upgrade is killed; `UPGRADE_KILLS` asks for so many moments, a release for 50. */
const kills = Number(process.env.UPGRADE_KILLS ?? 0);
const moments =
  kills > 0
    ? Array.from({ length: kills }, (_, at) => Math.round((at / kills) ** 2 * 3_000))
    : [null, 0, 5, 20, 60, 150, 400, 1_000];

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
    for (const release of ['old', 'new', 'broken']) {
      cpSync(compiled, join(folder, release, 'dist'), { recursive: true });
      symlinkSync(join(__dirname, '../../node_modules'), join(folder, release, 'node_modules'));
      symlinkSync(join(__dirname, '../../package.json'), join(folder, release, 'package.json'));
    }
    writeFileSync(
      program('broken'),
      `if (process.argv[2] === 'serve') process.exit(1);\n${readFileSync(program('broken'), 'utf8').replace(/^#!.*/, '')}`,
    );
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
      await start().catch(() => undefined);
      rmSync(place('restart'), { force: true });
    }
  }

  async function run(args: readonly string[], release = 'new') {
    const command = new ServerProcess([program(release), ...args], { env });
    const exitCode = await command.exitCode();
    return { exitCode, output: command.output, errors: command.errors };
  }

  async function leadToOld(): Promise<void> {
    rmSync(link());
    symlinkSync(place('old'), link());
  }

  async function journaled(afterMs: number): Promise<void> {
    while (!existsSync(place('data/upgrade.json'))) await pause(1);
    await pause(afterMs);
  }

  it('makes a backup, and loses nothing on the way there and back', async () => {
    const load = new MessageLoad(env.EXTERNAL_URL ?? '', readFileSync(place('data/zuliprc'), 'utf8'));
    await load.start({ senders: 2, bots: 50 });
    await load.untilMore();
    mkdirSync(place('backups'));
    const { exitCode, output } = await run(upgrade('--backup', place('backups')));
    expect([exitCode, output]).toEqual([0, `${link()} points to ${newRelease()}, whose server is ready.\n`]);
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

  it('goes back if the restart fails, and the former server has never stopped', async () => {
    const command = ['upgrade', '--link', link(), '--restart', 'exit 1', '--no-rehearsal'];
    const { exitCode, output } = await run(command);
    expect([exitCode, output]).toEqual([
      1,
      expect.stringMatching(/did not become ready: see its log\..* The restart command failed;/),
    ]);
    expect(realpathSync(link())).toBe(realpathSync(place('old')));
    expect(existsSync(place('data/upgrade.json'))).toBe(false);
  });

  it('goes back if the new server does not start', async () => {
    const { exitCode, output, errors } = await run(upgrade('--wait', '2'), 'broken');
    expect([exitCode, errors]).toEqual([1, '']);
    expect(output).toContain(`${link()} points to ${place('old')} again, whose server is ready.\n`);
    expect(realpathSync(link())).toBe(realpathSync(place('old')));
    await expect(fetch(`${env.EXTERNAL_URL}/health/ready`)).resolves.toMatchObject({ status: 200 });
  });

  it('changes nothing while no server is ready, or where the link and the restart are not named', async () => {
    const elsewhere = { ...env, DATA_DIR: place('other') };
    mkdirSync(place('other'));
    const command = new ServerProcess([program('new'), ...upgrade()], { env: elsewhere });
    expect([await command.exitCode(), command.errors]).toEqual([
      1,
      expect.stringContaining(`No server is ready on ${place('other')}`),
    ]);
    for (const args of [
      ['--link', link()],
      ['--restart', 'true'],
    ]) {
      const { exitCode, errors } = await run(['upgrade', ...args]);
      expect([exitCode, errors]).toEqual([1, expect.stringContaining('Name the link and how')]);
    }
    const { exitCode, errors } = await run(upgrade('--wait', '0'));
    expect([exitCode, errors]).toEqual([2, expect.stringContaining('from 1 to 86400')]);
    expect(realpathSync(link())).toBe(realpathSync(place('old')));
  });

  it('obeys the journal of its own upgrade alone, with the restart command that is given', async () => {
    const journal = place('data/upgrade.json');
    const plan = { link: link(), from: place('old'), to: newRelease(), restart: 'exit 1' };
    for (const foreign of ['{', '{}', JSON.stringify({ ...plan, to: place('broken') })]) {
      writeFileSync(journal, foreign);
      const { exitCode, errors } = await run(upgrade());
      expect([exitCode, errors]).toEqual([
        1,
        expect.stringContaining(`${journal} describes another upgrade`),
      ]);
    }
    writeFileSync(journal, JSON.stringify(plan));
    const { exitCode, output } = await run(upgrade());
    expect([exitCode, output]).toEqual([0, expect.stringContaining('whose server is ready.')]);
    expect(existsSync(journal)).toBe(false);
    await leadToOld();
  });

  /** After the journal is there, from when on something changes; the first one before that. */
  it.each(moments)(
    'killed after %p ms, leaves one of the two, and is finished by the same command',
    async (afterMs) => {
      const killed = new ServerProcess([program('new'), ...upgrade()], { env });
      if (afterMs === null) await pause(100);
      else await journaled(afterMs);
      killed.signal('SIGKILL');
      await killed.exitCode();
      expect([newRelease(), place('old')]).toContain(readlinkSync(link()));
      while (existsSync(place('restart'))) await pause(20);
      if (readlinkSync(link()) !== newRelease() || existsSync(place('data/upgrade.json'))) {
        const { exitCode, errors } = await run(upgrade());
        expect([exitCode, errors]).toEqual([0, '']);
      }
      expect(readlinkSync(link())).toBe(newRelease());
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
      const { exitCode, errors } = await run(['upgrade', '--link', path, '--restart', 'true']);
      expect([exitCode, errors]).toEqual([1, expect.stringContaining(reason)]);
    }
    const { errors } = await run(['upgrade', '--no-rehearsal']);
    expect(errors).toContain('Name the link and how the server is restarted');
  });
});
