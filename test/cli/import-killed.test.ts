import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import DatabaseFile from 'better-sqlite3';
import { Client } from 'pg';
import { contentOf } from '../support/archive-content';
import { CommandLine } from '../support/command-line';
import { ReadArchive } from '../support/export-setup';
import { fillArchive, RECEIVERS } from '../support/large-archive';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

// Each command is a process, which takes its time where other tests run beside.
jest.setTimeout(600_000);

const OWNER = 'owner@example.com';
const MESSAGES = 10_000;
const FLAWED_EVERY = 100;
/** Of each message that is left out, and of who received it. */
const NOTES = (MESSAGES / FLAWED_EVERY) * (1 + RECEIVERS);
const KILLS = 10;

let folder: string;
const databases: TestDatabase[] = [];

async function freshServer(name: string): Promise<CommandLine> {
  const database = await createTestDatabase();
  databases.push(database);
  const env = { LOG_LEVEL: 'warn', ...database.env, DATA_DIR: join(folder, name), OWNER_EMAIL: OWNER };
  const server = new CommandLine(env);
  await server.json(['init']);
  return server;
}

/** What an import came to: everything that can be exported, the search index as `check` sees it, and the ledger. */
async function resultOf(server: CommandLine, name: string) {
  const { invariants } = await server.json(['check']);
  const exported = join(folder, `${name}.tar.gz`);
  await server.json(['export', exported]);
  return {
    broken: (invariants as { holds: boolean }[]).filter(({ holds }) => !holds),
    content: contentOf(ReadArchive.of(readFileSync(exported))),
    ledger: readFileSync(join(folder, name, 'import-ledger.jsonl'), 'utf8'),
  };
}

/** Lines of the ledger so far. */
function notesOf(name: string): number {
  const path = join(folder, name, 'import-ledger.jsonl');
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').length - 1 : 0;
}

/** Names of the steps that are stored, as the import remembers them. */
async function stepsOf(name: string): Promise<readonly string[]> {
  const statement = "SELECT value FROM server_state WHERE key = 'import'";
  const url = databases.at(-1)?.env.DATABASE_URL;
  let row: { value: string } | undefined;
  if (url === undefined) {
    const file = new DatabaseFile(join(folder, name, 'parley.db'), { readonly: true });
    row = file.prepare<[], { value: string }>(statement).get();
    file.close();
  } else {
    const client = new Client({ connectionString: url });
    await client.connect();
    [row] = (await client.query<{ value: string }>(statement)).rows;
    await client.end();
  }
  return row ? (JSON.parse(row.value) as { done: string[] }).done : [];
}

/** When an attempt is killed: the first half while messages come, one after them, and the rest at any time. */
function momentOf(kill: number, wholeMs: number): number | (() => boolean | Promise<boolean>) {
  if (kill < KILLS / 2) return () => notesOf('killed') > (NOTES * kill * 2) / KILLS;
  if (kill === KILLS / 2) return async () => (await stepsOf('killed')).includes('reactions');
  return wholeMs * Math.random();
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-import-killed-'));
});

afterAll(async () => {
  for (const each of databases) await each.drop();
  rmSync(folder, { recursive: true, force: true });
});

it('An import that is killed ten times comes to the same as a whole one', async () => {
  const source = await freshServer('source');
  await source.json(['export', join(folder, 'empty.tar.gz')]);
  const archive = join(folder, 'archive');
  ReadArchive.of(readFileSync(join(folder, 'empty.tar.gz'))).unpack(archive);
  fillArchive(archive, {
    ownerEmail: OWNER,
    messages: MESSAGES,
    messagesAFile: 100,
    flawedEvery: FLAWED_EVERY,
  });

  const whole = await freshServer('whole');
  const began = performance.now();
  await whole.json(['import', 'zulip', archive]);
  const wholeMs = performance.now() - began;

  const killed = await freshServer('killed');
  let unfinished = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    await killed.killed(['import', 'zulip', archive], momentOf(kill, wholeMs));
    const noted = notesOf('killed');
    if (noted > 0 && noted < NOTES) unfinished++;
  }
  const told = await killed.json(['import', 'zulip', archive]);
  expect(told).toMatchObject({ messages: MESSAGES, isDryRun: false });
  // Otherwise all ends were before the first message, or after the last one.
  expect(unfinished).toBeGreaterThan(0);

  const expected = await resultOf(whole, 'whole');
  expect(notesOf('whole')).toBe(NOTES);
  expect(await resultOf(killed, 'killed')).toEqual(expected);
});
