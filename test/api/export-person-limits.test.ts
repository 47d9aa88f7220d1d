import { EXPORTED_ELSEWHERE, OWN_TABLES } from '../../src/features/moving/export/person/own-tables';
import { leftOut as LEFT_OUT } from '../../src/features/moving/export/person/words';
import { Account } from '../../src/features/users/users.module';
import { Database } from '../../src/platform/database/database.service';
import { OperatorCommands } from '../../src/platform/operator/operator-commands';
import type { SqlValue } from '../../src/platform/sql/queryable';
import { createChannelWith } from '../support/channel-setup';
import { tallyOf, watchDatabase } from '../support/database-tally';
import { expectSuccess } from '../support/expect-answer';
import { type ArchiveRow, personArchive, type ReadArchive } from '../support/export-setup';
import { sendDirect, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  watchDatabase();
  app = await TestApp.start();
});

afterAll(async () => {
  await app.stop();
  jest.restoreAllMocks();
});

const insert = (table: string, row: Readonly<Record<string, SqlValue>>) =>
  app.writeRows((tx) =>
    tx.query(
      `INSERT INTO ${table} (${Object.keys(row).join()}) VALUES (${Object.keys(row)
        .map(() => '?')
        .join()})`,
      Object.values(row),
    ),
  );

const ok = async (answer: Promise<Parameters<typeof expectSuccess>[0]>) => expectSuccess(await answer);

describe('The tables of an archive of one person', () => {
  it('are all tables that refer to people, but for those with a reason', async () => {
    const { entityMetadatas } = app.get(Database).writeSource;
    const referring = entityMetadatas.flatMap(({ tableName, foreignKeys }) =>
      foreignKeys
        .filter(({ referencedEntityMetadata }) => referencedEntityMetadata.target === Account)
        .map(({ columnNames }) => `${tableName}.${columnNames.join()}`),
    );
    const own = OWN_TABLES.map(({ table, owner }) => `${table}.${owner}`);
    const handled = [...own, ...Object.keys(EXPORTED_ELSEWHERE), ...Object.keys(LEFT_OUT)];
    // Edits outlive accounts, so that they refer to none.
    expect(handled.sort()).toEqual([...referring, 'message_edit.user_id'].sort());

    const found = await personArchive(app, app.cast.mia);
    const tables = new Set([...Object.keys(found.user), 'zerver_message', 'zerver_attachment']);
    expect(Object.values(EXPORTED_ELSEWHERE).filter((name) => !tables.has(name))).toEqual([]);
    for (const reason of Object.values(LEFT_OUT))
      expect(String(found.files.get('index.html'))).toContain(reason);
  });

  it('name each column, so that a new one is not written before somebody has thought about it', () => {
    const { entityMetadatas } = app.get(Database).writeSource;
    for (const { table, owner, name, columns, without = [] } of OWN_TABLES) {
      const entity = entityMetadatas.find(({ tableName }) => tableName === table);
      const all = entity?.columns.map(({ databaseName }) => databaseName) ?? [];
      const named = new Set([owner, ...columns, ...without]);
      // Tables under another name have only a part of the columns.
      const missing = name === undefined ? all.filter((column) => !named.has(column)) : [];
      expect([table, missing, [...named].filter((column) => !all.includes(column))]).toEqual([table, [], []]);
    }
  });

  it('have no secrets', async () => {
    const { max } = app.cast;
    const secret = (name: string) => `secret ${name}`;
    const user_id = max.id;
    await insert('web_push_subscription', {
      ...{ user_id, session_token_id: secret('token'), endpoint: secret('endpoint'), created_at: 1 },
      ...{
        endpoint_hash: secret('hash'),
        p256dh: secret('p256dh'),
        auth: secret('auth'),
        vapid_key: secret('vapid'),
      },
    });
    await insert('remembered_device', {
      ...{ user_id, digest: secret('cookie'), expires_at: 9, created_at: 2, last_used_at: 3 },
      ...{ address: '192.0.2.7', user_agent: 'Browser 5' },
    });
    await insert('second_factor', {
      ...{ user_id, sealed_seed: secret('seed'), recovery_codes: secret('codes') },
      ...{ is_confirmed: true, newest_step: 55_555_555, created_at: 4 },
    });
    await insert('scim_person', { user_id, directory: 'staff', external_id: 'x-1', user_name: 'max.m' });
    await insert('sent_scheduled_message', { id: 77, user_id, sent_at: 5 });
    await insert('unfinished_upload', {
      ...{ id: secret('upload'), owner_id: user_id, file_name: 'half.txt', content_type: 'text/plain' },
      ...{ pieces: secret('pieces'), length: 10, received: 5, touched_at: 6 },
    });
    await insert('desktop_sign_in', {
      user_id,
      digest: secret('app'),
      grounds: secret('way'),
      expires_at: 10,
    });
    await insert('known_device', { user_id, digest: secret('device'), seen_at: 7 });
    await insert('push_registration', { user_id, kind: 'fcm', token: secret('push'), created_at: 8 });

    const found = await personArchive(app, max);
    expect(found.text.match(/secret (?!that)\w+/g)).toBeNull();
    expect(found.text).not.toContain('55555555');
    expect(found.user).toMatchObject({
      parley_web_push_subscription: [{ created_at: 1 }],
      parley_remembered_device: [
        { created_at: 2, expires_at: 9, last_used_at: 3, address: '192.0.2.7', user_agent: 'Browser 5' },
      ],
      parley_second_factor: [{ is_confirmed: true, created_at: 4 }],
      parley_scim_person: [{ directory: 'staff', external_id: 'x-1', user_name: 'max.m' }],
      parley_sent_scheduled_message: [{ id: 77, sent_at: 5 }],
      parley_unfinished_upload: [{ file_name: 'half.txt', length: 10, received: 5 }],
      parley_desktop_sign_in: [{ expires_at: 10 }],
      parley_known_device: [{ seen_at: 7 }],
      parley_push_registration: [{ kind: 'fcm', created_at: 8 }],
    });
    for (const { table, name = `parley_${table}`, columns } of OWN_TABLES) {
      for (const row of found.user[name] ?? []) expect([name, Object.keys(row)]).toEqual([name, columns]);
    }
  });
});

describe('An archive of one person', () => {
  const channel = (found: ReadArchive, id: number) => found.user.zerver_stream?.find((row) => row.id === id);
  const messages = (found: ReadArchive, content: string): ArchiveRow | undefined =>
    found.messages.zerver_message?.find((row) => row.content === content);

  it('tells of channels that the person has left only that they are there', async () => {
    const { mia, mona, olivia } = app.cast;
    const kept = await createChannelWith(app, mona, [mia], 'kept open');
    const left = await createChannelWith(app, mona, [mia], 'former name', { invite_only: true });
    const sent = await sendTo(app, mia, left, 'former topic', 'my own words');
    await sendTo(app, mia, kept, 'common topic', 'words for all');
    await ok(
      app.as(mia).post('/user_topics', { stream_id: left, topic: 'former topic', visibility_policy: 3 }),
    );
    const before = await personArchive(app, mia);
    expect(channel(before, left)).toMatchObject({ name: 'former name', invite_only: true });
    expect(messages(before, 'my own words')).toMatchObject({ subject: 'former topic' });

    await ok(app.as(mia).delete('/users/me/subscriptions', { subscriptions: ['former name'] }));
    await ok(
      app.as(mona).patch(`/messages/${sent}`, { topic: 'hushed topic', propagate_mode: 'change_all' }),
    );
    await ok(app.as(mona).patch(`/streams/${left}`, { new_name: 'hushed name', description: 'hushed plan' }));
    const found = await personArchive(app, mia);
    expect(channel(found, left)).toEqual({ id: left, name: 'private channel' });
    const { recipient } = messages(before, 'my own words') ?? {};
    expect(messages(found, 'my own words')).toMatchObject({
      ...{ recipient, recipient_name: 'private channel', subject: '', edit_history: null },
    });
    expect(messages(found, 'words for all')).toMatchObject({
      recipient_name: 'kept open',
      subject: 'common topic',
    });
    expect(found.text).not.toMatch(/hushed/);
    expect(String(found.files.get('index.html'))).toContain(`>private channel ${left}</a> (1)`);
    expect(String(found.files.get(`pages/channel-${left}.html`))).toContain('my own words');
    // Administrators see its name all the same.
    await sendTo(app, olivia, kept, 'x', 'y');
    await insert('subscription', {
      ...{ user_id: olivia.id, channel_id: left, is_active: false, color: '#000000', is_muted: false },
      is_pinned: false,
    });
    expect(channel(await personArchive(app, olivia), left)).toMatchObject({ name: 'hushed name' });
  });

  it('does not quote what others wrote in reminders', async () => {
    const { mia, mona } = app.cast;
    const open = await createChannelWith(app, mona, [mia], 'reminders');
    const message = await sendTo(app, mona, open, 'topic', 'quoted words of Mona');
    const at = Math.floor(Date.now() / 1000) + 3600;
    const reminder = { message_id: message, scheduled_delivery_timestamp: at, note: 'look again' };
    await ok(app.as(mia).post('/reminders', reminder));
    const found = await personArchive(app, mia);
    expect(found.user.parley_reminder).toEqual([
      {
        id: expect.any(Number),
        target_message_id: message,
        note: 'look again',
        deliver_at: at,
        has_failed: false,
      },
    ]);
    expect(found.text).not.toContain('quoted words');
  });

  it('does not tell of a legal hold', async () => {
    const { max, adam } = app.cast;
    await ok(app.as(adam).patch(`/users/${max.id}`, { full_name: 'Max M.' }));
    const context = { site: '', signal: new AbortController().signal, report: () => undefined };
    await app.get(OperatorCommands).run('hold add', { user: max.email, reason: 'case 5' }, context);
    const found = await personArchive(app, max);
    expect(found.user.parley_action_of_others?.map(({ action }) => action)).toContain('user.renamed');
    expect(JSON.stringify(found.user)).not.toContain('hold.');
  });

  it('has earlier versions of what others wrote only where the organization shows them', async () => {
    const { mia, mona, olivia } = app.cast;
    const sent = await sendDirect(app, mona, [mia], 'regretted words');
    await ok(app.as(mona).patch(`/messages/${sent}`, { content: 'better words' }));
    expect((await personArchive(app, mia)).text).toContain('regretted words');
    await ok(app.as(olivia).patch('/realm', { message_edit_history_visibility_policy: 'moves' }));
    expect((await personArchive(app, mia)).text).not.toContain('regretted words');
    expect((await personArchive(app, mona)).text).toContain('regretted words');
  });

  it('has scheduled messages, also to groups that have not talked yet', async () => {
    const { mia, max, mona, gus } = app.cast;
    const at = Math.floor(Date.now() / 1000) + 3600;
    const to = [max.id, mona.id, gus.id];
    const later = { type: 'direct', to, content: 'later', scheduled_delivery_timestamp: at };
    await ok(app.as(mia).post('/scheduled_messages', later));
    expect((await personArchive(app, mia)).user.parley_scheduled_message).toMatchObject([
      { content: 'later', deliver_at: at, channel_id: null },
    ]);
  });

  it('asks the database once for the messages of each place, and for all else together', async () => {
    const { cast } = app;
    const gus = cast.gus;
    const ran = async () => (await tallyOf(() => personArchive(app, gus))).ran.length;
    await sendDirect(app, gus, [cast.adam], 'to one');
    const few = await ran();
    for (const other of [cast.olivia, cast.mia, cast.max, cast.mona])
      await sendDirect(app, gus, [other], 'to one more');
    expect(await ran()).toBe(few + 4);
  });
});
