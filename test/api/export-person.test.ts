import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../../src/platform/database/database.service';
import { createChannelWith } from '../support/channel-setup';
import { expectSuccess } from '../support/expect-answer';
import { exportPerson, personArchive, ReadArchive } from '../support/export-setup';
import { sendDirect, sendTo } from '../support/message-setup';
import { plainPicture } from '../support/picture-setup';
import { TestApp } from '../support/test-app';
import { upload } from '../support/upload-setup';

describe("One person's data", () => {
  let app: TestApp;
  let folder: string;

  beforeAll(async () => {
    app = await TestApp.start();
    folder = mkdtempSync(join(tmpdir(), 'parley-person-'));
  });

  afterAll(async () => {
    await app.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const exportOf = (user: string, name = 'one') => exportPerson(app, user, join(folder, `${name}.tar.gz`));

  const rows = <Row extends object>(sql: string) => app.get(Database).read.query<Row>(sql);

  const archive = (name = 'one') => ReadArchive.of(readFileSync(join(folder, `${name}.tar.gz`)));

  it('comes as JSON and as pages, without secrets, and without what others wrote in channels', async () => {
    const { mia, max, mona, adam } = app.cast;
    const done = async (answer: Promise<Parameters<typeof expectSuccess>[0]>) => expectSuccess(await answer);
    const open = await createChannelWith(app, mia, [max], 'open');
    const hidden = await createChannelWith(app, max, [adam], 'hidden', { invite_only: true });
    const picture = await plainPicture(20, 20, 'red').png().toBuffer();
    await done(app.as(mia).upload('/users/me/avatar', { name: 'a.png', content: picture }));
    const mine = await upload(app, mia, { name: 'plan ä.txt', content: 'the plan' });
    const unlinked = await upload(app, mia, { name: 'unlinked.txt', content: 'nobody links it' });
    const theirs = await upload(app, max, { name: 'theirs.txt', content: 'theirs' });
    const first = await sendTo(
      app,
      mia,
      open,
      'plans',
      `[plan](${mine}) [x](${theirs}) <script>alert(1)</script>`,
    );
    const other = await sendTo(app, max, open, 'plans', 'words of another');
    await sendTo(app, max, hidden, 'secret', 'hidden words');
    const got = await sendDirect(app, max, [mia], 'for Mia');
    await sendDirect(app, mia, [max, mona], 'for two');
    await sendDirect(app, mia, [mia], 'note to self');
    await sendDirect(app, max, [mona], 'not for Mia');
    await done(app.as(mia).post(`/messages/${other}/reactions`, { emoji_name: 'tada' }));
    await done(app.as(mia).post('/messages/flags', { messages: [got], op: 'add', flag: 'starred' }));
    await done(app.as(mia).post('/messages/flags', { messages: [first], op: 'add', flag: 'read' }));
    await done(
      app.as(mia).post('/drafts', {
        drafts: [{ type: 'stream', to: [open], topic: 'plans', content: 'unsent', timestamp: 1 }],
      }),
    );
    await done(app.as(mia).post('/users/me/alert_words', { alert_words: ['brush'] }));
    await done(app.as(max).post('/users/me/alert_words', { alert_words: ['word of Max'] }));
    await done(app.as(mia).post('/bots', { full_name: 'My bot', short_name: 'mine', bot_type: 1 }));
    await app.companionAs(mia);
    expect(await exportOf(mia.email)).toMatchObject({ name: mia.fullName, bytes: expect.any(Number) });

    const found = archive();
    const messages = found.messages.zerver_message ?? [];
    expect(messages.map(({ content }) => content)).toEqual([
      expect.stringContaining('[plan]'),
      'for Mia',
      'for two',
      'note to self',
    ]);
    expect(messages.map((each) => [each.recipient_name, each.flags])).toEqual([
      ['open', ['read']],
      [expect.stringContaining(max.fullName), ['starred']],
      [expect.stringContaining(mona.fullName), []],
      [mia.fullName, []],
    ]);
    const { user } = found;
    expect(user).toMatchObject({
      zerver_userprofile: [{ id: mia.id, delivery_email: mia.email }],
      zerver_reaction: [{ message: other, emoji_name: 'tada' }],
      zerver_alertword: [{ word: 'brush' }],
      parley_draft: [{ content: 'unsent' }],
      parley_bot: [{ full_name: 'Robo Bot' }, { full_name: 'My bot', is_active: true }],
      parley_login_session: [{ kind: 'token' }],
      parley_message_flag: [{ message: got, flags: ['starred'] }],
    });
    expect(new Set(user.zerver_subscription?.map(({ user_profile: id }) => id))).toEqual(new Set([mia.id]));
    const recipients = new Set(user.zerver_recipient?.map(({ id }) => id));
    expect(messages.every(({ recipient }) => recipients.has(recipient))).toBe(true);
    const names = user.zerver_stream?.map(({ name }) => name);
    expect([names?.includes('open'), names?.includes('hidden')]).toEqual([true, false]);
    const path = decodeURIComponent(mine.slice('/user_uploads/'.length));
    const other_ = decodeURIComponent(unlinked.slice('/user_uploads/'.length));
    expect([
      String(found.files.get(`uploads/${path}`)),
      String(found.files.get(`uploads/${other_}`)),
    ]).toEqual(['the plan', 'nobody links it']);
    expect(found.json('avatars/records.json')).toHaveLength(2);

    const all = found.text;
    for (const secret of ['words of another', 'hidden words', 'not for Mia', 'word of Max', max.email])
      expect([secret, all.includes(secret)]).toEqual([secret, false]);
    const stored = await rows<{ key_nonce: string; token_id: string }>(
      `SELECT a.key_nonce, s.token_id FROM account a JOIN login_session s ON s.user_id = a.id WHERE a.id = ${mia.id}`,
    );
    expect(stored).toHaveLength(1);
    for (const secret of [stored[0]?.key_nonce, stored[0]?.token_id]) expect(all).not.toContain(secret);

    const index = String(found.files.get('index.html'));
    expect(index).toContain(`<a href="pages/channel-${open}.html">#open</a> (1)`);
    const page = String(found.files.get(`pages/channel-${open}.html`));
    expect(page).toContain('<h2>plans</h2>');
    expect(page).toContain(`href="../uploads/${mine.slice('/user_uploads/'.length)}"`);
    expect(page).toContain(`href="http://chat.example.com${theirs}"`);
    expect(page).toContain('&lt;script&gt;');
    expect(page).not.toMatch(/<script/);

    expect(index).toContain('<html lang="en" dir="ltr">');
    expectSuccess(await app.as(mia).patch('/settings', { default_language: 'de' }));
    const german = await personArchive(app, mia);
    expect(String(german.files.get('index.html'))).toContain('<h2>Was fehlt</h2>');
    expect(String(german.files.get(`pages/channel-${open}.html`))).toContain('<html lang="de" dir="ltr">');
  });

  it('continues long conversations on further pages', async () => {
    const { gus } = app.cast;
    await sendDirect(app, gus, [gus], 'number 0');
    const [row] = await rows<{ id: number; conversation_id: number }>(
      `SELECT id, conversation_id FROM message WHERE sender_id = ${gus.id} AND content = 'number 0'`,
    );
    const columns = `sender_id, conversation_id, content, rendered_content, client_name, sent_at, facts`;
    await app.writeRows((tx) =>
      tx.query(
        `INSERT INTO message (id, ${columns}) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1100)
       SELECT ${row?.id} + i, sender_id, conversation_id, 'number ' || i, '<p>number ' || i || '</p>', client_name, sent_at, facts
       FROM message, n WHERE id = ${row?.id}`,
      ),
    );
    await exportOf(gus.email, 'long');
    const files = archive('long').files;
    const pages = ['', '-2', '-3'].map((end) => files.get(`pages/direct-${row?.conversation_id}${end}.html`));
    const counts = pages.map((page) => page && String(page).match(/<p>number \d+<\/p>/g)?.length);
    expect(counts).toEqual([1000, 101, undefined]);
    expect(String(pages[0])).toContain(`direct-${row?.conversation_id}-2.html`);
    expect(archive('long').messages.zerver_message).toHaveLength(1101);
  });

  it('is recorded, and is of accounts that exist', async () => {
    const { adam } = app.cast;
    await expect(exportOf('nobody@example.com', 'none')).rejects.toThrow(
      /No account has the address nobody@example.com/,
    );
    expect(readdirSync(folder).filter((name) => name.startsWith('none'))).toEqual([]);
    await exportOf(adam.email.toUpperCase(), 'adam');
    const [entry] = await rows<{ way: string; target_user_id: number }>(
      `SELECT way, target_user_id FROM audit_entry WHERE action = 'user.data_exported' ORDER BY id DESC LIMIT 1`,
    );
    expect(entry).toEqual({ way: 'command', target_user_id: adam.id });
  });
});
