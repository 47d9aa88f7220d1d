import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandLine } from '../support/command-line';
import { ServerProcess } from '../support/server-process';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const PASSWORD = 'korrekt pferd batterie 99';

// Each command is a process, which takes its time where other tests run beside.
jest.setTimeout(240_000);

describe('the command line about the organization and its accounts', () => {
  let database: TestDatabase;
  let folder: string;
  let env: Record<string, string>;
  let parley: CommandLine;
  let server: ServerProcess | undefined;

  beforeAll(async () => {
    database = await createTestDatabase();
    folder = mkdtempSync(join(tmpdir(), 'parley-cli-'));
    env = { DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'info', ...database.env };
    parley = new CommandLine(env);
  });

  afterAll(async () => {
    server?.signal('SIGKILL');
    await server?.exitCode();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const dataDir = () => env.DATA_DIR as string;

  let site: URL;

  async function serve(): Promise<URL> {
    server = new ServerProcess([parley.program, 'serve'], { env });
    site = await server.ready();
    return site;
  }

  async function signIn(site: URL, username: string, password: string): Promise<number> {
    const body = new URLSearchParams({ username, password });
    return (await fetch(new URL('/api/v1/fetch_api_key', site), { method: 'POST', body })).status;
  }

  it('makes the organization once, and tells once how its owner signs in', async () => {
    const early = await parley.run(['user', 'list']);
    const first = await parley.json(['init']);
    expect(first).toEqual({
      created: true,
      organization: 'Parley',
      dataDir: dataDir(),
      email: 'owner@parley.localhost',
      password: expect.stringMatching(/^[\w-]{22}$/),
      zuliprc: join(dataDir(), 'zuliprc'),
    });
    expect(statSync(first.zuliprc).mode & 0o777).toBe(0o600);
    await expect(parley.json(['init'])).resolves.toEqual({
      created: false,
      organization: 'Parley',
      dataDir: dataDir(),
    });
    // PostgreSQL has tables as soon as somebody connects; nobody is in them.
    expect(database.engine === 'postgres' ? early.output : early.errors).toMatch(
      database.engine === 'postgres' ? /^ID +ADDRESS/ : /^No organization in .*"parley init"/,
    );
  });

  it('adds people and lists them while no server runs', async () => {
    const made = await parley.json(['user', 'add', '--email', 'ann@example.com', '--name', 'Ann Lee']);
    expect(made).toEqual({
      user: expect.objectContaining({
        email: 'ann@example.com',
        name: 'Ann Lee',
        role: 'member',
        active: true,
      }),
      password: expect.stringMatching(/^[\w-]{22}$/),
    });
    const chosen = await parley.json(
      ['user', 'add', '--email', 'bob@example.com', '--name', 'Bob', '--role', 'guest', '--password-stdin'],
      `${PASSWORD}\n`,
    );
    expect(chosen).toEqual({ user: expect.objectContaining({ role: 'guest' }) });
    const { users } = await parley.json(['user', 'list', '--role', 'guest']);
    expect(users.map((user: { email: string }) => user.email)).toEqual(['bob@example.com']);
  });

  it('takes a socket for its own user while the server runs, and does the same over it', async () => {
    await serve();
    const mode = (name: string) => statSync(join(dataDir(), 'run', name)).mode & 0o777;
    expect([mode(''), mode('parley.sock')]).toEqual([0o700, 0o600]);
    await expect(signIn(site, 'bob@example.com', PASSWORD)).resolves.toBe(200);

    const list = await parley.run(['user', 'list']);
    expect(list).toEqual({ exitCode: 0, output: expect.stringContaining('ann@example.com'), errors: '' });
    await expect(parley.json(['user', 'role', 'ann@example.com', 'moderator'])).resolves.toEqual({
      user: expect.objectContaining({ role: 'moderator' }),
    });
    const { output } = await parley.run(['user', 'deactivate', 'bob@example.com']);
    expect(output).toBe('Bob (bob@example.com) is now deactivated.\n');
    await expect(signIn(site, 'bob@example.com', PASSWORD)).resolves.toBe(401);
    const back = await parley.run(['user', 'reactivate', 'bob@example.com']);
    expect(back.output).toBe('Bob (bob@example.com) is now active.\n');
    const { password } = await parley.json(['user', 'password', 'bob@example.com', '--generate']);
    await expect(signIn(site, 'bob@example.com', PASSWORD)).resolves.toBe(401);
    await expect(signIn(site, 'bob@example.com', password)).resolves.toBe(200);
  });

  it('invites people, one by address or several by a link', async () => {
    const one = await parley.json(['invite', '--email', 'zoe@example.com', '--role', 'moderator']);
    expect(one).toEqual({
      email: 'zoe@example.com',
      link: expect.stringMatching(/\/join\/[a-z2-7]{40}\/$/),
      mailed: false,
    });
    const form = new URLSearchParams({ full_name: 'Zoe', password: PASSWORD });
    const page = await fetch(new URL(new URL(one.link).pathname, site), {
      method: 'POST',
      body: form,
      // As browsers say where a form comes from.
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    expect(page.status).toBe(200);
    await expect(signIn(site, 'zoe@example.com', PASSWORD)).resolves.toBe(200);
    const { output } = await parley.run(['invite', '--days', '1']);
    expect(output).toMatch(/^Anyone with this link can join:\n\n {2}http\S+\/join\/[a-z2-7]{40}\/\n$/);
    const again = await parley.run(['invite', '--email', 'zoe@example.com']);
    expect(again).toMatchObject({ exitCode: 1, errors: 'zoe@example.com: Already has an account.\n' });
  });

  it('names the bots that stop with a person, and offers them back', async () => {
    await parley.json(['user', 'add', '--email', 'bea@example.com', '--name', 'Bea']);
    await parley.json([
      'bot',
      'add',
      '--name',
      'Bea Bot',
      '--short-name',
      'bea',
      '--owner',
      'bea@example.com',
    ]);
    const bot = expect.objectContaining({ name: 'Bea Bot', active: false });
    const gone = await parley.run(['user', 'deactivate', 'bea@example.com']);
    expect(gone.output).toMatch(
      /^Bea \(bea@example\.com\) is now deactivated\.\nTheir bots stopped as well:\n {2}Bea Bot \(bea-bot@.*\)\n$/,
    );
    await expect(parley.json(['user', 'reactivate', 'bea@example.com'])).resolves.toEqual({
      user: expect.objectContaining({ active: true }),
      inactiveBots: [bot],
    });
    await expect(parley.json(['user', 'deactivate', 'bea@example.com'])).resolves.toMatchObject({
      stoppedBots: [],
    });
    const { output } = await parley.run(['user', 'reactivate', 'bea@example.com']);
    expect(output).toMatch(
      /are still deactivated\. "parley user reactivate" brings back each, and\n--with-bots all/,
    );
    const restored = await parley.run(['user', 'reactivate', 'bea@example.com', '--with-bots']);
    expect(restored.output).toBe('Bea (bea@example.com) is now active.\n');
    const { users } = await parley.json(['user', 'list', '--bots']);
    expect(users).toContainEqual(expect.objectContaining({ name: 'Bea Bot', active: true }));
  });

  it('lets a second administrator add people, from the start or later', async () => {
    const may = async (args: string[]) => (await parley.json(args)).user.can_create_users;
    const add = ['user', 'add', '--email', 'cleo@example.com', '--name', 'Cleo', '--role', 'administrator'];
    await expect(may([...add, '--can-create-users'])).resolves.toBe(true);
    const role = ['user', 'role', 'cleo@example.com', 'administrator'];
    await expect(may(role)).resolves.toBe(true);
    await expect(may([...role, '--no-can-create-users'])).resolves.toBe(false);
    await expect(may([...role, '--can-create-users'])).resolves.toBe(true);
  });

  it('gives no answer on the socket to what is no command', async () => {
    const path = join(dataDir(), 'run/parley.sock');
    const say = (text: string) =>
      new Promise<string>((resolve) => {
        let answer = '';
        const socket = connect(path, () => socket.write(text));
        socket.on('data', (chunk) => (answer += String(chunk))).on('close', () => resolve(answer));
        socket.on('error', () => undefined);
      });
    await expect(say('rubbish\n')).resolves.toBe('');
    await expect(say('{"command": 1}\n')).resolves.toBe('');
    await expect(say('x'.repeat(1_000_000))).resolves.toBe('');
    await expect(say('{"command":"user burn","input":{}}\n')).resolves.toMatch(
      /^\{"error":".*another version|of another/,
    );
    await expect(say('{"command":"user list","input":{"all":true}}\n')).resolves.toMatch(
      /^\{"error":"property all/,
    );
    await expect(say('{"command":"user list","input":{},"database":"other"}\n')).resolves.toMatch(
      /another database/,
    );
  });

  it('shows and replaces keys, and adds bots with the file for their program', async () => {
    const file = join(folder, 'botrc');
    const add = ['bot', 'add', '--name', 'Echo', '--short-name', 'echo', '--owner', 'ann@example.com'];
    const made = await parley.json([...add, '--zuliprc', file]);
    expect(made).toEqual({ bot: expect.objectContaining({ name: 'Echo', bot: true }), file });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const [, key = '', site = ''] = /key=(\w{32})\nsite=(\S+)\n/.exec(readFileSync(file, 'utf8')) ?? [];
    const ask = async (apiKey: string) => {
      const authorization = `Basic ${Buffer.from(`${made.bot.email}:${apiKey}`).toString('base64')}`;
      return (await fetch(new URL('/api/v1/users/me', site), { headers: { authorization } })).status;
    };
    await expect(ask(key)).resolves.toBe(200);

    const again = await parley.run([...add, '--zuliprc', file]);
    expect(again).toMatchObject({ exitCode: 1, errors: expect.stringContaining('already exists') });
    const shown = await parley.run(['user', 'key', made.bot.email]);
    expect(shown.output).toBe(readFileSync(file, 'utf8'));
    const { zuliprc } = await parley.json(['user', 'key', made.bot.email, '--regenerate']);
    await expect(Promise.all([ask(key), ask(zuliprc.key)])).resolves.toEqual([401, 200]);
  });

  it('shows who did what, and names in the log what commands are about', async () => {
    const { output, errors } = await parley.run(['audit', '--user', 'ann@example.com']);
    expect(errors).toBe('');
    expect(output).toMatch(/^TIME +WHO +ACTION +ON +FROM +DETAILS$/m);
    expect(output).toMatch(/the operator +user\.created +Ann Lee \(\d+\) +command parley +\{"role":400\}/);
    expect(output).toMatch(/user\.role_changed .* \{"from":400,"to":300\}/);
    const bob = await parley.json(['audit', '--actor', 'bob@example.com', '--action', 'user.signed_in']);
    expect(bob.total).toBe(2);
    expect(bob.entries[0]).toMatchObject({
      actor_name: 'Bob',
      way: 'main',
      address: expect.stringMatching(/1$/),
    });
    const newest = await parley.json(['audit', '--limit', '2', '--until', '2999-01-01']);
    expect(newest.entries).toHaveLength(2);
    expect(newest.total).toBeGreaterThan(2);
    const later = await parley.run(['audit', '--since', '2999-01-01']);
    expect(later.output).toBe('Nothing that fits was recorded.\n');
    await server?.wrote('Command \\"user role\\" on \\"ann@example.com\\".');
    expect((await parley.run(['audit', '--since', 'yesterday'])).exitCode).toBe(2);
    expect((await parley.run(['audit', '--action', 'nothing'])).exitCode).toBe(1);
    expect((await parley.run(['audit', '--limit', '100000'])).exitCode).toBe(1);
  });

  it('places, lists and lifts legal holds', async () => {
    const add = ['hold', 'add', '--user', 'ann@example.com', '--reason', 'case 1'];
    const placed = await parley.run(add);
    expect([placed.exitCode, placed.output]).toEqual([0, 'Messages of Ann Lee are on hold (ID 1).\n']);
    expect(await parley.json(add)).toEqual({
      held: expect.objectContaining({ id: 2, of: 'Ann Lee', channelId: null, reason: 'case 1' }),
    });
    const ofChannel = await parley.run(['hold', 'add', '--channel', 'general', '--reason', 'case 2']);
    expect(ofChannel.output).toBe('Messages of #general are on hold (ID 3).\n');
    const lifted = await parley.run(['hold', 'remove', '2']);
    expect([lifted.exitCode, lifted.output]).toEqual([0, 'Messages of Ann Lee are no longer on hold 2.\n']);
    const { output } = await parley.run(['hold', 'list']);
    expect(output).toMatch(
      /^ID +SINCE +OF +REASON\n1 +\d{4}-\d\d-\d\d +Ann Lee +case 1\n3 +[\d-]+ +#general +case 2\n$/,
    );
    const refused: [string[], RegExp][] = [
      [['remove', '2'], /^No hold has the ID 2\. See "parley hold list"/],
      [['remove', 'two'], /^The ID must be a number/],
      [['add', '--user', 'none@example.com', '--reason', 'x'], /^No account has the address none@example/],
      [['add', '--channel', 'nowhere', '--reason', 'x'], /^No channel is called nowhere/],
    ];
    for (const [args, message] of refused) {
      const { exitCode, errors } = await parley.run(['hold', ...args]);
      expect([args, exitCode, errors]).toEqual([args, 1, expect.stringMatching(message)]);
    }
  });

  it('erases what a person wrote, with a receipt', async () => {
    await parley.json(['user', 'add', '--email', 'eve@example.com', '--name', 'Eve']);
    const receipt = join(folder, 'receipt.json');
    const erase = ['user', 'erase', 'eve@example.com', receipt];
    const unconfirmed = await parley.run(erase);
    expect([unconfirmed.exitCode, unconfirmed.errors]).toEqual([
      1,
      expect.stringMatching(/Use --yes to confirm/),
    ]);
    const active = await parley.run([...erase, '--yes']);
    expect([active.exitCode, active.errors]).toEqual([1, expect.stringMatching(/^Eve is active/)]);
    expect(existsSync(receipt)).toBe(false);
    await parley.json(['user', 'deactivate', 'eve@example.com']);
    const { exitCode, output } = await parley.run([...erase, '--yes']);
    expect([exitCode, output]).toEqual([
      0,
      expect.stringMatching(/^Erased: messages \d+, .*receipt\.json\.$/m),
    ]);
    expect(JSON.parse(readFileSync(receipt, 'utf8'))).toMatchObject({
      email: 'eve@example.com',
      erased: { messages: expect.any(Number), files: 0 },
    });
    const again = await parley.run([...erase, '--yes']);
    expect([again.exitCode, again.errors]).toEqual([
      1,
      expect.stringMatching(/receipt\.json already exists/),
    ]);
  });

  it('keeps the last owner, and says what cannot be done with exit code 1', async () => {
    const cases: [string[], RegExp][] = [
      [['user', 'role', 'owner@parley.localhost', 'member'], /only organization owner/],
      [['user', 'deactivate', 'owner@parley.localhost'], /only organization owner/],
      [['user', 'role', 'nobody@example.com', 'member'], /^No account has the address .*"parley user list/],
      [['user', 'password', 'ann@example.com'], /--password-stdin .* --generate/],
      [['user', 'add', '--email', 'ann@example.com', '--name', 'Other'], /in use/],
      [['user', 'add', '--email', 'an address', '--name', 'Other'], /Enter a valid email address/],
      [
        ['bot', 'add', '--name', 'Eco', '--short-name', 'echo', '--owner', 'ann@example.com'],
        /another short name/,
      ],
      [
        ['bot', 'add', '--name', 'Eco', '--short-name', 'e c', '--owner', 'ann@example.com'],
        /Use a short name that/,
      ],
    ];
    for (const [args, message] of cases) {
      const { exitCode, output, errors } = await parley.run(args);
      expect([args, exitCode, output, errors]).toEqual([args, 1, '', expect.stringMatching(message)]);
    }
    const refused = await parley.json(['user', 'role', 'owner@parley.localhost', 'member']);
    expect(refused).toEqual({ error: expect.stringMatching(/only organization owner/) });
  });

  it('starts over a socket that a server left behind', async () => {
    server?.signal('SIGKILL');
    await server?.exitCode();
    expect(existsSync(join(dataDir(), 'run/parley.sock'))).toBe(true);
    await expect(parley.run(['user', 'list'])).resolves.toMatchObject({ exitCode: 0 });
    await serve();
    await expect(parley.run(['user', 'list'])).resolves.toMatchObject({ exitCode: 0 });
    server?.signal('SIGTERM');
    await expect(server?.exitCode()).resolves.toBe(0);
    expect(existsSync(join(dataDir(), 'run/parley.sock'))).toBe(false);
  });
});

describe('the command line by itself', () => {
  const parley = new CommandLine({ DATA_DIR: '/nowhere' });

  it.each(['Notification-Bot@zulip.com', 'user9@parley.localhost'])(
    'makes no owner with the address %s, which is the server’s own',
    async (email) => {
      const dataDir = mkdtempSync(join(tmpdir(), 'parley-address-'));
      try {
        const { exitCode, output, errors } = await new CommandLine({
          DATA_DIR: dataDir,
          OWNER_EMAIL: email,
        }).run(['init']);
        expect([exitCode, output, errors]).toEqual([
          1,
          '',
          expect.stringMatching(/^OWNER_EMAIL is [^\n]+\n$/),
        ]);
      } finally {
        rmSync(dataDir, { recursive: true, force: true });
      }
    },
  );

  // Root may look into any folder, and another user maybe not even into that of the program.
  const isRoot = process.getuid?.() === 0;
  const somebody = isRoot ? { uid: 65_534, gid: 65_534 } : {};
  const look = ['-e', 'require("fs").accessSync(process.argv[1])', parley.program];
  const asSomebody = spawnSync(process.execPath, look, somebody).status === 0 ? it : it.skip;

  asSomebody('tells whoever may not look into a folder from whoever has none', async () => {
    const parent = mkdtempSync(join(tmpdir(), 'parley-closed-'));
    try {
      const other = new CommandLine({}, somebody);
      const closed = join(parent, 'closed');
      mkdirSync(closed, { mode: isRoot ? 0o700 : 0 });
      chmodSync(parent, 0o755);
      const cases: [string[], RegExp][] = [
        [
          ['user', 'list', '--data-dir', closed],
          /^This user cannot .*closed \(EACCES\)\. Run this as its owner/,
        ],
        [
          ['user', 'list', '--data-dir', join(closed, 'data')],
          /^This user cannot .*\(EACCES\)\. Run this as/,
        ],
        [
          ['restore', closed, '--data-dir', join(parent, 'new')],
          /^This user cannot .*\(EACCES\)\. Run this as/,
        ],
        [['user', 'list', '--data-dir', join(parent, 'none')], /^No organization in .*none yet/],
        [['restore', parent, '--data-dir', join(parent, 'new')], /is not a backup/],
      ];
      for (const [args, message] of cases) {
        const { exitCode, output, errors } = await other.run(args);
        expect([args, exitCode, output, errors]).toEqual([args, 1, '', expect.stringMatching(message)]);
      }
    } finally {
      rmSync(parent, { recursive: true, force: true });
    }
  });

  it('says what can be said, of each command', async () => {
    const { exitCode, output } = await parley.run(['--help']);
    expect(exitCode).toBe(0);
    const commands = ['serve', 'init', 'user', 'bot', 'backup', 'restore', 'check', 'migrate', 'demo'];
    expect(commands.filter((name) => !output.includes(`\n  ${name} `))).toEqual([]);
    const of = await parley.run(['user', 'password', '--help']);
    expect(of.output).toContain('--password-stdin');
  });

  it('has exit code 2 for a command line that makes no sense', async () => {
    const cases = [
      ['sing'],
      ['user', 'add'],
      ['user', 'list', '--loud'],
      ['user', 'role', 'ann@example.com', 'king'],
      ['user', 'password', 'ann@example.com', '--generate', '--password-stdin'],
      ['backup'],
    ];
    for (const args of cases) {
      const { exitCode, errors } = await parley.run(args);
      expect([args, exitCode, errors]).toEqual([args, 2, expect.stringContaining('--help')]);
    }
  });
});
