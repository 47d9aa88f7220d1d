import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { runAllAlone } from '../../src/cli/run-alone';
import { Role } from '../../src/platform/actor';
import { loadConfig } from '../../src/platform/config/load-config';
import { OperatorCommands } from '../../src/platform/operator/operator-commands';
import { contentOf } from '../support/archive-content';
import { createChannelWith } from '../support/channel-setup';
import { expectSuccess } from '../support/expect-answer';
import { ReadArchive } from '../support/export-setup';
import { sendTo } from '../support/message-setup';
import { RandomOperations } from '../support/random-operations';
import { TestApp } from '../support/test-app';
import { createTestDatabase } from '../support/test-database';

/** The same everywhere, unless someone looks for new cases. A failure prints the organization's seed and size. */
const SEED = Number(process.env.PROPERTY_SEED ?? 20_261_128);
const RUNS = Number(process.env.PROPERTY_RUNS ?? 3);
const MOST_STEPS = 400;

const CONTEXT = {
  site: 'http://chat.example.com',
  signal: new AbortController().signal,
  report: () => undefined,
};

interface Organization {
  /** Decides what people do. */
  readonly seed: number;
  readonly steps: number;
}

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-law-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Has people do whatever they can think of. @returns the archive, and the owner's address */
async function exported({ seed, steps }: Organization, target: string): Promise<string> {
  const app = await TestApp.start({
    env: { WEB_PUBLIC_STREAMS_ENABLED: 'true' },
    withoutLaw: 'clients are not what this is about',
  });
  try {
    const spare = await Promise.all(
      [Role.administrator, Role.member, Role.guest].map((role, at) =>
        app.addAccount({ deliveryEmail: `spare${at}@example.com`, fullName: `Spare ${at}`, role }),
      ),
    );
    const operations = new RandomOperations(app, seed, spare, await app.companionAs(app.cast.olivia));
    for (let step = 0; step < steps; step++) await operations.step();
    await writeUnsent(app);
    await app.get(OperatorCommands).run('export', { target, content: 'everything' }, CONTEXT);
    return app.cast.olivia.email;
  } finally {
    await app.stop();
  }
}

/** What people rarely do: a poll, drafts, messages for later. */
async function writeUnsent(app: TestApp): Promise<void> {
  const { olivia, max } = app.cast;
  const channel = await createChannelWith(app, olivia, [max], 'polls and plans');
  const done = async (answer: Promise<Parameters<typeof expectSuccess>[0]>) => expectSuccess(await answer);
  const poll = await sendTo(app, olivia, channel, 'lunch', '/poll Lunch?\nsoup');
  for (const [voter, content] of [
    [max, { type: 'new_option', idx: 1, option: 'salad' }],
    [olivia, { type: 'vote', key: `${max.id},1`, vote: 1 }],
    [max, { type: 'vote', key: 'canned,0', vote: 1 }],
  ] as const) {
    const submessage = { message_id: poll, msg_type: 'widget', content: JSON.stringify(content) };
    await done(app.as(voter).post('/submessage', submessage));
  }
  const drafts = [
    { type: 'stream', to: [channel], topic: 'lunch', content: 'a plan', timestamp: 1_700_000_000 },
    { type: 'private', to: [max.id], topic: '', content: 'for Max', timestamp: 1_700_000_001 },
  ];
  await done(app.as(olivia).post('/drafts', { drafts }));
  const nextYear = Math.floor(Date.now() / 1000) + 365 * 86_400;
  for (const place of [
    { type: 'stream', to: channel, topic: 'lunch' },
    { type: 'direct', to: [olivia.id] },
  ])
    await done(
      app.as(olivia).post('/scheduled_messages', {
        ...place,
        content: '**later**',
        scheduled_delivery_timestamp: nextYear,
      }),
    );
}

interface Imported {
  /** Reasons in the ledger. */
  readonly reasons: readonly string[];
  readonly broken: readonly string[];
}

/** Imports the archive into a new organization, and exports that. */
async function importedAndExported(ownerEmail: string, archive: string, target: string): Promise<Imported> {
  const database = await createTestDatabase();
  const dataDir = mkdtempSync(join(folder, 'data-'));
  try {
    const config = loadConfig({
      LOG_LEVEL: 'silent',
      EXTERNAL_URL: 'http://chat.example.com',
      WEB_PUBLIC_STREAMS_ENABLED: 'true',
      OWNER_EMAIL: ownerEmail,
      ...database.env,
      DATA_DIR: dataDir,
    });
    const run = (name: string, input: object) =>
      runAllAlone(config, async (command) => (await command(name, input, CONTEXT)) as Result);
    await run('init', {});
    const { summary = [] } = await run('import zulip', { archive });
    const { invariants = [] } = await run('check', {});
    await run('export', { target, content: 'everything' });
    return {
      reasons: summary.map(({ what, reason }) => `${what}: ${reason}`),
      broken: invariants.filter(({ holds }) => !holds).map(({ name }) => name),
    };
  } finally {
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Of rendered texts what is read: what links and mentions lead to depends on what the sender can see at the time. */
function comparable(path: string): unknown {
  const text = JSON.stringify(contentOf(ReadArchive.of(readFileSync(path))), (key, value: unknown) =>
    key.endsWith('rendered_content') && typeof value === 'string' ? value.replace(/<[^>]*>/g, '') : value,
  );
  return JSON.parse(text);
}

interface Result {
  readonly summary?: readonly { what: string; reason: string }[];
  readonly invariants?: readonly { name: string; holds: boolean }[];
}

it('Exporting, importing and exporting any organization says the same again', async () => {
  let count = 0;
  const organization = fc.record({ seed: fc.nat(), steps: fc.integer({ min: 20, max: MOST_STEPS }) });
  const holds = fc.asyncProperty(organization, async (each) => {
    const number = ++count;
    const [before, after] = ['before', 'after'].map((name) => join(folder, `${number}-${name}.tar.gz`));
    const owner = await exported(each, before as string);
    const { reasons, broken } = await importedAndExported(owner, before as string, after as string);
    expect({ reasons, broken }).toEqual({ reasons: [], broken: [] });
    const [first, second] = [before, after].map((path) => comparable(path as string));
    expect(second).toEqual(first);
  });
  const endOnFailure = process.env.PROPERTY_SHRINK === undefined;
  await fc.assert(holds, { seed: SEED, numRuns: RUNS, endOnFailure });
}, 600_000);
