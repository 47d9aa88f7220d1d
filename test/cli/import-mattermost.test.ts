import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandLine } from '../support/command-line';
import { type ArchiveRow, ReadArchive } from '../support/export-setup';
import { plainPicture } from '../support/picture-setup';
import { ServerProcess } from '../support/server-process';
import { createTestDatabase, type TestDatabase } from '../support/test-database';
import { type ZipContent, zipOf } from '../support/zip';

// Each command is a process, which takes its time where other tests run beside.
jest.setTimeout(240_000);

/** Milliseconds, as exports have them. */
const T = 1_700_000_000_000;

const line = (type: string, row: object) => ({ type, [type]: row });

function user(username: string, more: object = {}, memberships: object[] = [in_('town-square')]): object {
  return line('user', {
    ...{ username, email: `${username}@example.com`, roles: 'system_user', delete_at: 0 },
    ...{ first_name: '', last_name: '', nickname: '' },
    teams: [{ name: 'lab', roles: 'team_user', channels: memberships }],
    ...more,
  });
}

function in_(name: string, more: object = {}): object {
  return { name, roles: 'channel_user', notify_props: { mark_unread: 'all' }, ...more };
}

function post(user_: string, at: number, message: string, more: object = {}): object {
  return line('post', {
    ...{ team: 'lab', channel: 'bench-7', user: user_, type: '', message, create_at: T + at },
    ...more,
  });
}

function direct(members: string[], user_: string, at: number, message: string, more: object = {}): object {
  return line('direct_post', { channel_members: members, user: user_, message, create_at: T + at, ...more });
}

const reply = (user_: string, at: number, message: string, more: object = {}) => ({
  ...{ user: user_, message, create_at: T + at, edit_at: 0 },
  ...more,
});

const PLAN = '20231114/teams/noteam/channels/c/users/u/f/plan.pdf';

const everywhere = [in_('town-square'), in_('bench-7'), in_('secret')];

const LINES = [
  { type: 'version', version: 1 },
  line('role', { name: 'custom' }),
  line('emoji', { name: 'parrot', image: 'exported_emoji/p/image' }),
  line('emoji', { name: 'lost', image: 'exported_emoji/l/image' }),
  line('team', { name: 'lab', display_name: 'Lab', type: 'O' }),
  line('channel', { team: 'lab', name: 'town-square', display_name: 'Town Square', type: 'O' }),
  line('channel', {
    ...{ team: 'lab', name: 'bench-7', display_name: 'Bench 7', type: 'O' },
    ...{ purpose: 'Repairs', header: 'See [the\nplan](https://x.example)' },
  }),
  line('channel', { team: 'lab', name: 'secret', display_name: 'Secret', type: 'P' }),
  line('channel', {
    team: 'lab',
    name: 'old',
    display_name: `Old ${'x'.repeat(70)}`,
    type: 'O',
    deleted_at: T,
  }),
  line('channel', { team: 'nowhere', name: 'x', display_name: 'X', type: 'O' }),
  user('ada', { roles: 'system_user system_admin', first_name: 'Ada', last_name: 'Owner' }, everywhere),
  user(
    'bo',
    {
      ...{ nickname: 'Bo', profile_image: 'profile/bo.png', position: 'Engineer' },
      ...{
        custom_status: { emoji: 'parrot', text: 'Flying', duration: '', expires_at: '0001-01-01T00:00:00Z' },
      },
      teams: [
        {
          ...{ name: 'lab', roles: 'team_user team_admin' },
          channels: [
            in_('town-square', { favorite: true }),
            in_('bench-7', { notify_props: { mark_unread: 'mention' } }),
            in_('secret'),
            in_('unknown'),
          ],
        },
      ],
    },
    [],
  ),
  user(
    'cy',
    { custom_status: { text: 'Out', duration: 'today', expires_at: '2023-11-15T00:00:00Z' } },
    everywhere,
  ),
  user('di', { roles: 'system_guest' }),
  user('ed', { delete_at: T }),
  user('bo2', { email: 'BO@example.com' }),
  user('gy', { email: 'not an address' }),
  user('CY', { email: 'other@example.com' }),
  user('nobody', { teams: null }),
  line('bot', {
    username: 'builder',
    owner: 'ada',
    display_name: 'Build Bot',
    profile_image: 'profile/bo.png',
  }),
  post('ada', 1000, '@bo and @cy: see ~secret, _now_ :+1: :parrot: `@bo`', {
    ...{ edit_at: T + 90_000, is_pinned: true, flagged_by: ['bo', 'phantom'] },
    reactions: [
      { user: 'bo', emoji_name: '+1', create_at: T },
      { user: 'bo', emoji_name: 'thumbsup', create_at: T },
      { user: 'cy', emoji_name: 'parrot', create_at: T },
      { user: 'cy', emoji_name: 'unheard_of', create_at: T },
      { user: 'phantom', emoji_name: '+1', create_at: T },
    ],
    attachments: [{ path: PLAN }, { path: 'missing/file.txt' }, { path: '../../server.secret' }],
  }),
  post('bo', 5000, 'a thread about **paint**', {
    thread_followers: [{ user: 'cy' }, { user: 'phantom' }],
    replies: [
      // Two days later, and out of order.
      reply('bo', 172_800_000, 'last reply'),
      reply('cy', 6000, 'first reply', { reactions: [{ user: 'ada', emoji_name: 'tada', create_at: T }] }),
      reply('cy', 6500, 'joined', { type: 'system_join_channel' }),
    ],
  }),
  post('cy', 5500, 'in the meantime'),
  post('cy', 5500, 'in the meantime'),
  post('cy', 5500, 'in the meantime, too'),
  post('bo', 7000, 'a thread about **paint**', { replies: [reply('cy', 7500, 'of the second')] }),
  post('bo', 400, 'before it, after it in the file'),
  post('bo', 8000, '@bo joined', { type: 'system_add_to_channel' }),
  post('bo', 8500, 'waves', { type: 'me' }),
  post('bo', 8600, 'of a plugin', { type: 'custom_jira' }),
  post('builder', 9000, 'built', { props: { from_bot: 'true' } }),
  post('ada', 9100, '', {
    type: 'slack_attachment',
    props: {
      ...{ from_webhook: 'true', override_username: 'Deployer' },
      attachments: [{ title: 'Release', title_link: 'https://x.example/r', text: 'by @bo', fallback: 'no' }],
    },
  }),
  post('ghost', 9200, 'from a ghost'),
  post('ada', 9300, ''),
  post('ada', 0, 'without a time', { create_at: null }),
  post('ada', 9400, '<script>alert(1)</script> @**all** [x](javascript:alert(1))'),
  post('ada', 9500, `endless ${'words '.repeat(2600)}end`),
  post('ada', 9600, 'lost', { channel: 'unknown' }),
  post('bo', 10_000, 'psst', { channel: 'secret' }),
  line('direct_channel', { members: ['ada', 'cy'], header: '' }),
  direct(['ada', 'cy'], 'ada', 11_000, 'for two', { replies: [reply('cy', 11_500, 'an answer for two')] }),
  direct(['cy', 'ada'], 'cy', 12_000, 'again for two'),
  direct(['bo'], 'bo', 13_000, 'for myself'),
  direct(['ada', 'bo', 'cy'], 'cy', 14_000, 'for three'),
];

describe('parley import mattermost', () => {
  let folder: string;
  let archive: string;
  let files: ZipContent[];
  let parley: CommandLine;
  let told: { ledger: string };
  let after: ReadArchive;
  const environments = new Map<string, Readonly<Record<string, string>>>();
  const databases: TestDatabase[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-mattermost-'));
    const picture = await plainPicture(20, 20, 'red').png().toBuffer();
    files = [
      [`data/${PLAN}`, 'the plan'],
      ['data/exported_emoji/p/image', picture],
      ['data/profile/bo.png', picture],
    ];
    archive = join(folder, 'export.zip');
    writeFileSync(archive, zipOf(exported()));
    parley = await freshServer('data');
  });

  afterAll(async () => {
    for (const each of databases) await each.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  function exported(lines: readonly object[] = LINES): ZipContent[] {
    return [['import.jsonl', lines.map((each) => JSON.stringify(each)).join('\r\n')], ...files];
  }

  async function freshServer(name: string): Promise<CommandLine> {
    const made = await createTestDatabase();
    databases.push(made);
    const own = { DATA_DIR: join(folder, name), OWNER_EMAIL: 'ada@example.com' };
    const environment = { LOG_LEVEL: 'warn', ...made.env, ...own };
    environments.set(name, environment);
    const server = new CommandLine(environment);
    await server.json(['init']);
    return server;
  }

  async function exportOf(server: CommandLine, name: string): Promise<ReadArchive> {
    await server.json(['export', join(folder, `${name}.tar.gz`)]);
    return ReadArchive.of(readFileSync(join(folder, `${name}.tar.gz`)));
  }

  const broken = async (server: CommandLine) =>
    (await server.json(['check'])).invariants.filter(({ holds }: { holds: boolean }) => !holds);
  const table = (name: string): readonly ArchiveRow[] => after.realm[name] ?? [];
  const person = (name: string) =>
    [...table('zerver_userprofile'), ...table('zerver_userprofile_mirrordummy')].find(
      (row) => row.full_name === name,
    );
  const channel = (name: string) => table('zerver_stream').find((row) => row.name === name);
  const messages = (of = after) => of.messages.zerver_message ?? [];
  const message = (text: string | RegExp) =>
    messages().filter(({ content }) =>
      typeof text === 'string' ? content === text : text.test(String(content)),
    );
  const noted = (what: string, id: string | null) =>
    readFileSync(told.ledger, 'utf8')
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text) as { what: string; id: string; reason: string })
      .filter((each) => each.what === what && each.id === id)
      .map(({ reason }) => reason);

  it('shows in a dry run what would come, and writes nothing', async () => {
    const rehearsed = await parley.json(['import', 'mattermost', archive, '--dry-run']);
    expect(rehearsed).toMatchObject({ isDryRun: true, wasThere: false, channels: 4 });
    expect((await parley.json(['audit', '--action', 'organization.imported'])).entries).toEqual([]);
    expect(readdirSync(join(folder, 'data'))).not.toContain('import-unpacked');
  });

  it('imports everything whole', async () => {
    told = await parley.json(['import', 'mattermost', archive]);
    expect(told).toMatchObject({ isDryRun: false, wasThere: false, channels: 4 });
    expect(await broken(parley)).toEqual([]);
    after = await exportOf(parley, 'after');
  });

  it('imports users by address and role', () => {
    expect(person('Ada Owner')).toMatchObject({ role: 100, delivery_email: 'ada@example.com' });
    expect(person('Bo')).toMatchObject({ role: 200, is_active: true, avatar_source: 'U' });
    expect(person('cy')).toMatchObject({ role: 400, is_active: true, date_joined: T / 1000 + 5 });
    expect(person('di')).toMatchObject({ role: 600 });
    expect(person('ed')).toMatchObject({ is_active: false });
    expect(person('gy')?.delivery_email).toMatch(/^mattermost-gy-\d+@/);
    expect(person('nobody')).toMatchObject({ role: 400 });
    expect(noted('person', 'bo2')).toEqual([expect.stringMatching(/same email address \("bo"\)/)]);
    expect(noted('person', 'cy')).toEqual(['Missing or duplicate username.']);
    expect(noted('profile', 'bo')).toEqual(['Positions are not imported.']);
    const owner = person('Ada Owner')?.id;
    for (const name of ['Build Bot', 'Deployer'])
      expect(person(name)).toMatchObject({ is_bot: true, bot_type: 2, is_active: false, bot_owner: owner });
    expect(person('Build Bot')).toMatchObject({ avatar_source: 'U' });
    expect(person('ghost')).toMatchObject({ is_active: false });
  });

  it('imports channels with members, and what they muted and pinned', () => {
    expect(channel('Bench 7')).toMatchObject({
      ...{ invite_only: false, deactivated: false },
      description: 'Repairs · See [the plan](https://x.example)',
    });
    expect(channel('Secret')).toMatchObject({ invite_only: true, history_public_to_subscribers: false });
    expect(channel(`Old ${'x'.repeat(56)}`)).toMatchObject({ deactivated: true });
    expect(noted('channel', 'nowhere/x')).toEqual(['Missing team, or missing or duplicate name.']);
    const subscriptions = (name: string) =>
      table('zerver_subscription').filter(({ recipient }) => recipient === channel(name)?.recipient);
    expect(subscriptions('Secret')).toHaveLength(3);
    const own = (name: string) => subscriptions(name).find(({ user_profile: id }) => id === person('Bo')?.id);
    expect(own('Bench 7')).toMatchObject({ is_muted: true, pin_to_top: false });
    expect(own('Town Square')).toMatchObject({ is_muted: false, pin_to_top: true });
    expect(noted('membership', 'bo in lab/unknown')).toHaveLength(1);
    expect(table('zerver_defaultstream').map(({ stream }) => stream)).toEqual([channel('Town Square')?.id]);
  });

  it('imports posts in chronological order, threads as topics', () => {
    const times = messages().map(({ date_sent: at }) => Number(at));
    expect(times).toEqual([...times].sort((a, b) => a - b));
    const topics = (text: string | RegExp) => message(text).map(({ subject }) => subject);
    const [thread, second] = ['2023-11-14 a thread about paint', '2023-11-14 a thread about paint (2)'];
    expect(topics('a thread about **paint**')).toEqual([thread, second]);
    expect(
      topics(/^a thread about .*\n\n\*Thread:\* #\*\*Bench 7>2023-11-14 a thread about paint\*\*$/),
    ).toEqual(['imported from Mattermost']);
    expect(topics('first reply')).toEqual([thread]);
    expect(topics('last reply')).toEqual([thread]);
    expect(topics('of the second')).toEqual([second]);
    expect(topics('in the meantime')).toEqual(['imported from Mattermost']);
    expect(message('in the meantime, too')).toHaveLength(1);
    expect(noted('message', `lab/bench-7/${T + 5500}`)).toEqual(['Duplicate message.']);
    expect(table('zerver_usertopic')).toEqual([
      expect.objectContaining({
        ...{ user_profile: person('cy')?.id, topic_name: thread, visibility_policy: 3 },
      }),
    ]);
  });

  it('keeps direct messages in one conversation of the same people', () => {
    const recipients = ['for two', 'an answer for two', 'again for two'].map((text) => {
      const [{ recipient, sender } = {}] = message(text);
      const row = table('zerver_recipient').find(({ id }) => id === recipient);
      return row?.type === 1
        ? [row.type_id, sender].sort()
        : table('zerver_subscription')
            .filter((each) => each.recipient === recipient)
            .map(({ user_profile: id }) => id)
            .sort();
    });
    const two = [person('Ada Owner')?.id, person('cy')?.id].sort();
    expect(recipients).toEqual([two, two, two]);
    expect(message('for myself')).toHaveLength(1);
    expect(message('for three')).toHaveLength(1);
    for (const text of ['for two', 'an answer for two', 'for three'])
      expect(message(text)[0]?.subject).not.toMatch(/import/);
  });

  it('converts text, reactions, stars, emoji and statuses', () => {
    const [first] = message(/^@\*\*Bo/);
    expect(first?.content).toMatch(
      new RegExp(
        `^@\\*\\*Bo\\|${person('Bo')?.id}\\*\\* and @\\*\\*cy\\|${person('cy')?.id}\\*\\*: see #\\*\\*Secret\\*\\*, \\*now\\* :\\+1: :parrot: \`@bo\``,
      ),
    );
    expect(first?.last_edit_time).toBe(T / 1000 + 90);
    const parrot = table('zerver_realmemoji').find(({ name }) => name === 'parrot');
    const [bo, cy] = [person('Bo')?.id, person('cy')?.id];
    const reactions = table('zerver_reaction').filter((row) => row.message === first?.id);
    expect(reactions).toHaveLength(2);
    expect(reactions).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ user_profile: bo, emoji_name: '+1', emoji_code: '1f44d' }),
        expect.objectContaining({ user_profile: cy, emoji_name: 'parrot', emoji_code: String(parrot?.id) }),
      ]),
    );
    const id = `lab/bench-7/${T + 1000}`;
    expect(noted('reaction', id).sort()).toEqual([
      'The user is not in the export.',
      'Unknown emoji ("unheard_of").',
    ]);
    expect(noted('pin', id)).toEqual(['Pinned messages are not supported.']);
    const starred = (after.messages.zerver_usermessage ?? []).filter(
      ({ flags_mask: mask }) => (Number(mask) & 2) !== 0,
    );
    expect(starred.map((row) => [row.user_profile, row.message])).toEqual([[bo, first?.id]]);
    expect(table('zerver_userstatus')).toEqual([
      expect.objectContaining({ user_profile: bo, status_text: 'Flying', emoji_name: 'parrot' }),
    ]);
    expect(noted('status', 'cy')).toEqual([expect.stringMatching(/status expires/)]);
    expect(noted('emoji', 'lost')).toEqual([expect.stringMatching(/image file missing/)]);
    expect(message('/me waves')[0]?.sender).toBe(bo);
    expect(message('built')[0]?.sender).toBe(person('Build Bot')?.id);
    expect(message(/Release/)[0]).toMatchObject({
      ...{ sender: person('Deployer')?.id },
      content: `**[Release](https://x.example/r)**\n\nby @**Bo|${bo}**`,
    });
    const hostile = message(/script/)[0];
    expect(hostile?.rendered_content).not.toMatch(/<script|javascript:|class="user-mention/);
    const parts = message(/words/).map(({ content }) => String(content));
    expect([parts.length, parts.join(' ')]).toEqual([2, `endless ${'words '.repeat(2600)}end`]);
  });

  it('imports files, and names those that are missing', () => {
    const rows = (after.json('attachment.json') as { zerver_attachment: ArchiveRow[] }).zerver_attachment;
    expect(rows).toEqual([
      expect.objectContaining({ file_name: 'plan.pdf', size: 8, owner: person('Ada Owner')?.id }),
    ]);
    expect(after.files.get(`uploads/${String(rows[0]?.path_id)}`)?.toString()).toBe('the plan');
    expect(message(/^@\*\*Bo/)[0]?.content).toMatch(
      /\n\n\[plan\.pdf\]\(\/user_uploads\/[^)]*\)\n\n\*file\.txt: this file was not imported\.\*\n\n\*server\.secret: /,
    );
    for (const path of ['missing/file.txt', '../../server.secret'])
      expect(noted('file', path)).toEqual(['File missing.']);
  });

  it('lists what else is not imported', () => {
    const at = (ms: number) => noted('message', `lab/bench-7/${T + ms}`);
    expect(at(8000)).toEqual(['System messages are not imported ("system_add_to_channel").']);
    expect(at(6500)).toEqual(['System messages are not imported ("system_join_channel").']);
    expect(at(8600)).toEqual([expect.stringMatching(/Unknown message type \("custom_jira"\)/)]);
    expect(at(9300)).toEqual(['The message has no text and no files.']);
    expect(noted('message', 'lab/bench-7/')).toEqual(['Missing or invalid timestamp.']);
    expect(noted('message', 'lab/unknown')).toEqual(['The export does not list the channel.']);
    expect(noted('line', 'role')).toEqual(['Lines of this type are not imported.']);
  });

  /** Starts a server, and makes requests as one of its users. */
  async function asUser(
    name: string,
    email: string,
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers as they are
    use: (get: (path: string) => Promise<any>, server: ServerProcess) => Promise<void>,
  ): Promise<void> {
    const env = environments.get(name) ?? {};
    const command = new CommandLine(env);
    const password = 'a long enough password for all';
    await command.json(['user', 'password', email, '--password-stdin'], password);
    const server = new ServerProcess([command.program, 'serve'], { env: { ...env, PORT: '0' } });
    try {
      const site = await server.ready();
      const body = new URLSearchParams({ username: email, password });
      const answer = await fetch(new URL('/api/v1/fetch_api_key', site), { method: 'POST', body });
      const { api_key: key } = (await answer.json()) as { api_key: string };
      const headers = { authorization: `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}` };
      await use(async (path) => (await fetch(new URL(`/api/v1${path}`, site), { headers })).json(), server);
    } finally {
      server.signal('SIGTERM');
      await server.exitCode();
    }
  }

  it('lets users sign in, and find what they said', () =>
    asUser('data', 'bo@example.com', async (get, server) => {
      const narrow = encodeURIComponent(JSON.stringify([{ operator: 'search', operand: 'psst' }]));
      const found = async () =>
        (await get(`/messages?anchor=newest&num_before=9&num_after=0&narrow=${narrow}`)).messages;
      let hits = await found();
      // The index is made in the background.
      while (hits.length === 0 && server.isRunning) hits = await found();
      expect(hits).toEqual([
        expect.objectContaining({
          ...{ sender_full_name: 'Bo', display_recipient: 'Secret', subject: 'imported from Mattermost' },
        }),
      ]);
      expect(hits[0].flags).toContain('read');
    }));

  it('changes nothing the second time, and resumes after every end', async () => {
    expect(await parley.json(['import', 'mattermost', archive])).toMatchObject({ wasThere: true });
    const server = await freshServer('killed');
    for (const ms of [700, 1000, 1300]) await server.killed(['import', 'mattermost', archive], ms);
    await server.json(['import', 'mattermost', archive]);
    const again = await exportOf(server, 'killed');
    const texts = (of: ReadArchive) =>
      messages(of).map(({ content, subject, date_sent: at }) => [content, subject, at]);
    expect(texts(again)).toEqual(texts(after));
    expect(await broken(server)).toEqual([]);
  });

  it('keeps the teams of a server apart', async () => {
    const server = await freshServer('teams');
    const both = (username: string, teams: string[], roles = '') =>
      user(username, {
        ...{ roles: `system_user ${roles}` },
        teams: teams.map((name) => ({ name, roles: 'team_user team_admin', channels: [in_('town-square')] })),
      });
    const lines = [
      { type: 'version', version: 1 },
      line('team', { name: 'lab', display_name: 'Lab', type: 'O', allow_open_invite: true }),
      line('team', { name: 'board', display_name: 'Board', type: 'O', allow_open_invite: false }),
      line('channel', { team: 'lab', name: 'town-square', display_name: 'Town Square', type: 'O' }),
      line('channel', { team: 'board', name: 'town-square', display_name: 'Town Square', type: 'O' }),
      both('ada', ['lab', 'board'], 'system_admin'),
      both('bo', ['lab']),
      post('ada', 1000, 'for all in ~town-square', { channel: 'town-square' }),
      post('ada', 2000, 'for few in ~town-square', { team: 'board', channel: 'town-square' }),
    ];
    writeFileSync(join(folder, 'teams.zip'), zipOf(exported(lines)));
    told = await server.json(['import', 'mattermost', join(folder, 'teams.zip')]);
    after = await exportOf(server, 'teams');
    expect(await broken(server)).toEqual([]);
    expect(channel('Town Square')).toMatchObject({ invite_only: false });
    expect(channel('Town Square (Board)')).toMatchObject({
      ...{ invite_only: true, history_public_to_subscribers: true },
    });
    await asUser('teams', 'ada@example.com', async (get) => {
      const folders = new Map<number, string>(
        (await get('/channel_folders')).channel_folders.map(
          ({ id, name }: { id: number; name: string }) => [id, name] as const,
        ),
      );
      const { streams } = await get('/streams');
      const placed = streams.map(({ name, folder_id: id }: { name: string; folder_id: number }) => [
        name,
        folders.get(id),
      ]);
      expect(placed).toEqual(
        expect.arrayContaining([
          ['Town Square', 'Lab'],
          ['Town Square (Board)', 'Board'],
        ]),
      );
    });
    expect(noted('channel', 'board/town-square')).toContain(
      'Public channel of a closed team; imported as private.',
    );
    expect(message(/^for/).map(({ content }) => content)).toEqual([
      'for all in #**Town Square**',
      'for few in #**Town Square (Board)**',
    ]);
    // An administrator of a team does not become one of the organization.
    expect(person('bo')).toMatchObject({ role: 400 });
  });

  it('refuses damaged and hostile exports, and leaves nothing of them', async () => {
    const server = await freshServer('hostile');
    const cases: [ZipContent[], RegExp][] = [
      [files, /import\.jsonl: The export lacks this file/],
      [[...exported(), ['other.jsonl', '{}']], /other\.jsonl: The export has several files of lines/],
      [exported([]), /import\.jsonl: The file is empty/],
      [exported([{ type: 'version', version: 2 }]), /import\.jsonl: The first line is not version 1/],
      [[['import.jsonl', '{"type":"version","version":1}\n{"type"']], /import\.jsonl: The file breaks off/],
      [
        [['import.jsonl', `{"type":"version","version":1}\n{"type":"${'x'.repeat(20 * 1024 ** 2)}"}`]],
        /import\.jsonl: .*too long/,
      ],
      [[...exported(), ['data/../../outside', 'x']], /outside: The path leads outside/],
      [
        [...exported(), ['data/link', '/etc/passwd', { mode: 0o120777 }]],
        /data\/link: This is a symbolic link/,
      ],
    ];
    for (const [entries, reason] of cases) {
      writeFileSync(join(folder, 'hostile.zip'), zipOf(entries));
      const { exitCode, errors } = await server.run(['import', 'mattermost', join(folder, 'hostile.zip')]);
      expect([exitCode, errors]).toEqual([1, expect.stringMatching(reason)]);
      expect(readdirSync(join(folder, 'hostile'))).not.toContain('import-unpacked');
    }
  });
});
