import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandLine } from '../support/command-line';
import { ReadArchive } from '../support/export-setup';
import { ServerProcess } from '../support/server-process';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

// Each command is a process, which takes its time where other tests run beside.
jest.setTimeout(240_000);

describe('parley export', () => {
  let folder: string;
  let database: TestDatabase;
  let parley: CommandLine;
  let server: ServerProcess;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-export-'));
    database = await createTestDatabase();
    const env = { ...database.env, DATA_DIR: join(folder, 'data') };
    parley = new CommandLine(env);
    // By a server, commands are done in a third of the time.
    server = new ServerProcess([parley.program, 'serve'], { env });
    await server.ready();
    await parley.json(['demo', '--size', '2500', '--force']);
  });

  afterAll(async () => {
    server.signal('SIGTERM');
    await server.exitCode();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('writes everything into a new file, a thousand messages a file', async () => {
    const status = { migrations_by_app: { zerver: ['[X] 0001_initial'] }, zulip_version: '10.4' };
    writeFileSync(join(folder, 'status.json'), JSON.stringify(status));
    const file = join(folder, 'all.tar.gz');
    const made = await parley.json(['export', file, '--migration-status', join(folder, 'status.json')]);
    expect(made).toEqual({ file, bytes: statSync(file).size });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const archive = ReadArchive.of(readFileSync(file));
    expect(archive.json('migration_status.json')).toEqual(status);
    const sizes = [1, 2].map((at) => archive.json(`messages-00000${at}.json`).zerver_message.length);
    expect([sizes[0], sizes[1] > 0 && sizes[1] <= 1000]).toEqual([1000, true]);
    const ids = archive.messages.zerver_message?.map(({ id }) => id) ?? [];
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
    expect(archive.messages.zerver_message?.some((message) => !message.is_channel_message)).toBe(true);
    // Of tables that take several pages to read, nothing comes twice or not at all.
    const { zerver_subscription: subscriptions = [], zerver_usergroupmembership: memberships = [] } =
      archive.realm;
    const pairs = new Set(subscriptions.map((each) => `${each.recipient} ${each.user_profile}`));
    expect([subscriptions.length > 1000, pairs.size]).toEqual([true, subscriptions.length]);
    const members = new Set(memberships.map((each) => `${each.user_group} ${each.user_profile}`));
    expect(members.size).toBe(memberships.length);
    const people = archive.realm.zerver_userprofile?.length ?? 0;
    expect(subscriptions.filter((each) => each.recipient % 3 === 0)).toHaveLength(people);
    const { entries } = await parley.json(['audit', '--action', 'organization.export_made']);
    expect(entries).toMatchObject([{ way: 'command', actor_id: null, details: { type: 'everything' } }]);
  });

  it('writes public channels alone, if it is told so', async () => {
    const file = join(folder, 'public.tar.gz');
    await parley.json(['export', file, '--content', 'public']);
    const { messages } = ReadArchive.of(readFileSync(file));
    expect(messages.zerver_message?.every((message) => message.is_channel_message)).toBe(true);
  });

  it('replaces nothing, and leaves nothing that is not complete', async () => {
    writeFileSync(join(folder, 'there.tar.gz'), 'there');
    writeFileSync(join(folder, 'wrong.json'), '{"zulip_version": 10}');
    const before = readdirSync(folder);
    const cases: [string[], RegExp][] = [
      [[join(folder, 'there.tar.gz')], /already exists, and an export never overwrites/],
      [[join(folder, 'missing/x.tar.gz')], /^The folder .*missing/],
      [['/proc/x.tar.gz'], /^The server cannot create a file in \/proc/],
      ...['wrong.json', 'nothing.json', '.'].map((name): [string[], RegExp] => [
        [join(folder, 'new.tar.gz'), '--migration-status', join(folder, name)],
        /is not the migration_status.json/,
      ]),
    ];
    for (const [args, message] of cases) {
      const { exitCode, errors } = await parley.run(['export', ...args]);
      expect([args, exitCode, errors]).toEqual([args, 1, expect.stringMatching(message)]);
    }
    expect(readdirSync(folder)).toEqual(before);
  });
  it('does the same while no server runs', async () => {
    server.signal('SIGTERM');
    await server.exitCode();
    const file = join(folder, 'alone.tar.gz');
    await parley.json(['export', file, '--content', 'public']);
    const { messages } = ReadArchive.of(readFileSync(file));
    expect(messages.zerver_message?.every((message) => message.is_channel_message)).toBe(true);
    const { exitCode, errors } = await parley.run(['export', file]);
    expect([exitCode, errors]).toEqual([1, expect.stringMatching(/already exists, and an export never/)]);
  });
});
