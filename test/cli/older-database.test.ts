import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Client } from 'pg';
import { PICTURE } from '../../src/conformance/scene';
import { TestPerson } from '../../src/testing';
import { CommandLine } from '../support/command-line';
import { ServerProcess } from '../support/server-process';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

// Each command is a process, which takes its time where other tests run beside.
jest.setTimeout(240_000);

/** What an earlier release made and filled, with its migrations up to number 26; the keys are of nobody else. */
const OLDER = {
  sqlite: {
    file: '0026.sqlite.gz',
    secret: 'rdKgsCUFVpl-T4eBy6op1PhzfOrxPzrsYzhvnzaY48w',
    apiKey: 'lKdyHGs1R29H0A0H4LDEwaBYGALQWUZO',
    files: ['emoji/25a60e9aac6dbf729d748e3c3b59c47f8f349ada.png', 'uploads/9a/KhZOG825si03Y37dhTU6eYzm'],
  },
  postgres: {
    file: '0026.postgres.sql.gz',
    secret: 'TwGv0CC0IFjmllwcc4ikp_sOd0n5hRExacsGJ5F2dfU',
    apiKey: 'AULc8KGkuzeis2PvRVta9Xwkw9Upzdi6',
    files: ['emoji/c8e0455371e2156f49094aec20b6e94af02418ab.png', 'uploads/f3/B4_-Bjgq-nZkoYRyo_4QvNRq'],
  },
};

describe('a database of an earlier release', () => {
  let database: TestDatabase;
  let folder: string;
  let env: Record<string, string>;
  let older: (typeof OLDER)['sqlite'];
  let server: ServerProcess | undefined;

  beforeAll(async () => {
    database = await createTestDatabase();
    folder = mkdtempSync(join(tmpdir(), 'parley-older-'));
    older = OLDER[database.engine === 'postgres' ? 'postgres' : 'sqlite'];
    env = { LOG_LEVEL: 'warn', ...database.env, DATA_DIR: folder, SECRET_KEY: older.secret };
    for (const file of older.files) {
      mkdirSync(join(folder, 'files', dirname(file)), { recursive: true });
      writeFileSync(join(folder, 'files', file), PICTURE);
    }
    const kept = gunzipSync(readFileSync(join(__dirname, '../support/older-databases', older.file)));
    if (database.engine !== 'postgres') return writeFileSync(join(folder, 'parley.db'), kept);
    const client = new Client({ connectionString: env.DATABASE_URL });
    await client.connect();
    await client.query(kept.toString());
    await client.end();
  });

  afterAll(async () => {
    server?.signal('SIGTERM');
    await server?.exitCode();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is brought up to date, and holds afterwards', async () => {
    const parley = new CommandLine(env);
    const { applied, pending } = await parley.json(['migrate', '--status']);
    expect(applied.at(-1)).toMatch(/0026$/);
    expect(pending[0]).toMatch(/0027$/);
    server = new ServerProcess([parley.program, 'serve'], { env: { ...env, LOG_LEVEL: 'info' } });
    await server.ready();
    for (const name of pending as string[]) {
      const [, title, number] = /^([A-Za-z]+)\d{9}(\d{4})$/.exec(name) ?? [];
      expect(server.output).toMatch(new RegExp(`"Applied the migration ${number} ${title} in \\d+ ms\\."`));
    }
    server.signal('SIGTERM');
    await expect(server.exitCode()).resolves.toBe(0);
    await expect(parley.json(['migrate', '--status'])).resolves.toMatchObject({ pending: [], unknown: [] });
    const { exitCode, output } = await parley.run(['check']);
    expect([exitCode, output]).toEqual([0, expect.stringMatching(/^All \d+ invariants hold\.\n$/)]);
  });

  it('serves what was in it', async () => {
    server = new ServerProcess([new CommandLine(env).program, 'serve'], { env });
    const { origin } = await server.ready();
    const owner = new TestPerson(origin, 'owner', 5, 'owner@parley.localhost', older.apiKey);
    const page = { anchor: 'newest', num_before: 10, num_after: 0 };
    await expect(
      owner.get('/messages', { ...page, narrow: [{ operator: 'search', operand: 'tide' }] }),
    ).resolves.toMatchObject({
      messages: [{ subject: 'tides' }, { subject: 'tides' }, { subject: 'tides' }],
    });
    await expect(
      owner.get('/messages', { ...page, narrow: [{ operator: 'topic', operand: 'edited' }] }),
    ).resolves.toMatchObject({
      messages: [
        {
          content: '<p>after</p>',
          reactions: [{ emoji_name: 'tada' }],
          flags: expect.arrayContaining(['starred']),
        },
      ],
    });
    await expect(owner.post('/register')).resolves.toMatchObject({
      realm_users: expect.arrayContaining([expect.objectContaining({ full_name: 'Alice' })]),
      realm_user_groups: expect.arrayContaining([expect.objectContaining({ name: 'sailors' })]),
      subscriptions: expect.arrayContaining([expect.objectContaining({ name: 'harbour' })]),
      channel_folders: [expect.objectContaining({ name: 'North' })],
      realm_playgrounds: [expect.objectContaining({ name: 'p' })],
      custom_profile_fields: [expect.objectContaining({ name: 'Cabin' })],
      drafts: [expect.objectContaining({ content: 'd' })],
      saved_snippets: [expect.objectContaining({ title: 't' })],
      scheduled_messages: [expect.objectContaining({ content: 'later' })],
      reminders: [expect.objectContaining({ reminder_target_message_id: 5 })],
      alert_words: ['storm'],
      user_topics: expect.arrayContaining([
        expect.objectContaining({ topic_name: 'tides', visibility_policy: 3 }),
      ]),
      user_settings: expect.objectContaining({ twenty_four_hour_time: true }),
    });
    await expect(owner.get('/realm/linkifiers')).resolves.toMatchObject({
      linkifiers: [{ pattern: '#(?P<id>[0-9] )' }],
    });
    await expect(owner.get('/attachments')).resolves.toMatchObject({
      attachments: [{ message_ids: [2, 3, 4] }],
    });
    // What the migrations have added works on what was there.
    await expect(
      owner.send({ channel: 'harbour', topic: 'tides', content: 'tide **4**' }),
    ).resolves.toBeDefined();
    await expect(owner.post('/invites/multiuse', { stream_ids: [] })).resolves.toMatchObject({
      invite_link: expect.stringContaining('/join/'),
    });
    await expect(new CommandLine(env).run(['check'])).resolves.toMatchObject({ exitCode: 0 });
  });
});
