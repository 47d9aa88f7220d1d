import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { fill } from '../faults/disk';
import { mayMount } from '../faults/storage-probes';
import { CommandLine } from '../support/command-line';
import { compiledServer } from '../support/compiled-server';
import { ServerProcess } from '../support/server-process';

// Each command is a process, which takes its time where other tests run beside.
jest.setTimeout(240_000);

const FULL = 'The disk is full. Free some space and try again.';

/** A small disk, of which a file takes what a test does not leave free. */
class SmallDisk {
  readonly folder = mkdtempSync(join(tmpdir(), 'parley-full-'));
  private readonly filling = join(this.folder, 'filling');

  constructor(kibibytes: number) {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kibibytes}k,mode=700`, 'tmpfs', this.folder]);
  }

  leave(kibibytes: number): void {
    rmSync(this.filling, { force: true });
    fill(this.filling);
    truncateSync(this.filling, statSync(this.filling).size - kibibytes * 1024);
  }

  remove(): void {
    execFileSync('umount', ['--lazy', this.folder]);
    rmSync(this.folder, { recursive: true });
  }
}

if (mayMount())
  describe('On a full disk', () => {
    onSmallDisk();
  });
else test.todo('commands on a full disk: needs a user who may mount one');

function onSmallDisk(): void {
  const disk = new SmallDisk(40 * 1024);
  const data = join(disk.folder, 'data');
  const env = { DATA_DIR: data, LOG_LEVEL: 'warn', OWNER_EMAIL: 'ada@example.com' };
  const commands = new CommandLine(env);

  beforeAll(async () => {
    await commands.run(['init', '--keep-secret']);
  });

  afterAll(() => disk.remove());

  async function expectSound(): Promise<void> {
    const { exitCode, output } = await commands.run(['check']);
    expect([exitCode, output]).toEqual([0, expect.stringContaining('invariants hold')]);
  }

  it('a backup is refused and leaves nothing', async () => {
    disk.leave(600);
    const backup = join(disk.folder, 'backup');
    const { exitCode, errors } = await commands.run(['backup', backup]);
    expect([exitCode, errors.trim()]).toEqual([1, FULL]);
    expect(readdirSync(disk.folder).sort()).toEqual(['data', 'filling']);
    disk.leave(4_000);
    expect((await commands.run(['backup', backup, '--with-secret'])).exitCode).toBe(0);
    await expectSound();
  });

  it('a backup is not restored, and can be once there is room', async () => {
    const backup = join(disk.folder, 'backup');
    const restored = join(disk.folder, 'restored');
    const restore = () => new CommandLine({ ...env, DATA_DIR: restored }).run(['restore', backup]);
    disk.leave(300);
    const { exitCode, errors } = await restore();
    expect([exitCode, errors.trim()]).toEqual([1, FULL]);
    expect(existsSync(restored) ? readdirSync(restored) : []).toEqual([]);
    disk.leave(4_000);
    expect((await restore()).exitCode).toBe(0);
  });

  it('migrations do all or nothing, and go on once there is room', async () => {
    const older = join(disk.folder, 'older');
    mkdirSync(older, { mode: 0o700 });
    const kept = readFileSync(join(__dirname, '../support/older-databases/0026.sqlite.gz'));
    writeFileSync(join(older, 'parley.db'), gunzipSync(kept));
    const secret = 'rdKgsCUFVpl-T4eBy6op1PhzfOrxPzrsYzhvnzaY48w';
    const migrated = new CommandLine({ ...env, DATA_DIR: older, SECRET_KEY: secret });
    const pending = async () => (await migrated.json(['migrate', '--status'])).pending as string[];
    const before = await pending();
    expect(before.length).toBeGreaterThan(30);
    disk.leave(250);
    const { exitCode, errors } = await migrated.run(['migrate']);
    expect([exitCode, errors]).toEqual([1, expect.stringContaining('parley.db is full. Free some space')]);
    disk.leave(8_000);
    // What was applied before stays.
    expect(before.join()).toContain((await pending()).join());
    expect((await migrated.run(['migrate'])).exitCode).toBe(0);
    expect(await pending()).toEqual([]);
  });

  it('an upgrade is not rehearsed, and the server goes on', async () => {
    disk.leave(8_000);
    const server = new ServerProcess([compiledServer()], { env: { ...env, PORT: '0' } });
    const { port } = await server.ready();
    const site = `http://127.0.0.1:${port}`;
    try {
      disk.leave(1_000);
      const { exitCode, errors } = await commands.run(['upgrade', '--rehearse', '--site', site]);
      expect([exitCode, errors]).toEqual([
        1,
        expect.stringMatching(/^A rehearsal needs \d+ MiB of free space/),
      ]);
      expect(readdirSync(data).filter((name) => name.startsWith('.rehearsal-'))).toEqual([]);
      expect((await fetch(`${site}/health/ready`)).status).toBe(200);
    } finally {
      server.signal('SIGTERM');
      await server.exitCode();
    }
    await expectSound();
  });
}
