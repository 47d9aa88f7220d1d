import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

const USERS = [
  user('U1', 'Ada Owner', { is_owner: true, tz: 'Europe/Berlin', profile: { email: 'ADA@example.com' } }),
  user('U2', 'Bo Admin', {
    is_admin: true,
    profile: { email: 'bo@example.com', status_text: 'R&amp;D', status_emoji: ':parrot:', title: 'Engineer' },
  }),
  user('U3', 'Cy Member', {
    tz: 'nonsense',
    profile: { status_text: 'Out', status_expiration: 1_700_000_000 },
  }),
  user('U4', 'Di Guest', { is_restricted: true, is_admin: true, profile: { email: 'di@example.com' } }),
  user('U5', 'Ed Gone', { deleted: true, profile: { email: 'ed@example.com' } }),
  user('U6', 'Build Bot', { is_bot: true, profile: { bot_id: 'B6' } }),
  user('U7', 'Bo Again', { profile: { email: 'Bo@Example.com' } }),
  user('U8', 'Same Name', { profile: { email: 'one@example.com' } }),
  user('U9', 'Same Name', { profile: { email: 'two@example.com' } }),
  user('U10', '<b>*Evil*</b>', { profile: { email: 'not an address' } }),
  user('USLACKBOT', 'Slackbot', { profile: {} }),
];

function user(id: string, name: string, more: object): object {
  return { id, name: id.toLowerCase(), real_name: name, deleted: false, ...more };
}

const EVERYBODY = ['U1', 'U2', 'U3', 'U7', 'U8', 'U9', 'U10'];

const CHANNELS = [
  {
    ...{
      id: 'C1',
      name: 'general',
      created: 1_500_000_000,
      creator: 'U1',
      is_general: true,
      members: EVERYBODY,
    },
    topic: { value: 'All of <@U2>' },
    purpose: { value: 'For &amp; about all' },
    pins: [{ id: '1700000000.000100', type: 'C' }],
  },
  { id: 'C2', name: 'all-hands', created: 1_500_000_000, creator: 'U2', members: EVERYBODY },
  { id: 'C3', name: `long-${'x'.repeat(70)}`, created: 1_500_000_000, members: ['U1'], is_archived: true },
  { id: 'C4', name: `long-${'x'.repeat(71)}`, created: 1_500_000_000, members: [] },
];
const GROUPS = [{ id: 'G1', name: 'secret', created: 1_600_000_000, creator: 'U2', members: ['U1', 'U2'] }];
const MPIMS = [{ id: 'G2', name: 'mpdm-u1--u2--u3-1', members: ['U1', 'U2', 'U3'] }];
const DMS = [
  { id: 'D1', members: ['U1', 'U3'] },
  { id: 'D2', members: ['U2'] },
];

const rich = (...elements: object[]) => [
  { type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] },
];
const file = (id: string, more: object = {}) => ({
  ...{
    id,
    name: `${id}.pdf`,
    title: `Plan ${id}`,
    mimetype: 'application/pdf',
    mode: 'hosted',
    created: 1_700_000_001,
  },
  url_private: `https://files.slack.com/files-pri/T1-${id}/plan.pdf?t=xoxe-secret`,
  ...more,
});

/** Messages by day and folder; `ts` is what tells them apart. */
const MESSAGES: Record<string, Record<string, object[]>> = {
  general: {
    '2023-11-14': [
      said(
        '1700000000.000100',
        'U1',
        'see <#C2|all-hands> &amp; <@U2>, *bold* _it_ ~no~ <https://x.example|page>',
        {
          reactions: [
            { name: 'clap::skin-tone-3', users: ['U2', 'U7'], count: 2 },
            { name: 'clap', users: ['U2'], count: 1 },
            { name: 'parrot', users: ['U3'], count: 5 },
            { name: 'party', users: ['U3'], count: 1 },
            { name: 'unheard_of', users: ['U3'], count: 1 },
            { name: 'tada', users: ['U404'], count: 1 },
          ],
        },
      ),
      said('1700000003.000000', 'U2', 'a thread about *paint*', {
        thread_ts: '1700000003.000000',
        reply_count: 2,
      }),
      said('1700000002.000000', 'U3', 'before it, after it in the file'),
      said('1700000003.500000', 'U3', 'in the meantime'),
      said('1700000004.000000', 'U3', 'first reply', { thread_ts: '1700000003.000000' }),
      said('1700000006.000000', 'U2', 'a thread about *paint*', {
        thread_ts: '1700000006.000000',
        reply_count: 1,
      }),
      said('1700000007.000000', 'U2', 'of the second', { thread_ts: '1700000006.000000' }),
      said('1700000008.000000', 'U1', '<@U3> has joined the channel', { subtype: 'channel_join' }),
      said('1700000009.000000', 'U1', 'waves', { subtype: 'me_message' }),
      said('1700000010.000000', '', 'built', { subtype: 'bot_message', bot_id: 'B6' }),
      said('1700000011.000000', '', 'deployed', {
        subtype: 'bot_message',
        bot_id: 'B7',
        username: 'Deployer',
      }),
      said('1700000012.000000', 'U99', 'from outside', { user_profile: { real_name: 'Out Sider' } }),
      said('1700000013.000000', 'U1', 'changed', { edited: { user: 'U1', ts: '1700000099.000000' } }),
      said('1700000014.000000', 'U1', '', {
        files: [file('F1'), file('F2'), null, file('F3', { mode: 'tombstone' })],
      }),
      said('1700000015.000000', 'U1', 'and', {
        files: [{ id: 'F4', title: 'Doc', is_external: true, url_private: 'https://docs.example/1' }],
      }),
      said('1700000016.000000', 'U1', 'worse than what people saw', {
        blocks: rich(
          { type: 'text', text: 'bold', style: { bold: true } },
          { type: 'text', text: ' 2*3 `x` @**all** ' },
          { type: 'user', user_id: 'U8' },
          { type: 'emoji', name: 'thumbsup', unicode: '1f44d' },
          { type: 'link', url: 'javascript:alert(1)', text: 'click' },
        ),
      }),
      said(
        '1700000017.000000',
        'U1',
        '<script>alert(1)</script>'.replace(/</g, '&lt;').replace(/>/g, '&gt;'),
      ),
      said('bad', 'U1', 'without a time'),
      said('1700000018.000000', 'U1', ''),
      said('1700000019.000000', 'U1', 'kind', { subtype: 'unheard_of_kind' }),
      said('1700000020.000000', 'U1', 'deleted', { subtype: 'tombstone', thread_ts: '1700000020.000000' }),
      said('1700000021.000000', 'U2', 'reply to what is gone', { thread_ts: '1700000020.000000' }),
      said('1700000022.000000', '', 'from nobody'),
      said('1700000022.000000', '', 'from nobody, once more'),
      said('1700000022.500000', 'U1', `endless ${'words '.repeat(3000)}end`),
      said('1700000023.000000', 'U9', 'I am <@U9>, hello <@U8> :thumbsup: :parrot:'),
    ],
    // Two days later, in another file.
    '2023-11-16': [
      said('1700150000.000000', 'U1', 'last reply', {
        thread_ts: '1700000003.000000',
        subtype: 'thread_broadcast',
      }),
    ],
  },
  'all-hands': { '2023-11-14': [said('1700000005.000000', 'U2', 'between')] },
  secret: { '2023-11-14': [said('1700000001.000000', 'U2', 'psst', { files: [file('F1')] })] },
  'mpdm-u1--u2--u3-1': {
    '2023-11-14': [said('1700000030.000000', 'U2', 'for three', { thread_ts: '1700000030.000000' })],
  },
  D1: { '2023-11-14': [said('1700000031.000000', 'U3', 'for two')] },
  D2: { '2023-11-14': [said('1700000032.000000', 'U2', 'for myself')] },
  renamed: { '2023-11-14': [said('1700000033.000000', 'U2', 'lost')] },
};

function said(ts: string, by: string, text: string, more: object = {}): object {
  return { type: 'message', ...(by && { user: by }), text, ts, ...more };
}

function exported(changes: Readonly<Record<string, string | null>> = {}): ZipContent[] {
  const files = new Map<string, string>([
    ['users.json', JSON.stringify(USERS)],
    ['channels.json', JSON.stringify(CHANNELS)],
    ['groups.json', JSON.stringify(GROUPS)],
    ['mpims.json', JSON.stringify(MPIMS)],
    ['dms.json', JSON.stringify(DMS)],
    ['integration_logs.json', '[]'],
    ['general/canvas_in_the_conversation.json', '[]'],
    ['__uploads/F1/plan.pdf', 'the plan'],
  ]);
  for (const [folder, days] of Object.entries(MESSAGES))
    for (const [day, messages] of Object.entries(days))
      files.set(`${folder}/${day}.json`, JSON.stringify(messages));
  for (const [path, text] of Object.entries(changes)) {
    if (text === null) files.delete(path);
    else files.set(path, text);
  }
  return [...files];
}

describe('parley import slack', () => {
  let folder: string;
  let archive: string;
  let parley: CommandLine;
  let told: { ledger: string; summary: { reason: string }[] };
  let after: ReadArchive;
  const databases: TestDatabase[] = [];
  let env: Readonly<Record<string, string>>;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-slack-'));
    archive = join(folder, 'export.zip');
    writeFileSync(archive, zipOf(exported()));
    writeFileSync(
      join(folder, 'members.csv'),
      'username,email,status,userid,"full, name"\r\nu3,cy@example.com,Member,U3,"Cy ""C"" Member"\r\n',
    );
    mkdirSync(join(folder, 'emoji'));
    writeFileSync(join(folder, 'emoji/parrot.png'), await plainPicture(20, 20, 'red').png().toBuffer());
    const aliases = {
      party: 'alias:parrot',
      endless: 'alias:without',
      without: 'alias:endless',
      no_file: 'https://x',
    };
    writeFileSync(join(folder, 'emoji/emoji.json'), JSON.stringify({ ok: true, emoji: aliases }));
    parley = await freshServer('data');
  });

  afterAll(async () => {
    for (const each of databases) await each.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function freshServer(name: string): Promise<CommandLine> {
    const made = await createTestDatabase();
    databases.push(made);
    const own = { DATA_DIR: join(folder, name), OWNER_EMAIL: 'ada@example.com' };
    const environment = { LOG_LEVEL: 'warn', ...made.env, ...own };
    if (name === 'data') env = environment;
    const server = new CommandLine(environment);
    await server.json(['init']);
    return server;
  }

  const options = () => [...['--users', join(folder, 'members.csv')], ...['--emoji', join(folder, 'emoji')]];
  const table = (name: string): readonly ArchiveRow[] => after.realm[name] ?? [];
  const person = (name: string) =>
    table('zerver_userprofile').find(({ full_name: full }) => full === name) ?? placeholder(name);
  const placeholder = (name: string) =>
    table('zerver_userprofile_mirrordummy').find(({ full_name: full }) => full === name);
  const channel = (name: string) => table('zerver_stream').find((row) => row.name === name);
  const messages = () => after.messages.zerver_message ?? [];
  const message = (text: string | RegExp) =>
    messages().filter(({ content }) =>
      typeof text === 'string' ? content === text : text.test(String(content)),
    );
  const ledger = () =>
    readFileSync(told.ledger, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { fate: string; what: string; id: string; reason: string });
  const noted = (what: string, id: string | null) =>
    ledger()
      .filter((line) => line.what === what && line.id === id)
      .map(({ reason }) => reason);

  it('tells in a dry run what would come, and writes nothing', async () => {
    const rehearsed = await parley.json(['import', 'slack', archive, '--dry-run', ...options()]);
    expect(rehearsed).toMatchObject({ isDryRun: true, wasThere: false, channels: 5 });
    expect((await parley.json(['audit', '--action', 'organization.imported'])).entries).toEqual([]);
    expect(readdirSync(join(folder, 'data'))).not.toContain('import-unpacked');
  });

  it('brings everything whole', async () => {
    told = await parley.json(['import', 'slack', archive, ...options()]);
    expect(told).toMatchObject({ isDryRun: false, wasThere: false, channels: 5 });
    const checked = await parley.json(['check']);
    expect(checked.invariants.filter(({ holds }: { holds: boolean }) => !holds)).toEqual([]);
    await parley.json(['export', join(folder, 'after.tar.gz')]);
    after = ReadArchive.of(readFileSync(join(folder, 'after.tar.gz')));
  });

  it('makes people of people, by address and by what they may do', () => {
    expect(person('Ada Owner')).toMatchObject({
      role: 100,
      delivery_email: 'ada@example.com',
      timezone: 'Europe/Berlin',
    });
    expect(person('Bo Admin')).toMatchObject({ role: 200, is_active: true });
    expect(person('Cy Member')).toMatchObject({ role: 400, delivery_email: 'cy@example.com', timezone: '' });
    expect(person('Di Guest')).toMatchObject({ role: 600 });
    expect(person('Ed Gone')).toMatchObject({ is_active: false });
    expect(person('Bo Again')).toBeUndefined();
    expect(noted('person', 'U7')).toEqual([expect.stringMatching(/same email address \("U2"\)/)]);
    expect(person('<bEvil</b')?.delivery_email).toMatch(/^slack-u10@/);
    expect(noted('person', 'U10')).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/No valid email address/),
        expect.stringMatching(/Name adjusted/),
      ]),
    );
  });

  it('makes deactivated webhooks of bots, and placeholders of those whom no list has', () => {
    const owner = person('Ada Owner')?.id;
    for (const name of ['Build Bot', 'Slackbot', 'Deployer'])
      expect(person(name)).toMatchObject({ is_bot: true, bot_type: 2, is_active: false, bot_owner: owner });
    expect(message('built')[0]?.sender).toBe(person('Build Bot')?.id);
    expect(message('deployed')[0]?.sender).toBe(person('Deployer')?.id);
    expect(message('from outside')[0]?.sender).toBe(placeholder('Out Sider')?.id);
    expect(message('from nobody')[0]?.sender).toBe(placeholder('Unknown person')?.id);
    expect(placeholder('Out Sider')).toMatchObject({ is_active: false });
  });

  it('makes channels, private ones and default ones', () => {
    expect(channel('general')).toMatchObject({
      invite_only: false,
      description: 'For & about all · All of @Bo Admin',
      date_created: 1_500_000_000,
      creator: person('Ada Owner')?.id,
      deactivated: false,
    });
    expect(channel('secret')).toMatchObject({ invite_only: true, history_public_to_subscribers: false });
    const cut = `long-${'x'.repeat(55)}`;
    expect(channel(cut)).toMatchObject({ deactivated: true });
    expect(channel(`${cut.slice(0, 48)} (4)`)).toBeDefined();
    const defaults = table('zerver_defaultstream').map(({ stream }) => stream);
    expect(defaults.sort()).toEqual([channel('general')?.id, channel('all-hands')?.id].sort());
    expect(noted('pin', 'C1/1700000000.000100')).toEqual(['Pinned messages are not supported.']);
    const subscribers = table('zerver_subscription').filter(
      ({ recipient }) => recipient === channel('secret')?.recipient,
    );
    expect(subscribers).toHaveLength(2);
  });

  it('makes topics of threads, whole over days, each with its beginning also in the channel', () => {
    const topics = (text: string | RegExp) => message(text).map(({ subject }) => subject);
    const [thread, second] = ['2023-11-14 a thread about paint', '2023-11-14 a thread about paint (2)'];
    expect(topics('a thread about **paint**')).toEqual([thread, second]);
    expect(
      topics(/^a thread about .*\n\n\*Thread:\* #\*\*general>2023-11-14 a thread about paint\*\*$/),
    ).toEqual(['imported from Slack']);
    expect(topics('first reply')).toEqual([thread]);
    expect(topics('of the second')).toEqual([second]);
    expect(topics(/^last reply/)).toEqual([thread, 'imported from Slack']);
    expect(topics('in the meantime')).toEqual(['imported from Slack']);
    expect(topics('reply to what is gone')).toEqual(['2023-11-14 reply to what is gone']);
  });

  it('puts messages of all conversations in the order in which they were sent', () => {
    const times = messages().map(({ date_sent: at }) => Number(at));
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(times.at(-1)).toBe(1_700_150_000);
  });

  it('keeps direct messages among those who had them', () => {
    const members = (text: string): unknown[] => {
      const recipient = message(text)[0]?.recipient;
      const row = table('zerver_recipient').find(({ id }) => id === recipient);
      return row?.type === 1
        ? [row.type_id]
        : table('zerver_subscription')
            .filter((each) => each.recipient === recipient)
            .map(({ user_profile: id }) => id);
    };
    const [ada, bo, cy] = ['Ada Owner', 'Bo Admin', 'Cy Member'].map((name) => person(name)?.id);
    expect(members('for three').sort()).toEqual([ada, bo, cy].sort());
    expect(members('for two')).toContain(ada);
    expect(members('for myself')).toEqual([bo]);
  });

  it('translates marks, mentions, links, rich text and emoji', () => {
    const [ada, bo] = [person('Ada Owner'), person('Bo Admin')];
    expect(message(/^see /)[0]?.content).toBe(
      `see #**all-hands** & @**Bo Admin|${bo?.id}**, **bold** *it* ~~no~~ [page](https://x.example)`,
    );
    expect(message(/^see /)[0]?.rendered_content).toMatch(
      /class="stream"[^>]*>#all-hands<.*class="user-mention"/,
    );
    const [one, two] = table('zerver_userprofile')
      .filter(({ full_name: name }) => name === 'Same Name')
      .map(({ id, delivery_email: email }) => [email, id] as const)
      .sort()
      .map(([, id]) => id);
    expect(message(/^I am/)[0]?.content).toBe(
      `I am @**Same Name|${two}**, hello @**Same Name|${one}** :+1: :parrot:`,
    );
    const text = String(message(/^\*\*bold/)[0]?.content);
    expect(text).toContain(`@**Same Name|${one}**:+1:click`);
    const html = String(message(/^\*\*bold/)[0]?.rendered_content);
    expect(html).toContain('<strong>bold</strong> 2*3 `x` @**all** ');
    expect(html).not.toContain('javascript');
    expect(message('/me waves')[0]?.sender).toBe(ada?.id);
    expect(message(/script/)[0]?.rendered_content).toContain('&lt;script&gt;');
    expect(message('changed')[0]?.last_edit_time).toBe(1_700_000_099);
  });

  it('keeps reactions of everybody who is named, with emoji of its own', () => {
    const first = message(/^see /)[0]?.id;
    const reactions = table('zerver_reaction').filter((row) => row.message === first);
    const parrot = table('zerver_realmemoji').find(({ name }) => name === 'parrot');
    const [bo, cy] = [person('Bo Admin')?.id, person('Cy Member')?.id];
    expect(
      reactions.map((row) => [row.user_profile, row.emoji_name, row.emoji_code, row.reaction_type]),
    ).toEqual(
      expect.arrayContaining([
        [bo, 'clap', '1f44f', 'unicode_emoji'],
        [cy, 'parrot', String(parrot?.id), 'realm_emoji'],
      ]),
    );
    expect(reactions).toHaveLength(2);
    expect(noted('reaction', 'C1/1700000000.000100').sort()).toEqual([
      'The export omits some users who reacted.',
      'The user is not in the export.',
      'Unknown emoji ("unheard_of").',
    ]);
    expect(['endless', 'without', 'no_file'].map((name) => noted('emoji', name)[0])).toEqual([
      'The alias points to a missing emoji.',
      'The alias points to a missing emoji.',
      'Image file missing.',
    ]);
  });

  it('brings files that are there, and names those that are not', () => {
    const [row] = (after.json('attachment.json') as { zerver_attachment: ArchiveRow[] }).zerver_attachment;
    expect(row).toMatchObject({ file_name: 'F1.pdf', size: 8, owner: person('Bo Admin')?.id });
    const withFiles = message(/Plan F1/);
    expect(row?.messages).toEqual(withFiles.map(({ id }) => id));
    expect(after.files.get(`uploads/${String(row?.path_id)}`)?.toString()).toBe('the plan');
    const [, text] = withFiles.map(({ content }) => String(content));
    expect(text).toMatch(
      /^\[Plan F1\]\(\/user_uploads\/[^)]*\)\n\n\*Plan F2: this file was not imported\.\*\n\n\*Plan F3: /,
    );
    expect(message(/^and/)[0]?.content).toBe('and\n\n[Doc](https://docs.example/1)');
    expect(['F2', 'F3'].map((id) => noted('file', id)[0])).toEqual([
      'File missing.',
      'The file was deleted from Slack.',
    ]);
    // The tokens in the addresses of files are nowhere.
    expect(JSON.stringify([ledger(), messages()])).not.toContain('xoxe');
  });

  it('makes several messages of what is longer than one', () => {
    const parts = message(/words/).map(({ content }) => String(content));
    expect(parts).toHaveLength(3);
    expect(parts.join(' ')).toBe(`endless ${'words '.repeat(3000)}end`);
    expect(noted('message', 'C1/1700000022.500000')).toEqual([expect.stringMatching(/split into several/)]);
  });

  it('keeps statuses that do not end', () => {
    const parrot = table('zerver_realmemoji').find(({ name }) => name === 'parrot');
    expect(table('zerver_userstatus')).toEqual([
      expect.objectContaining({
        ...{ user_profile: person('Bo Admin')?.id, status_text: 'R&D' },
        ...{ emoji_name: 'parrot', emoji_code: String(parrot?.id), reaction_type: 'realm_emoji' },
      }),
    ]);
    expect(noted('status', 'U3')).toEqual([expect.stringMatching(/status expires/)]);
    expect(noted('profile', 'U2')).toEqual([expect.stringMatching(/^Titles, phone numbers/)]);
  });

  it('says what else is left out', () => {
    expect(noted('message', 'C1/1700000008.000000')).toEqual([
      'System messages are not imported ("channel_join").',
    ]);
    expect(noted('message', 'C1/bad')).toEqual(['Missing or invalid timestamp.']);
    expect(noted('message', 'C1/1700000018.000000')).toEqual(['The message has no text and no files.']);
    expect(noted('message', 'C1/1700000019.000000')[0]).toMatch(/Unknown message type \("unheard_of_kind"\)/);
    expect(noted('message', 'C1/1700000020.000000')[0]).toMatch(/Earlier versions/);
    expect(noted('message', 'C1/1700000022.000000')).toEqual(['Duplicate message.']);
    expect(message(/once more/)).toEqual([]);
    expect(noted('file', 'integration_logs.json')[0]).toMatch(/no users, conversations/);
    expect(noted('folder', 'renamed')[0]).toMatch(/lists no channel/);
    expect(noted('file', 'general/canvas_in_the_conversation.json')[0]).toMatch(/Canvases/);
  });

  it('lets people sign in, and find what they said', async () => {
    const password = 'a long enough password for Bo';
    await parley.json(['user', 'password', 'bo@example.com', '--password-stdin'], password);
    const server = new ServerProcess([parley.program, 'serve'], { env: { ...env, PORT: '0' } });
    try {
      const site = await server.ready();
      const signIn = new URLSearchParams({ username: 'bo@example.com', password });
      const url = new URL('/api/v1/fetch_api_key', site);
      const { api_key: key } = (await (await fetch(url, { method: 'POST', body: signIn })).json()) as {
        api_key: string;
      };
      const headers = { authorization: `Basic ${Buffer.from(`bo@example.com:${key}`).toString('base64')}` };
      // eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers as they are
      const get = async (path: string): Promise<any> =>
        (await fetch(new URL(`/api/v1${path}`, site), { headers })).json();
      const { members } = await get('/users');
      const stub = (name: string) =>
        members.find((each: { full_name: string }) => each.full_name === name)?.is_imported_stub;
      // Bo has signed in, Cy may yet, and Ed had an account that was deactivated.
      expect(['Bo Admin', 'Cy Member', 'Ed Gone', 'Out Sider'].map(stub)).toEqual([false, true, false, true]);
      const narrow = encodeURIComponent(JSON.stringify([{ operator: 'search', operand: 'psst' }]));
      const found = async () =>
        (await get(`/messages?anchor=newest&num_before=9&num_after=0&narrow=${narrow}`)).messages;
      let hits = await found();
      // The index is made in the background.
      while (hits.length === 0 && server.isRunning) hits = await found();
      expect(hits).toEqual([
        expect.objectContaining({ sender_full_name: 'Bo Admin', subject: 'imported from Slack' }),
      ]);
      expect(hits[0].flags).toContain('read');
      const mentions = encodeURIComponent(JSON.stringify([{ operator: 'is', operand: 'mentioned' }]));
      const answer = await get(`/messages?anchor=newest&num_before=9&num_after=0&narrow=${mentions}`);
      expect(answer.messages.map(({ content }: { content: string }) => content)).toEqual([
        expect.stringContaining('data-user-id'),
      ]);
    } finally {
      server.signal('SIGTERM');
      await server.exitCode();
    }
  });

  it('changes nothing the second time, and lets no other archive in', async () => {
    expect(await parley.json(['import', 'slack', archive, ...options()])).toMatchObject({ wasThere: true });
    const other = join(folder, 'other.zip');
    writeFileSync(
      other,
      zipOf(exported({ 'secret/2023-11-15.json': JSON.stringify([said('1700090000.0', 'U1', 'x')]) })),
    );
    // With other options, other things come of it.
    for (const command of [[other, ...options()], [archive], [archive, ...options(), '--token']]) {
      const { exitCode, errors } = await parley.run(['import', 'slack', ...command]);
      expect([exitCode, errors]).toEqual([
        1,
        expect.stringMatching(/Another archive was imported here already, or this one with other options/),
      ]);
    }
    expect(readdirSync(join(folder, 'data'))).not.toContain('import-downloads');
  });

  it('goes on after every end', async () => {
    const server = await freshServer('killed');
    for (const ms of [700, 1000, 1300]) await server.killed(['import', 'slack', archive, ...options()], ms);
    await server.json(['import', 'slack', archive, ...options()]);
    await server.json(['export', join(folder, 'killed.tar.gz')]);
    const again = ReadArchive.of(readFileSync(join(folder, 'killed.tar.gz')));
    const texts = (of: ReadArchive) =>
      of.messages.zerver_message?.map(({ content, subject, date_sent: at }) => [content, subject, at]);
    expect(texts(again)).toEqual(texts(after));
    expect(
      (await server.json(['check'])).invariants.filter(({ holds }: { holds: boolean }) => !holds),
    ).toEqual([]);
  });

  it('takes files of a folder, and asks no host but those of Slack for others', async () => {
    const server = await freshServer('with-files');
    const local = join(folder, 'local');
    mkdirSync(local);
    writeFileSync(join(local, 'F2-plan.pdf'), 'of the folder');
    const elsewhere = said('1700090000.000000', 'U1', 'files', {
      files: [
        file('F2'),
        file('F8', { url_private: 'https://169.254.169.254/latest' }),
        file('F9', { url_private: 'https://slack.com.example/x' }),
      ],
    });
    const made = join(folder, 'elsewhere.zip');
    writeFileSync(
      made,
      zipOf(
        exported({ 'secret/2023-11-15.json': JSON.stringify([elsewhere]) }).filter(
          ([path]) => !String(path).startsWith('general/'),
        ),
      ),
    );
    told = await server.json(['import', 'slack', made, '--files', local, '--token']);
    for (const id of ['F8', 'F9'])
      expect(noted('file', id)).toContain('Download failed: the host is not one that may be asked.');
    await server.json(['export', join(folder, 'with-files.tar.gz')]);
    const { files } = ReadArchive.of(readFileSync(join(folder, 'with-files.tar.gz')));
    expect([...files.values()].map(String)).toContain('of the folder');
    expect(readdirSync(local)).toEqual(['F2-plan.pdf']);
    expect(readdirSync(join(folder, 'with-files'))).not.toContain('import-downloads');
  });

  it('refuses damaged and hostile exports by the name of the entry, and leaves nothing of them', async () => {
    const server = await freshServer('hostile');
    const cases: [ZipContent[], RegExp][] = [
      [exported({ 'users.json': null }), /users\.json: The export lacks this file/],
      [exported({ 'channels.json': '[{"id": "C1"' }), /channels\.json: The file breaks off/],
      [exported({ 'general/2023-11-14.json': '{"a": 1' }), /general\/2023-11-14\.json: /],
      [[...exported(), ['../outside.json', '{}']], /\.\.\/outside\.json: The path leads outside/],
      [[...exported(), ['link', '/etc/passwd', { mode: 0o120777 }]], /link: This is a symbolic link/],
      [[...exported(), ['users.json', '[]']], /users\.json: The archive has it twice/],
    ];
    for (const [entries, reason] of cases) {
      writeFileSync(join(folder, 'hostile.zip'), zipOf(entries));
      const { exitCode, errors } = await server.run(['import', 'slack', join(folder, 'hostile.zip')]);
      expect([exitCode, errors]).toEqual([1, expect.stringMatching(reason)]);
      expect(readdirSync(join(folder, 'hostile'))).not.toContain('import-unpacked');
    }
  });
});
