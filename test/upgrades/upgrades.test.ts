import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { tables } from '../../src/app.module';
import { loadConfig } from '../../src/platform/config/load-config';
import { databaseOptions } from '../../src/platform/database/database.options';
import { compareReleases } from '../../src/platform/database/oldest-release';
import { OLDEST_RELEASE_ON_TABLES } from '../../src/platform/version';
import { CommandLine } from '../support/command-line';
import { ServerProcess } from '../support/server-process';
import { createTestDatabase, type TestDatabase } from '../support/test-database';
import { type Column, columnsOf, takenFrom } from './columns';
import { formerProgram, hasFormerProgram } from './former-program';
import { keep, KEPT_RELEASES, type KeptFacts, unpack } from './kept-release';
import {
  fillOrganization,
  type KeptPerson,
  newestMessage,
  OWNER_PASSWORD,
  readAll,
} from './small-organization';

// Each command is a process, which takes its time where other tests run beside.
jest.setTimeout(300_000);

const SECRET = 'kept-for-tests-and-nobody-else-0123456789';
const OWNER = 'owner@example.com';
const { version } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as {
  version: string;
};

let database: TestDatabase;
let env: Record<string, string>;
let server: ServerProcess | undefined;

const engine = () => (database.engine === 'postgres' ? 'postgres' : 'sqlite');

beforeEach(async () => {
  database = await createTestDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'parley-upgrade-'));
  env = {
    LOG_LEVEL: 'info',
    RATE_LIMIT_PER_MINUTE: '0',
    ...database.env,
    DATA_DIR: folder,
    SECRET_KEY: SECRET,
  };
});

afterEach(async () => {
  await stop();
  await database.drop();
  rmSync(env.DATA_DIR ?? '', { recursive: true, force: true });
});

async function start(program = new CommandLine(env).program): Promise<string> {
  server = new ServerProcess([program, 'serve'], { env });
  return (await server.ready()).origin;
}

async function stop(): Promise<void> {
  server?.signal('SIGTERM');
  await server?.exitCode();
  server = undefined;
}

async function answersOf(url: string, people: readonly KeptPerson[], lastMessage: number) {
  const answers: Record<string, Record<string, object>> = {};
  for (const person of people) answers[person.role] = await readAll(url, person, lastMessage);
  return answers;
}

/** Whether the index for searches has caught up. */
async function untilFound(url: string, person: KeptPerson, lastMessage: number): Promise<void> {
  for (;;) {
    const answers = await readAll(url, person, lastMessage);
    const found = Object.entries(answers).find(([path]) => path.includes('search'))?.[1]
      .messages as unknown[];
    if (found.length > 0) return;
    await pause(100);
  }
}

async function expectInvariants(): Promise<void> {
  const { exitCode, output } = await new CommandLine(env).run(['check']);
  expect([exitCode, output]).toEqual([0, expect.stringMatching(/^All \d+ invariants hold\.\n$/)]);
}

const columns = (): Promise<Column[]> => columnsOf(databaseOptions(loadConfig(env), tables));

describe('A database of an earlier release', () => {
  it.each(KEPT_RELEASES)('(%s) is migrated, holds, and answers every role as before', async (release) => {
    const facts = await unpack(release, engine(), env);
    env.SECRET_KEY = facts.secret;
    const before = await columns();
    const url = await start();
    const [owner] = facts.people;
    if (owner) await untilFound(url, owner, facts.lastMessage);
    expect(await answersOf(url, facts.people, facts.lastMessage)).toMatchObject(facts.answers);
    await stop();
    await expectInvariants();
    // Such a release may still run beside this one, or again instead of it.
    if (compareReleases(release, OLDEST_RELEASE_ON_TABLES) >= 0)
      expect(takenFrom(before, await columns())).toEqual([]);
  });
});

describe('An earlier release on the tables of this one', () => {
  const allowed = KEPT_RELEASES.filter((release) => compareReleases(release, OLDEST_RELEASE_ON_TABLES) >= 0);

  for (const release of allowed) {
    if (!hasFormerProgram(release)) {
      it.todo(`(${release}) needs the history of the repository`);
      continue;
    }
    it(`(${release}) answers as before, passes its own checks, and leaves what this one can go on with`, async () => {
      const { people, answers, lastMessage, secret } = await unpack(release, engine(), env);
      const [owner] = people as [KeptPerson];
      env.SECRET_KEY = secret;
      const { exitCode } = await new CommandLine(env).run(['migrate']);
      expect(exitCode).toBe(0);
      const program = formerProgram(release);
      const former = await start(program);
      await untilFound(former, owner, lastMessage);
      expect(await answersOf(former, people, lastMessage)).toMatchObject(answers);
      const checks = ['conformance', '--url', former, '--owner', owner.email, '--owner-key', '-'];
      const outcome = await new CommandLine(env, {}, program).run(checks, owner.apiKey);
      expect([outcome.exitCode, outcome.output]).toEqual([
        0,
        expect.stringMatching(/\d{3} passed, 0 failed/),
      ]);
      const newest = await newestMessage(former, owner);
      expect(newest).toBeGreaterThan(lastMessage);
      await stop();
      await expectInvariants();
      expect(await newestMessage(await start(), owner)).toBe(newest);
    });
  }
});

describe('The rule for migrations', () => {
  it('covers every release that is allowed on these tables', () => {
    expect(KEPT_RELEASES).toContain(OLDEST_RELEASE_ON_TABLES);
    // As a text, 0.10.0 would be the older one.
    expect(['0.10.0', '0.9.1', '1.0.0'].sort(compareReleases)).toEqual(['0.9.1', '0.10.0', '1.0.0']);
  });

  const ofRelease = [
    { name: 'account.full_name', isNeeded: true },
    { name: 'account.note', isNeeded: false },
  ];

  it('allows what a release does not notice', () => {
    const more = [
      { name: 'account.color', isNeeded: false },
      { name: 'poll.name', isNeeded: true },
    ];
    expect(takenFrom(ofRelease, [...ofRelease, ...more])).toEqual([]);
  });

  it('refuses that something goes, has another name, or must be written', () => {
    const now = [
      { name: 'account.name', isNeeded: true },
      { name: 'account.note', isNeeded: true },
    ];
    expect(takenFrom(ofRelease, now)).toEqual([
      'account.full_name is gone',
      'account.name has no default',
      'account.note has no default',
    ]);
  });
});

// With the release that is about to be published.
(process.env.WRITE_RELEASE_DATABASE ? it : it.skip)('A database of this release is kept', async () => {
  env = { ...env, OWNER_EMAIL: OWNER, OWNER_PASSWORD, ORGANIZATION_NAME: 'The harbor' };
  const filledAt = await start();
  const people = await fillOrganization(filledAt, OWNER);
  const [owner] = people as [KeptPerson];
  const lastMessage = await newestMessage(filledAt, owner);
  await untilFound(filledAt, owner, lastMessage);
  await stop();
  // What a start does is done before anything is kept.
  const url = await start();
  const answers = await answersOf(url, people, lastMessage);
  const facts: KeptFacts = { secret: SECRET, people, lastMessage, files: {}, answers };
  await stop();
  keep(version, engine(), env, facts);
});
