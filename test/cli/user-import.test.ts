import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandLine } from '../support/command-line';
import { MailServer } from '../support/mail-server';
import { ServerProcess } from '../support/server-process';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

// Each command is a process, which takes its time where other tests run beside.
jest.setTimeout(240_000);

interface Credentials {
  readonly email: string;
  readonly key: string;
}

describe('parley user import', () => {
  let database: TestDatabase;
  let folder: string;
  let env: Record<string, string>;
  let parley: CommandLine;
  let mails: MailServer;
  let server: ServerProcess | undefined;
  let call: (
    method: string,
    path: string,
    fields?: Record<string, string>,
    caller?: Credentials,
  ) => Promise<Answer>;

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers as they are
  type Answer = Record<string, any>;

  const serve = async () => {
    server = new ServerProcess([parley.program, 'serve'], { env });
    return server.ready();
  };

  const stop = async () => {
    server?.signal('SIGTERM');
    await server?.exitCode();
    server = undefined;
  };

  beforeAll(async () => {
    database = await createTestDatabase();
    mails = await MailServer.start();
    folder = mkdtempSync(join(tmpdir(), 'parley-people-'));
    env = {
      DATA_DIR: join(folder, 'data'),
      OWNER_EMAIL: 'olivia@example.com',
      SMTP_URL: mails.url,
      ALLOW_SMTP_WITHOUT_TLS: 'true',
      RATE_LIMIT_PER_MINUTE: '0',
      ...database.env,
    };
    parley = new CommandLine(env);
    await parley.run(['init']);
    const owner: Credentials = (await parley.json(['user', 'key', 'olivia@example.com'])).zuliprc;
    const site = await serve();
    call = async (method, path, fields = {}, caller = owner) => {
      const { email, key } = caller;
      const response = await fetch(new URL(`/api/v1${path}`, site), {
        method,
        headers: { authorization: `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}` },
        ...(method !== 'GET' && { body: new URLSearchParams(fields) }),
      });
      return (await response.json()) as Answer;
    };
    for (const name of ['lab', 'old'])
      await call('POST', '/users/me/subscriptions', { subscriptions: JSON.stringify([{ name }]) });
    const { stream_id: old } = await call('GET', '/get_stream_id?stream=old');
    await call('DELETE', `/streams/${old}`);
    await call('POST', '/user_groups/create', { name: 'painters', description: '', members: '[]' });
  });

  afterAll(async () => {
    await stop();
    await mails.stop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const listed = (text: string | Buffer) => {
    const path = join(folder, 'people.csv');
    writeFileSync(path, text);
    return path;
  };

  const people = async () =>
    ((await parley.json(['user', 'list'])).users as Answer[]).map(({ email, name, role }) => [
      email,
      name,
      role,
    ]);

  const GOOD = [
    '\uFEFFName,Email,Role,Channels,Groups',
    '"Lee, Ann",ann@example.com,moderator,LAB,painters',
    '',
    'Bo Ek,bo@example.com,,,',
    'Owner,OLIVIA@example.com,member,,painters',
    '',
  ].join('\r\n');

  it('names every line that is wrong, and adds nobody', async () => {
    const before = await people();
    const lines = [
      'name,email,role,channels,groups',
      'Ann Lee,ann@example.com,boss,,',
      'A,nowhere,,,',
      ',cy@example.com,,,',
      'Di,di@example.com,,lab|old|none,nobody|role:members',
      'Ed,DI@example.com,,,',
      'Fi,fi@example.com,,,,more',
      'Gil,gil@example.com,,,"lab',
    ];
    const { exitCode, errors } = await parley.run(['user', 'import', listed(lines.join('\n'))]);
    expect([exitCode, errors.trim().split('\n')]).toEqual([
      1,
      [
        'Line 2: The role must be one of owner, administrator, moderator, member, guest.',
        'Line 3: "nowhere" is not a valid email address.',
        expect.stringMatching(/^Line 4: /),
        'Line 5: The channel "old" is archived.',
        'Line 5: There is no channel "none".',
        'Line 5: There is no user group "nobody".',
        'Line 5: Members of "role:members" follow from their roles.',
        'Line 6: Line 5 has the same address.',
        'Line 7: It has 6 cells, and the first line 5.',
        'Line 8: A quotation mark is not closed.',
        'Nobody was added.',
      ],
    ]);
    for (const [text, problem] of [
      ['email,nick\n', /Line 1: There is no column "nick".*\nLine 1: The column "name" is missing/],
      ['email,name,email\n', /Line 1: There are two columns "email"/],
      ['email,name\n', /names nobody/],
      ['', /Line 1: The column "email" is missing/],
      [Buffer.from('email,name\nj\xf6@example.com,J\xf6\n', 'latin1'), /is not UTF-8/],
    ] as const)
      expect((await parley.run(['user', 'import', listed(text)])).errors).toMatch(problem);
    expect((await parley.run(['user', 'import', join(folder, 'none')])).errors).toMatch(/does not exist/);
    await expect(people()).resolves.toEqual(before);
  });

  it('tells in a dry run what would come, and writes nothing', async () => {
    const before = await people();
    const { exitCode, output } = await parley.run(['user', 'import', listed(GOOD), '--dry-run', '--invite']);
    const text =
      'The file is fine. It would add 2 accounts; nothing was written.\n1 person has one already.\n';
    expect([exitCode, output]).toEqual([0, text]);
    await expect(people()).resolves.toEqual(before);
  });

  it('adds people with role, channels and groups, and tells nobody', async () => {
    const told = await parley.json(['user', 'import', listed(GOOD)]);
    expect(told).toEqual({ isDryRun: false, added: 2, known: 1, invited: 0 });
    expect(await people()).toEqual(
      expect.arrayContaining([
        ['ann@example.com', 'Lee, Ann', 'moderator'],
        ['bo@example.com', 'Bo Ek', 'member'],
        ['olivia@example.com', expect.any(String), 'owner'],
      ]),
    );
    const { members } = await call('GET', '/users');
    const idOf = (name: string) => (members as Answer[]).find((each) => each.full_name === name)?.user_id;
    const { stream_id: lab } = await call('GET', '/get_stream_id?stream=lab');
    const { subscribers } = await call('GET', `/streams/${lab}/members`);
    expect(subscribers).toContain(idOf('Lee, Ann'));
    expect(subscribers).not.toContain(idOf('Bo Ek'));
    const { user_groups: groups } = await call('GET', '/user_groups');
    const painters = (groups as Answer[]).find(({ name }) => name === 'painters');
    expect(painters?.members).toContain(idOf('Lee, Ann'));
    expect(painters?.members).toHaveLength(2);
    const ann = (await parley.json(['user', 'key', 'ann@example.com'])).zuliprc;
    const narrow = encodeURIComponent('[{"operator": "is", "operand": "dm"}]');
    const range = `anchor=newest&num_before=9&num_after=0&narrow=${narrow}`;
    expect((await call('GET', `/messages?${range}`, {}, ann)).messages).toEqual([]);
    expect(mails.mails).toEqual([]);
  });

  it('goes on where it was, and invites those who are new', async () => {
    const more = `${GOOD}Cy Roe,cy@example.com,guest,lab,\r\n`;
    const { output } = await parley.run(['user', 'import', listed(more), '--invite']);
    expect(output).toBe('Added 1 account.\n3 people have one already.\n1 person gets an email.\n');
    await mails.mail(1);
    expect(mails.mails).toEqual([
      expect.objectContaining({
        to: ['cy@example.com'],
        plain: expect.stringMatching(/You have an account at Parley: http/),
        link: expect.stringContaining('/accounts/password/reset/'),
      }),
    ]);
  });

  it('works while no server runs', async () => {
    await stop();
    const rows = Array.from({ length: 120 }, (_, at) => `p${at}@example.com;Person ${at};lab`);
    const list = listed(`email;name;channels\n${rows.join('\n')}\n`);
    await expect(parley.json(['user', 'import', list])).resolves.toMatchObject({ added: 120, known: 0 });
    await expect(parley.json(['user', 'import', list])).resolves.toMatchObject({ added: 0, known: 120 });
  });
});
