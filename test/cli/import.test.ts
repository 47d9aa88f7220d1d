import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathOfImported } from '../../src/features/uploads/upload-path';
import { OperatorCommands } from '../../src/platform/operator/operator-commands';
import { contentOf } from '../support/archive-content';
import { createChannelWith, createGroup } from '../support/channel-setup';
import { CommandLine } from '../support/command-line';
import { expectSuccess } from '../support/expect-answer';
import { ReadArchive, tarOf } from '../support/export-setup';
import { sendDirect, sendTo } from '../support/message-setup';
import { plainPicture } from '../support/picture-setup';
import { TestApp } from '../support/test-app';
import { OffsetClock } from '../support/test-clocks';
import { createTestDatabase, type TestDatabase } from '../support/test-database';
import { upload } from '../support/upload-setup';

// Each command is a process, which takes its time where other tests run beside.
jest.setTimeout(240_000);

/** Makes an organization in which there is something of everything. */
async function fill(app: TestApp, clock: OffsetClock): Promise<void> {
  const { olivia, adam, mia, max, mona, gus } = app.cast;
  const done = async (answer: Promise<Parameters<typeof expectSuccess>[0]>) => expectSuccess(await answer);
  const open = await createChannelWith(app, mia, [max, adam, gus], 'open');
  await createChannelWith(app, mona, [max], 'secret', { invite_only: true });
  const painters = await createGroup(app, 'painters', [mia.id]);
  const artists = await createGroup(app, 'artists', [max.id]);
  await done(app.as(olivia).post(`/user_groups/${artists}/subgroups`, { add: [painters] }));
  await done(
    app.as(olivia).patch('/realm', {
      can_create_groups: { new: { direct_members: [mia.id], direct_subgroups: [artists] } },
    }),
  );
  const picture = await plainPicture(20, 20, 'red').png().toBuffer();
  await done(app.as(mia).upload('/users/me/avatar', { name: 'a.png', content: picture }));
  await done(app.as(adam).upload('/realm/emoji/parrot', { name: 'e.png', content: picture }));
  await done(app.as(adam).upload('/realm/icon', { name: 'i.png', content: picture }));
  await done(
    app.as(adam).post('/realm/filters', { pattern: 'T(?P<id>\\d+)', url_template: 'https://t.example/{id}' }),
  );
  await done(
    app.as(adam).post('/realm/playgrounds', {
      name: 'p',
      pygments_language: 'Python',
      url_template: 'https://p.example/{code}',
    }),
  );
  const { id: field } = expectSuccess(
    await app.as(adam).post('/realm/profile_fields', { name: 'Motto', field_type: 1 }),
  );
  await done(
    app.as(mia).patch('/users/me/profile_data', { data: [{ id: field, value: 'with *emphasis*' }] }),
  );
  await done(app.as(mia).post('/users/me/alert_words', { alert_words: ['brush'] }));
  await done(app.as(max).post(`/users/me/muted_users/${gus.id}`));
  await done(app.as(mia).patch('/settings', { color_scheme: 2, web_home_view: 'recent' }));
  await done(app.as(max).patch('/settings', { email_address_visibility: 4 }));
  await done(app.as(mia).post('/users/me/status', { status_text: 'painting' }));
  await done(app.as(mia).post('/saved_snippets', { title: 'hello', content: 'Hello!' }));
  const file = await upload(app, mia, { name: 'plan ä.txt', content: 'the plan' });
  const first = await sendTo(
    app,
    max,
    open,
    'topic',
    `@**Mia Member** @_**Max Member|${max.id}** see T12, @*artists*, :parrot:`,
  );
  await sendTo(app, adam, open, 'topic', '@**all** bring a brush');
  await sendTo(app, mia, open, 'topic', `@**topic** [plan](${file}) <script>alert(1)</script>`);
  const edited = await sendTo(app, mia, open, 'topic', 'former');
  await done(app.as(mia).patch(`/messages/${edited}`, { content: 'present', topic: 'other' }));
  // Resolving a topic later is no move.
  clock.aheadMs += 2_000;
  await done(app.as(mia).patch(`/messages/${edited}`, { topic: '✔ other', propagate_mode: 'change_all' }));
  await sendTo(app, max, open, '', `#**open>topic@${first}** in general chat`);
  await done(app.as(max).delete('/users/me/subscriptions', { subscriptions: ['open'] }));
  const missed = await sendTo(app, mia, open, 'topic', 'Max misses this');
  await done(app.as(max).post('/users/me/subscriptions', { subscriptions: [{ name: 'open' }] }));
  await done(app.as(max).post('/messages/flags', { messages: [missed], op: 'add', flag: 'starred' }));
  await done(app.as(adam).post('/messages/flags', { messages: [first], op: 'add', flag: 'read' }));
  await done(app.as(mia).post('/user_topics', { stream_id: open, topic: 'topic', visibility_policy: 3 }));
  for (const [emoji_name, more] of [
    ['tada', {}],
    ['parrot', { reaction_type: 'realm_emoji' }],
  ] as const)
    await done(app.as(max).post(`/messages/${first}/reactions`, { emoji_name, ...more }));
  await sendDirect(app, max, [mia], 'for Mia');
  await sendDirect(app, mia, [mia], 'for myself');
  await sendDirect(app, max, [mona, adam], 'for others');
  await done(app.as(olivia).delete(`/users/${gus.id}`));
  await sendTo(app, mia, open, 'topic', 'Gus is gone');
}

type Rows = Record<string, unknown>[];

/** So many lines of the ledger give the same reason. */
const MANY = 100_000;

/** What somebody who means harm makes of an archive. */
function forged(archive: ReadArchive): Record<string, string> {
  const main = structuredClone(archive.json('realm.json')) as Record<string, Rows>;
  const file = structuredClone(archive.json('messages-000001.json')) as Record<string, Rows>;
  const attachments = structuredClone(archive.json('attachment.json')) as Record<string, Rows>;
  const table = (name: string) => main[name] ?? [];
  const [person = {}] = table('zerver_userprofile').filter(
    ({ role, is_bot: isBot }) => role === 400 && !isBot,
  );
  const another = (row: Record<string, unknown>, id: number, changes: object) => ({ ...row, id, ...changes });
  table('zerver_userprofile').push(
    another(person, 901, {
      role: 999,
      is_staff: true,
      can_forge_sender: true,
      full_name: '<script>*evil*</script>',
    }),
    another(person, 902, { is_bot: true, bot_type: 1, bot_owner: 903, delivery_email: 'one@example.com' }),
    another(person, 903, { is_bot: true, bot_type: 1, bot_owner: 902, delivery_email: 'two@example.com' }),
  );
  const [edge = {}] = table('zerver_groupgroupmembership').filter(({ supergroup, subgroup }) =>
    table('zerver_namedusergroup').every(
      ({ id, is_system_group: isSystem }) => !isSystem || (id !== supergroup && id !== subgroup),
    ),
  );
  table('zerver_groupgroupmembership').push({
    id: 901,
    supergroup: edge.subgroup,
    subgroup: edge.supergroup,
  });
  const [reaction = {}] = table('zerver_reaction');
  table('zerver_reaction').push(another(reaction, 901, {}), another(reaction, 902, { message: 900_000 }));
  for (let each = 1; each <= MANY; each++)
    table('zerver_reaction').push(another(reaction, 10_000 + each, { message: 900_000 + each }));
  table('zerver_userprofile').push(
    another(person, 904, { role: 7, source_id: '<script>alert(4)</script>\u202e' }),
  );
  table('zerver_realmfilter').push({
    id: 901,
    pattern: '(?P<a>(x+x+)+y',
    url_template: 'javascript:{a}',
    order: 9,
  });
  const messages = file.zerver_message ?? [];
  const last = messages.at(-1) ?? {};
  const id = Number(last.id);
  messages.push(
    another(last, id + 1, { sender: 999_999 }),
    another(last, id + 2, { recipient: 999_999 }),
    another(last, id + 3, { date_sent: -1 }),
    another(last, id + 4, { content: 'x'.repeat(20_000), rendered_content: '<script>alert(1)</script>' }),
    another(last, id + 5, {
      content: '<b>bold</b>\0',
      rendered_content: '<script>alert(2)</script>',
      edit_history: '{',
    }),
  );
  const [attachment = {}] = attachments.zerver_attachment ?? [];
  attachments.zerver_attachment?.push(another(attachment, 901, { path_id: '../../realm.json' }));
  return {
    'realm.json': JSON.stringify(main),
    'messages-000001.json': JSON.stringify(file),
    'attachment.json': JSON.stringify(attachments),
  };
}

describe('parley import zulip', () => {
  let folder: string;
  let archive: string;
  let before: ReadArchive;
  let parley: CommandLine;
  const databases: TestDatabase[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-import-'));
    archive = join(folder, 'before.tar.gz');
    const clock = new OffsetClock();
    const app = await TestApp.start({ clock });
    await fill(app, clock);
    const context = { site: '', signal: new AbortController().signal, report: () => undefined };
    await app.get(OperatorCommands).run('export', { target: archive, content: 'everything' }, context);
    await app.stop();
    before = ReadArchive.of(readFileSync(archive));
    parley = await freshServer('data');
  });

  afterAll(async () => {
    for (const each of databases) await each.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function freshServer(name: string): Promise<CommandLine> {
    const made = await createTestDatabase();
    databases.push(made);
    const owner = before.realm.zerver_userprofile?.find(({ role }) => role === 100);
    const env = {
      LOG_LEVEL: 'warn',
      ...made.env,
      DATA_DIR: join(folder, name),
      // That of the server that was exported: links to one's own server are rendered in another way.
      EXTERNAL_URL: 'http://chat.example.com',
      OWNER_EMAIL: owner?.delivery_email,
    };
    const server = new CommandLine(env);
    await server.json(['init']);
    return server;
  }

  async function refusal(files: ReadonlyMap<string, Buffer>): Promise<string> {
    writeFileSync(join(folder, 'hostile.tar.gz'), tarOf(files));
    const { exitCode, errors } = await parley.run(['import', 'zulip', join(folder, 'hostile.tar.gz')]);
    expect([exitCode, readdirSync(join(folder, 'data')).includes('import-unpacked')]).toEqual([1, false]);
    return errors;
  }

  const files = (changes: Readonly<Record<string, string | null>>) => {
    const all = new Map(before.files);
    for (const [path, text] of Object.entries(changes)) {
      if (text === null) all.delete(path);
      else all.set(path, Buffer.from(text));
    }
    return all;
  };

  it('refuses damaged and hostile archives by the name of the entry, and leaves nothing of them', async () => {
    const name = 'messages-000001.json';
    const messages = String(before.files.get(name));
    const cases: [Record<string, string | null>, RegExp][] = [
      [{ 'realm.json': null }, /realm\.json: The archive lacks this file/],
      [
        { 'realm.json': '{"zerver_realm": [{"id": 1, "id": 2}]}' },
        /realm\.json: A row of zerver_realm has a key twice/,
      ],
      [{ [name]: messages.slice(0, -9) }, /messages-000001\.json: The file breaks off/],
      [
        { [name]: messages.replace(/"id": ?\d+/, `"id": 999999`) },
        /messages-000001\.json: Message \d+ is not in its order/,
      ],
      [{ [`${name}.partial`]: '' }, /messages-000001\.json\.partial: The export was not finished/],
      [{ '../outside.json': '{}' }, /made\/\.\.\/outside\.json: The path leads outside/],
    ];
    for (const [changes, message] of cases) expect(await refusal(files(changes))).toMatch(message);
    const { errors } = await parley.run(['import', 'zulip', join(folder, 'nothing')]);
    expect(errors).toMatch(/nothing does not exist/);
  });

  it('tells in a dry run what would come, and writes nothing', async () => {
    const told = await parley.json(['import', 'zulip', archive, '--dry-run']);
    const messages = before.messages.zerver_message?.length;
    expect(told).toMatchObject({ isDryRun: true, wasThere: false, messages });
    const { entries } = await parley.json(['audit', '--action', 'organization.imported']);
    expect(entries).toEqual([]);
  });

  it('brings everything, so that an export says the same again', async () => {
    const told = await parley.json(['import', 'zulip', archive]);
    expect(told).toMatchObject({ isDryRun: false, wasThere: false });
    const ledger = readFileSync(told.ledger, 'utf8').trim().split('\n').filter(Boolean);
    expect(ledger.map((line) => JSON.parse(line).reason)).toEqual([]);
    const checked = await parley.json(['check']);
    expect(checked.invariants.filter(({ holds }: { holds: boolean }) => !holds)).toEqual([]);
    expect(before.messages.zerver_message?.filter(({ type }) => type === 2)).toEqual([
      expect.objectContaining({ content: expect.stringContaining('has marked this topic as resolved.') }),
    ]);
    const exported = join(folder, 'after.tar.gz');
    await parley.json(['export', exported]);
    const after = contentOf(ReadArchive.of(readFileSync(exported)));
    expect(after).toEqual(contentOf(before));
  });

  it('takes no power and no confusion over from a forged archive, and says so', async () => {
    const server = await freshServer('forged');
    writeFileSync(join(folder, 'forged.tar.gz'), tarOf(files(forged(before))));
    const told = await server.json(['import', 'zulip', join(folder, 'forged.tar.gz')]);
    const reasons = (told.summary as { reason: string }[]).map(({ reason }) => reason);
    expect(reasons).toEqual(
      expect.arrayContaining(
        [
          'Its role does not exist; it is a guest.',
          '… does not exist here.',
          'Another account has its address.',
          'Its owner has no account.',
          'The group would hold itself.',
          'It refers to a person that is not there ….',
          'It goes to a recipient that is not there ….',
          '… is no time.',
          'There is another row for the same.',
          'Its message or its emoji is not there.',
          'Its file is missing.',
          'Its pattern and its address do not fit this server.',
          'Its text is too long, and was cut.',
        ].map((reason) => expect.stringMatching(new RegExp(`^${reason.replace(/[.…]/g, '.')}$`))),
      ),
    );
    const page = readFileSync(join(folder, 'forged/import-ledger.html'), 'utf8');
    expect(page).toContain(`<td class="count">${MANY + 1}</td>`);
    expect(page).toContain(`and ${MANY + 1 - 100} more in import-ledger.jsonl`);
    expect(page).toContain('&lt;script&gt;alert(4)&lt;/script&gt;');
    expect([/<(?:script|img)/.test(page), page.length < 200_000]).toEqual([false, true]);
    expect(
      (await server.json(['check'])).invariants.filter(({ holds }: { holds: boolean }) => !holds),
    ).toEqual([]);
    const exported = join(folder, 'forged-after.tar.gz');
    await server.json(['export', exported]);
    const after = ReadArchive.of(readFileSync(exported));
    const html = after.messages.zerver_message?.map((row) => String(row.rendered_content)) ?? [];
    expect(html.filter((text) => text.includes('<script'))).toEqual([]);
    expect(html).toContain('<p>&lt;b&gt;bold&lt;/b&gt;</p>');
    const evil = after.realm.zerver_userprofile?.find(({ full_name: name }) => String(name).includes('evil'));
    expect(evil).toMatchObject({ role: 600, is_staff: false, can_forge_sender: false });
  });

  it('leads links to the old server here, and leaves those to others', async () => {
    const table = structuredClone(before.json('messages-000001.json')) as Record<string, Rows>;
    const rows = table.zerver_message ?? [];
    const { id: channel } = before.realm.zerver_stream?.find(({ name }) => name === 'open') ?? {};
    const path = '2/AZaz09_-AZaz09_-AZaz09_-/plan-ä.txt';
    const attachments = before.json('attachment.json') as Record<string, Rows>;
    const stored = String(attachments.zerver_attachment?.[0]?.path_id);
    const [ids, from] = [rows.map(({ id }) => Number(id)), 'https://old.example.com:8443'];
    const said = (site: string) =>
      `@_**Max Member|1** [said](${site}/#narrow/channel/${channel as number}-open/topic/x/near/${ids[0]}):`;
    const texts = [
      said(from),
      `${from}/#narrow/channel/${channel as number}-open/topic/x/near/${ids[0]}.`,
      said('https://chat.example.org').replace('-open', '-general'),
      `[plan](${from}/user_uploads/${path}) and [none](${from}/user_uploads/9/a/b/c.txt)`,
    ];
    rows.slice(-texts.length).forEach((row, at) => Object.assign(row, { content: texts[at] }));
    // Numbers of messages that are not those here.
    const moved = JSON.stringify(table).replace(
      /("id":|"message":|near\/)(\d+)/g,
      (_, key: string, id: string) => key + String(Number(id) + (ids.includes(Number(id)) ? 5_000 : 0)),
    );
    const server = await freshServer('links');
    const inS3 = JSON.stringify(attachments).replaceAll(stored, path);
    const changed = files({ 'messages-000001.json': moved, 'attachment.json': inS3 });
    changed.set(`uploads/${path}`, before.files.get(`uploads/${stored}`) as Buffer);
    writeFileSync(join(folder, 'links.tar.gz'), tarOf(changed));
    const told = await server.json(['import', 'zulip', join(folder, 'links.tar.gz')]);
    expect(JSON.stringify(told.summary)).toContain(`Links to ${from} lead here.`);
    await server.json(['export', join(folder, 'links-after.tar.gz')]);
    const after = ReadArchive.of(readFileSync(join(folder, 'links-after.tar.gz')));
    const content =
      after.messages.zerver_message?.slice(-texts.length).map((row) => String(row.content)) ?? [];
    const there = after.realm.zerver_stream?.find(({ name }) => name === 'open')?.id as number;
    const near = `/#narrow/channel/${there}-open/topic/x/near/${Number(after.messages.zerver_message?.[0]?.id)}`;
    expect(content).toEqual([
      expect.stringContaining(`[said](${near}):`),
      `http://chat.example.com${near}.`,
      expect.stringContaining(
        `(https://chat.example.org/#narrow/channel/${channel as number}-general/topic/x/near/${ids[0]! + 5_000}):`,
      ),
      `[plan](/user_uploads/${pathOfImported(path)}) and [none](${from}/user_uploads/9/a/b/c.txt)`,
    ]);
  });

  it('goes on after every end, and no server starts before it is over', async () => {
    const server = await freshServer('killed');
    const uploads = join(folder, 'killed/files/uploads');
    rmSync(uploads, { recursive: true, force: true });
    mkdirSync(join(folder, 'killed/files'), { recursive: true });
    writeFileSync(uploads, 'in the way of files');
    expect((await server.run(['import', 'zulip', archive])).exitCode).toBe(1);
    const refused = await server.run(['serve']);
    expect([refused.exitCode, refused.errors]).toEqual([
      1,
      expect.stringMatching(/An import did not finish/),
    ]);
    rmSync(uploads);
    for (const ms of [500, 800, 1100]) await server.killed(['import', 'zulip', archive], ms);
    await server.json(['import', 'zulip', archive]);
    const exported = join(folder, 'killed.tar.gz');
    await server.json(['export', exported]);
    expect(contentOf(ReadArchive.of(readFileSync(exported)))).toEqual(contentOf(before));
    expect(
      (await server.json(['check'])).invariants.filter(({ holds }: { holds: boolean }) => !holds),
    ).toEqual([]);
  });

  it('changes nothing the second time, and lets nothing else in', async () => {
    expect(await parley.json(['import', 'zulip', archive])).toMatchObject({ wasThere: true });
    const other = files({ 'attachment.json': '{"zerver_attachment": []}' });
    expect(await refusal(other)).toMatch(/Another archive was imported here already/);
  });
});
