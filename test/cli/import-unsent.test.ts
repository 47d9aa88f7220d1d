import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAllAlone } from '../../src/cli/run-alone';
import { loadConfig } from '../../src/platform/config/load-config';
import { OperatorCommands } from '../../src/platform/operator/operator-commands';
import { createChannelWith } from '../support/channel-setup';
import { expectSuccess } from '../support/expect-answer';
import { type ArchiveRow, ReadArchive, tarOf } from '../support/export-setup';
import { sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

jest.setTimeout(240_000);

const CONTEXT = {
  site: 'http://chat.example.com',
  signal: new AbortController().signal,
  report: () => undefined,
};

/** A text whose HTML is five times as long. */
const SWELLING = '&'.repeat(9_900);

interface Told {
  readonly ledger: string;
}

describe('An import of what is not sent yet', () => {
  let folder: string;
  let database: TestDatabase;
  let reasons: string[];
  let after: ReadArchive;
  const soon = Math.floor(Date.now() / 1000) + 86_400;
  const past = 1_700_000_000;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'parley-unsent-'));
    const changed = join(folder, 'changed.tar.gz');
    const app = await TestApp.start();
    const { mia, max, olivia } = app.cast;
    await fill(app, join(folder, 'before.tar.gz'));
    await app.stop();
    const before = ReadArchive.of(readFileSync(join(folder, 'before.tar.gz')));
    writeFileSync(changed, tarOf(spoiled(before, { soon, past, of: mia.id, voter: max.id })));

    database = await createTestDatabase();
    const config = loadConfig({
      LOG_LEVEL: 'silent',
      EXTERNAL_URL: 'http://chat.example.com',
      OWNER_EMAIL: olivia.email,
      ...database.env,
      DATA_DIR: join(folder, 'data'),
    });
    const run = (name: string, input: object) =>
      runAllAlone(config, async (command) => (await command(name, input, CONTEXT)) as Told);
    await run('init', {});
    const { ledger } = await run('import zulip', { archive: changed });
    reasons = readFileSync(ledger, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as ArchiveRow)
      .map(({ fate, what, id, reason }) => `${fate} ${what} ${id}: ${reason}`);
    const target = join(folder, 'after.tar.gz');
    await run('export', { target, content: 'everything' });
    after = ReadArchive.of(readFileSync(target));
  });

  afterAll(async () => {
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const scheduled = () => after.realm.zerver_scheduledmessage ?? [];
  const parley = () => after.json('parley.json') as Record<string, ArchiveRow[]>;

  it('keeps overdue messages unsent, and says so', () => {
    expect(scheduled().filter(({ content }) => content === 'overdue')).toMatchObject([
      { failed: true, scheduled_timestamp: past },
    ]);
    expect(scheduled().filter(({ content }) => content === 'in time')).toMatchObject([
      { failed: false, scheduled_timestamp: soon },
    ]);
    expect(reasons).toContain(
      'changed zerver_scheduledmessage 801: It was due before the import, and is kept unsent.',
    );
  });

  it('leaves out what is more than a person may have, by its HTML too, rather than fail', () => {
    const kept = scheduled().filter(({ content }) => content === SWELLING);
    const characters = kept.reduce((sum, row) => sum + row.content.length + row.rendered_content.length, 0);
    expect(characters).toBeLessThanOrEqual(4_000_000);
    expect(characters).toBeGreaterThan(3_900_000);
    const left = reasons.filter((reason) => /zerver_scheduledmessage.*has too many of them/.test(reason));
    expect(left).toHaveLength(SWELLING_ONES - kept.length);
    expect(left[0]).toMatch(/^left out zerver_scheduledmessage \d+: The person has too many of them\.$/);
  });

  it('takes as many drafts as people may have, however long', () => {
    expect(parley().parley_draft).toHaveLength(DRAFTS + 1);
    expect(reasons.filter((reason) => reason.includes('parley_draft'))).toEqual([]);
  });

  it('leaves out submessages that are none', () => {
    expect(parley().zerver_submessage?.map(({ content }) => JSON.parse(content).type ?? 'poll')).toEqual([
      'poll',
      'vote',
    ]);
    const left = reasons.filter((reason) => reason.includes('zerver_submessage')).sort();
    expect(left).toEqual([
      'left out zerver_submessage 901: Its content is no JSON.',
      expect.stringMatching(/^left out zerver_submessage 902: It refers to a person that is not there/),
      'left out zerver_submessage 903: Its message is not there.',
      expect.stringMatching(/^left out zerver_submessage 904: /),
    ]);
  });
});

/** Messages whose Markdown has room, but not their HTML. */
const SWELLING_ONES = 80;

/** Drafts of together more than a million characters. */
const DRAFTS = 120;

async function fill(app: TestApp, target: string): Promise<void> {
  const { mia, max } = app.cast;
  const done = async (answer: Promise<Parameters<typeof expectSuccess>[0]>) => expectSuccess(await answer);
  const open = await createChannelWith(app, mia, [max], 'open');
  const poll = await sendTo(app, mia, open, 'lunch', '/poll Lunch?\nsoup');
  const vote = JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 });
  await done(app.as(max).post('/submessage', { message_id: poll, msg_type: 'widget', content: vote }));
  const draft = { type: 'stream', to: [open], topic: 'lunch', content: 'a plan', timestamp: 1 };
  await done(app.as(mia).post('/drafts', { drafts: [draft] }));
  const later = { type: 'stream', to: open, topic: 'lunch', content: 'in time' };
  const scheduled_delivery_timestamp = Math.floor(Date.now() / 1000) + 3600;
  await done(app.as(mia).post('/scheduled_messages', { ...later, scheduled_delivery_timestamp }));
  await app.get(OperatorCommands).run('export', { target, content: 'everything' }, CONTEXT);
}

interface Spoiling {
  readonly soon: number;
  readonly past: number;
  readonly of: number;
  readonly voter: number;
}

/** The archive with more than it could have come by. */
function spoiled(archive: ReadArchive, { soon, past, of, voter }: Spoiling): Map<string, Buffer> {
  const realm = structuredClone(archive.realm) as Record<string, ArchiveRow[]>;
  const parley = archive.json('parley.json') as Record<string, ArchiveRow[]>;
  const [message] = realm.zerver_scheduledmessage ?? [];
  const swelling = Array.from({ length: SWELLING_ONES }, (_, at) => ({
    ...{ ...message, id: 1000 + at, content: SWELLING, scheduled_timestamp: soon },
  }));
  realm.zerver_scheduledmessage = [
    { ...message, scheduled_timestamp: soon },
    { ...message, id: 801, content: 'overdue', scheduled_timestamp: past },
    ...swelling,
  ];
  const [draft] = parley.parley_draft ?? [];
  for (let at = 0; at < DRAFTS; at++)
    parley.parley_draft?.push({ ...draft, id: 2000 + at, user_profile: of, content: 'x'.repeat(9_000) });
  const submessages = parley.zerver_submessage ?? [];
  const vote = { ...submessages.at(-1), sender: voter };
  submessages.push(
    { ...vote, id: 901, content: '{' },
    { ...vote, id: 902, content: '{"type":"vote","key":"99999,1","vote":1}' },
    { ...vote, id: 903, message: 900_000 },
    { ...vote, id: 904, content: 5 },
  );
  const files = new Map(archive.files);
  files.set('realm.json', Buffer.from(JSON.stringify(realm)));
  files.set('parley.json', Buffer.from(JSON.stringify(parley)));
  return files;
}
