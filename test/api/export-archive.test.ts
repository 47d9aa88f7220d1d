import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createChannel, createChannelWith, createGroup } from '../support/channel-setup';
import { expectSuccess } from '../support/expect-answer';
import { type ArchiveRow, makeArchive, type ReadArchive } from '../support/export-setup';
import { plainPicture } from '../support/picture-setup';
import { fetchMessages, sendDirect, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';
import { load, upload } from '../support/upload-setup';

const CONTENT = 'with *Markdown*';

/** The columns of each table, as Zulip 10.2 exports them. */
const COLUMNS = new Map(
  readFileSync(join(__dirname, '../spec/archive-columns.tsv'), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t') as [string, string])
    .map(([table, columns]) => [table, columns === '' ? [] : columns.split(' ')]),
);

/** Bits of the archive for flags of the interface. */
const FLAGS: Readonly<Record<string, number>> = { read: 1, starred: 2, mentioned: 8, has_alert_word: 512 };

let app: TestApp;
let newest: number;
let pub: ReadArchive;
let full: ReadArchive;
let file: string;
let channels: Record<'open' | 'closed' | 'secret' | 'protected', number>;
let sent: Record<
  | 'first'
  | 'edited'
  | 'file'
  | 'closed'
  | 'secret'
  | 'before'
  | 'after'
  | 'direct'
  | 'group'
  | 'ours'
  | 'openPoll'
  | 'closedPoll'
  | 'secretPoll',
  number
>;

const idsOf = (archive: ReadArchive) => archive.messages.zerver_message?.map(({ id }) => id);
const message = (archive: ReadArchive, id: number) =>
  archive.messages.zerver_message?.find((row) => row.id === id);
const row = (archive: ReadArchive, table: string, wanted: ArchiveRow) =>
  archive.realm[table]?.find((each) => Object.entries(wanted).every(([key, value]) => each[key] === value));
const flags = (archive: ReadArchive, messageId: number) =>
  Object.fromEntries(
    (archive.messages.zerver_usermessage ?? [])
      .filter((each) => each.message === messageId)
      .map((each) => [each.user_profile, each.flags_mask]),
  );

/** Messages of which the archive has submessages. */
const pollsOf = (archive: ReadArchive) =>
  archive.json('parley.json').zerver_submessage.map((each: ArchiveRow) => each.message);

async function fill(): Promise<void> {
  const { olivia, adam, mia, max, mona } = app.cast;
  const open = await createChannelWith(app, mia, [max, adam], 'open');
  const closed = await createChannelWith(app, mia, [max], 'closed', {
    invite_only: true,
    history_public_to_subscribers: true,
  });
  const secret = await createChannelWith(app, mona, [max], 'secret', { invite_only: true });
  const guarded = await createChannel(app, mona, 'protected', {
    invite_only: true,
    history_public_to_subscribers: false,
  });
  channels = { open, closed, secret, protected: guarded };
  const before = await sendTo(app, mona, guarded, 'x', 'before');
  expectSuccess(
    await app.as(mona).post('/users/me/subscriptions', {
      subscriptions: [{ name: 'protected' }],
      principals: [mia.id],
    }),
  );
  file = await upload(app, mia, { name: 'plan ä.txt', content: 'the plan' });
  sent = {
    before,
    first: await sendTo(app, max, open, 'topic', `@**Mia Member** and @_**Max Member** ${CONTENT}`),
    edited: await sendTo(app, mia, open, 'topic', 'former'),
    file: await sendTo(app, mia, open, '', `[plan](${file})`),
    closed: await sendTo(app, max, closed, 'y', 'in closed'),
    secret: await sendTo(app, mona, secret, 'z', 'in secret'),
    after: await sendTo(app, mona, guarded, 'x', 'after'),
    direct: await sendDirect(app, max, [mia], 'for Mia'),
    group: await sendDirect(app, max, [mona, adam], 'for others'),
    ours: await sendDirect(app, mia, [max, adam], 'for us'),
    openPoll: await sendTo(app, mia, open, 'topic', '/poll Lunch?\nsoup'),
    closedPoll: await sendTo(app, mia, closed, 'y', '/poll Where?\nhere'),
    secretPoll: await sendTo(app, mona, secret, 'z', '/poll Who?\nnobody'),
  };
  expectSuccess(await app.as(mia).patch(`/messages/${sent.edited}`, { content: 'present', topic: 'other' }));
  expectSuccess(
    await app.as(max).post(`/messages/${sent.first}/reactions`, {
      emoji_name: 'tada',
      reaction_type: 'unicode_emoji',
      emoji_code: '1f389',
    }),
  );
  expectSuccess(
    await app.as(mia).post('/messages/flags', { messages: [sent.first], op: 'add', flag: 'starred' }),
  );
  for (const person of [mia, max]) {
    expectSuccess(
      await app.as(person).post('/users/me/alert_words', { alert_words: [`of ${person.fullName}`] }),
    );
    expectSuccess(
      await app.as(person).post('/user_topics', { stream_id: open, topic: 'topic', visibility_policy: 3 }),
    );
    expectSuccess(await app.as(person).patch('/settings', { color_scheme: 2 }));
  }
  expectSuccess(
    await app.as(mia).post('/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: open, property: 'color', value: '#123456' }],
    }),
  );
  expectSuccess(await app.as(max).patch('/settings', { email_address_visibility: 4 }));
  expectSuccess(
    await app.as(mia).upload('/users/me/avatar', {
      name: 'a.png',
      content: await plainPicture(20, 20, 'red').png().toBuffer(),
    }),
  );
  expectSuccess(
    await app.as(adam).upload('/realm/emoji/parrot', {
      name: 'e.png',
      content: await plainPicture(20, 20, 'red').png().toBuffer(),
    }),
  );
  expectSuccess(
    await app
      .as(adam)
      .upload('/realm/icon', { name: 'i.png', content: await plainPicture(20, 20, 'red').png().toBuffer() }),
  );
  expectSuccess(
    await app.as(olivia).post('/realm/domains', { domain: 'example.org', allow_subdomains: false }),
  );
  expectSuccess(
    await app.as(adam).post('/realm/playgrounds', {
      name: 'p',
      pygments_language: 'Python',
      url_template: 'https://p.example/{code}',
    }),
  );
  expectSuccess(
    await app
      .as(adam)
      .post('/realm/filters', { pattern: '#(?P<id>\\d+)', url_template: 'https://t.example/{id}' }),
  );
  await createGroup(app, 'painters', [mia.id]);
  const { id: field } = expectSuccess(
    await app.as(adam).post('/realm/profile_fields', { name: 'Room', field_type: 1 }),
  );
  const soon = Math.floor(Date.now() / 1000) + 3600;
  const later = { type: 'direct', to: [max.id], content: 'later', scheduled_delivery_timestamp: soon };
  const draft = { type: 'stream', to: [open], topic: 'plans', timestamp: 1 };
  for (const answer of [
    await app.as(mia).post('/drafts', { drafts: [{ ...draft, content: 'draft of Mia' }] }),
    await app.as(max).post('/drafts', { drafts: [{ ...draft, content: 'draft of Max' }] }),
    await app.as(mia).patch('/users/me/profile_data', { data: [{ id: field, value: '12' }] }),
    await app.as(mia).post('/users/me/onboarding_steps', { onboarding_step: 'intro_inbox_view_modal' }),
    await app.as(mia).post('/saved_snippets', { title: 'Thanks', content: 'Thank you.' }),
    await app.as(mia).post('/users/me/status', { status_text: 'away' }),
    await app.as(mia).post(`/users/me/muted_users/${mona.id}`),
    await app.as(mia).post('/scheduled_messages', later),
    await app.as(app.cast.robo).put('/bot_storage', { storage: { key: 'value' } }),
  ]) {
    expectSuccess(answer);
  }
  expectSuccess(await app.as(mia).patch('/settings', { allow_private_data_export: true }));
  expectSuccess(await app.as(olivia).patch('/settings', { allow_private_data_export: true }));
}

beforeAll(async () => {
  app = await TestApp.start();
  await fill();
  pub = await makeArchive(app, app.cast.adam);
  full = await makeArchive(app, app.cast.adam, 'full_with_consent');
  newest = Math.max(...(idsOf(full) ?? []));
});

afterAll(() => app.stop());

describe('An archive', () => {
  it('has the files and the columns that Zulip has', () => {
    expect([...pub.files.keys()].filter((name) => name.endsWith('.json')).sort()).toEqual([
      'analytics.json',
      'attachment.json',
      'avatars/records.json',
      'emoji/records.json',
      'messages-000001.json',
      'migration_status.json',
      // What Zulip does not know, and does not read.
      'parley.json',
      'realm.json',
      'realm_icons/records.json',
      'stats.json',
      'uploads/records.json',
    ]);
    const records = ['uploads', 'avatars', 'emoji', 'realm_icons'].map((name) => `${name}/records.json`);
    const tables: Record<string, readonly ArchiveRow[]> = {
      ...full.realm,
      ...full.messages,
      ...full.json('attachment.json'),
      ...Object.fromEntries(records.map((name) => [name, full.json(name)])),
    };
    expect(Object.keys(tables).sort()).toEqual([...COLUMNS.keys()].sort());
    const empty: string[] = [];
    for (const [table, rows] of Object.entries(tables)) {
      for (const each of rows)
        expect([table, ...Object.keys(each).sort()]).toEqual([table, ...(COLUMNS.get(table) ?? [])]);
      if (rows.length === 0) empty.push(table);
    }
    expect(empty.sort()).toEqual([
      'zerver_botconfigdata',
      'zerver_onboardingusermessage',
      'zerver_realmexport',
      'zerver_service',
      'zerver_useractivity',
      'zerver_useractivityinterval',
      'zerver_userpresence',
    ]);
  });

  it('counts what it has', () => {
    const stats = pub.json('stats.json');
    expect(stats.realm.zerver_stream).toBe(pub.realm.zerver_stream?.length);
    expect(stats['messages-000001'].zerver_message).toBe(pub.messages.zerver_message?.length);
    expect(stats).toMatchObject({
      avatars_records: 2,
      uploads_records: 1,
      emoji_records: 2,
      realm_icons_records: 2,
    });
  });

  it('has messages with their edits and reactions', () => {
    const { max, mia } = app.cast;
    expect(message(pub, sent.first)).toMatchObject({
      sender: max.id,
      subject: 'topic',
      content: `@**Mia Member** and @_**Max Member** ${CONTENT}`,
      rendered_content: expect.stringContaining('<em>Markdown</em>'),
      is_channel_message: true,
      edit_history: null,
    });
    const edited = message(pub, sent.edited);
    expect(edited).toMatchObject({
      subject: 'other',
      content: 'present',
      last_edit_time: expect.any(Number),
    });
    expect(JSON.parse(edited?.edit_history)).toEqual([
      {
        user_id: mia.id,
        timestamp: expect.any(Number),
        prev_content: 'former',
        prev_rendered_content: '<p>former</p>',
        prev_rendered_content_version: 1,
        prev_topic: 'topic',
        topic: 'other',
      },
    ]);
    expect(pub.realm.zerver_reaction).toMatchObject([
      {
        user_profile: max.id,
        message: sent.first,
        emoji_name: 'tada',
        emoji_code: '1f389',
        reaction_type: 'unicode_emoji',
      },
    ]);
  });

  it('refers to rows that it has', () => {
    for (const { realm, messages } of [pub, full]) {
      const ids = (...tables: string[]) =>
        new Set(tables.flatMap((table) => realm[table]?.map(({ id }) => id)));
      const people = ids(
        'zerver_userprofile',
        'zerver_userprofile_mirrordummy',
        'zerver_userprofile_crossrealm',
      );
      const recipients = ids('zerver_recipient');
      for (const { recipient_id: id } of realm.zerver_userprofile_crossrealm ?? []) recipients.add(id);
      const groups = ids('zerver_usergroup');
      for (const { sender, recipient, sending_client } of messages.zerver_message ?? []) {
        expect([
          people.has(sender),
          recipients.has(recipient),
          ids('zerver_client').has(sending_client),
        ]).toEqual([true, true, true]);
      }
      for (const { recipient, user_profile } of realm.zerver_subscription ?? []) {
        expect([people.has(user_profile), recipients.has(recipient)]).toEqual([true, true]);
      }
      const settings = [
        ...(realm.zerver_realm ?? []),
        ...(realm.zerver_stream ?? []),
        ...(realm.zerver_namedusergroup ?? []),
      ];
      for (const each of settings) {
        const names = Object.keys(each).filter(
          (name) => name.startsWith('can_') && typeof each[name] === 'number',
        );
        expect(names.every((name) => groups.has(each[name]))).toBe(true);
      }
    }
  });

  it('has the files that its messages link, and pictures', async () => {
    const [record] = pub.json('uploads/records.json');
    expect(`/user_uploads/${encodeURI(record.path)}`).toBe(file);
    expect(pub.files.get(`uploads/${record.path}`)?.toString()).toBe('the plan');
    expect(pub.json('attachment.json').zerver_attachment).toMatchObject([
      { path_id: record.path, owner: app.cast.mia.id, messages: [sent.file], size: 8 },
    ]);
    for (const folder of ['avatars', 'emoji', 'realm_icons']) {
      for (const { path } of pub.json(`${folder}/records.json`)) {
        expect(pub.files.get(`${folder}/${path}`)?.subarray(1, 4).toString()).toBe('PNG');
      }
    }
    const { avatar_url: url } = expectSuccess(await app.as(app.cast.mia).get('/users/me'));
    const picture = await load(app, app.cast.mia, url);
    const [avatar] = pub.json('avatars/records.json');
    expect(pub.files.get(`avatars/${avatar.path}`)?.equals(picture.body)).toBe(true);
  });
});

describe('The rows of receivers', () => {
  it('say what the interface says', async () => {
    for (const name of ['olivia', 'mia'] as const) {
      const reader = app.cast[name];
      const { messages } = expectSuccess(await fetchMessages(app, reader, []));
      const rows = full.messages.zerver_usermessage?.filter((each) => each.user_profile === reader.id);
      const known = new Map(rows?.map((each) => [each.message, each.flags_mask]));
      for (const { id, flags: names, type } of messages as ArchiveRow[]) {
        if (id > newest) continue;
        const bits = names.map((flag: string) => FLAGS[flag] ?? 0);
        const direct = type === 'private' ? 2048 : 0;
        expect([id, known.get(id)]).toEqual([
          id,
          bits.reduce((all: number, bit: number) => all | bit, direct),
        ]);
        known.delete(id);
      }
      expect(known.size).toBe(0);
    }
  });
});

describe('A public archive', () => {
  it('has the messages of public channels alone, with the flags of everybody', () => {
    const ids = idsOf(pub) ?? [];
    expect([sent.first, sent.edited, sent.file].every((id) => ids.includes(id))).toBe(true);
    for (const id of [sent.closed, sent.secret, sent.before, sent.after, sent.direct, sent.group]) {
      expect(ids).not.toContain(id);
    }
    const { adam, mia, max } = app.cast;
    expect(flags(pub, sent.first)).toEqual({ [adam.id]: 0, [mia.id]: 2 | 8, [max.id]: 0 });
    expect(pub.realm.zerver_huddle).toEqual([]);
  });

  it('has nothing that people keep for themselves', () => {
    const { mia, max } = app.cast;
    expect(pub.realm.zerver_alertword).toEqual([]);
    expect(pub.realm.zerver_usertopic).toEqual([]);
    expect(row(pub, 'zerver_userprofile', { id: mia.id })).toMatchObject({
      color_scheme: 1,
      is_mirror_dummy: false,
    });
    expect(row(pub, 'zerver_userprofile_mirrordummy', { id: max.id })).toMatchObject({
      delivery_email: expect.stringMatching(/^exported-user-[0-9a-f]{32}@/),
      is_active: false,
    });
    expect(pub.realm.zerver_subscription?.some(({ color }) => color === '#123456')).toBe(false);
    for (const content of pub.files.values()) expect(content.includes('max@example.com')).toBe(false);
  });

  it('has no drafts, and polls of public channels alone', () => {
    const parley = pub.json('parley.json');
    expect(parley.parley_draft).toEqual([]);
    expect(pollsOf(pub)).toEqual([sent.openPoll]);
    expect(JSON.stringify(parley)).not.toMatch(/draft of|Where\?|Who\?/);
  });
});

describe('An archive with consent', () => {
  it('also has what people who consent can see', () => {
    const ids = idsOf(full) ?? [];
    for (const id of [sent.first, sent.closed, sent.after, sent.direct]) expect(ids).toContain(id);
    for (const id of [sent.secret, sent.before, sent.group]) expect(ids).not.toContain(id);
    const { mia } = app.cast;
    expect(flags(full, sent.first)).toEqual({ [mia.id]: 2 | 8 });
    expect(flags(full, sent.direct)).toEqual({ [mia.id]: 2048 });
    const [huddle, another] = full.realm.zerver_huddle ?? [];
    expect([huddle, another]).toEqual([expect.objectContaining({ group_size: 3 }), undefined]);
    expect(message(full, sent.ours)).toMatchObject({
      recipient: huddle?.recipient,
      is_channel_message: false,
    });
  });

  it('has what they keep, and stands for the others', () => {
    const { mia, max, mona, olivia } = app.cast;
    expect(full.realm.zerver_alertword?.map(({ word }) => word)).toEqual(['of Mia Member']);
    expect(new Set(full.realm.zerver_usertopic?.map((each) => each.user_profile))).toEqual(new Set([mia.id]));
    expect(row(full, 'zerver_usertopic', { topic_name: 'topic' })).toMatchObject({
      stream: channels.open,
      visibility_policy: 3,
    });
    expect(row(full, 'zerver_userprofile', { id: mia.id })).toMatchObject({
      color_scheme: 2,
      is_active: true,
    });
    expect(row(full, 'zerver_userprofile_mirrordummy', { id: mona.id })).toMatchObject({
      is_active: false,
      is_mirror_dummy: true,
      delivery_email: 'mona@example.com',
    });
    expect(row(full, 'zerver_userprofile', { id: max.id })).toBeUndefined();
    expect(full.json('consented_user_ids.json')).toEqual(
      [olivia.id, mia.id, app.cast.robo.id].sort((a, b) => a - b),
    );
    const { recipient } = row(full, 'zerver_stream', { id: channels.open }) ?? {};
    expect(row(full, 'zerver_subscription', { user_profile: mia.id, recipient })).toMatchObject({
      color: '#123456',
    });
  });

  it('has drafts of those who consent, and polls that they can see', () => {
    const { mia } = app.cast;
    const parley = full.json('parley.json');
    expect(parley.parley_draft).toEqual([
      expect.objectContaining({ user_profile: mia.id, content: 'draft of Mia' }),
    ]);
    expect(pollsOf(full)).toEqual([sent.openPoll, sent.closedPoll]);
    expect(JSON.stringify(parley)).not.toMatch(/draft of Max|Who\?/);
  });
});
