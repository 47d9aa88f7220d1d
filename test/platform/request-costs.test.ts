import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from '../../src/platform/database/database.service';
import { Jobs } from '../../src/platform/jobs/jobs.service';
import type { Answer } from '../support/api-client';
import { type DatabaseTally, tallyOf, watchDatabase } from '../support/database-tally';
import { expectSuccess } from '../support/expect-answer';
import { HOT_REQUESTS, type HotRequest, HotScene } from '../support/hot-requests';
import { TestApp } from '../support/test-app';

/**
 * Holds what the requests that servers get most of cost to test/spec/request-costs.tsv: counts, which are the same on every
 * machine. Each request is made some times first, since statements that come often are prepared, and its median of
 * some more counts, as once in a while the server has something to do by itself at the same time.
 */
const WARM_UPS = 6;
const COUNTED = 5;

/** In the order of the table. */
const FIGURES = ['round_trips', 'statements', 'shared', 'rows_written', 'bytes'] as const;
type Figures = Readonly<Record<(typeof FIGURES)[number], number>>;

const TABLE = 'test/spec/request-costs.tsv';
const [, ...lines] = readFileSync(join(__dirname, '../..', TABLE), 'utf8')
  .trimEnd()
  .split('\n')
  .filter((line) => !line.startsWith('#'))
  .map((line) => line.split('\t'));

let app: TestApp;
let engine: string;
let scene: HotScene;

beforeAll(async () => {
  watchDatabase();
  app = await TestApp.start({ withoutLaw: 'clients that watch would make requests among those counted' });
  ({ engine } = app.get(Database));
  scene = await HotScene.prepare(app);
});

afterAll(async () => {
  await app.stop();
  jest.restoreAllMocks();
});

/** Without the digits of IDs and times, which grow. */
function weight(answer: Answer): number {
  return Buffer.byteLength(JSON.stringify(answer.body).replace(/\d+/g, '0'));
}

async function measure({ before, call, isWeighed }: HotRequest): Promise<Figures & { texts: string[] }> {
  const tallies: (DatabaseTally & { bytes: number })[] = [];
  for (let time = 0; time < WARM_UPS + COUNTED; time++) {
    const messageId = (await before?.()) ?? 0;
    let bytes = 0;
    const tally = await tallyOf(async () => {
      const answer = await call(messageId);
      expectSuccess(answer);
      bytes = isWeighed ? weight(answer) : 0;
    });
    if (time >= WARM_UPS) tallies.push(Object.assign(tally, { bytes }));
  }
  const median = (figure: (tally: (typeof tallies)[number]) => number) =>
    tallies.map(figure).sort((a, b) => a - b)[Math.floor(COUNTED / 2)] as number;
  return {
    round_trips: median((tally) => tally.roundTrips),
    statements: median((tally) => tally.statements),
    shared: median((tally) => tally.shared),
    rows_written: median((tally) => tally.rowsWritten),
    bytes: median((tally) => tally.bytes),
    texts: tallies.at(-1)?.ran.map(({ text }) => text) ?? [],
  };
}

/** What the table says; nothing is known of a request that is not there. */
function allowed(name: string): Figures | undefined {
  const line = lines.find(([request, on]) => request === name && on === engine);
  return line && (Object.fromEntries(FIGURES.map((figure, at) => [figure, Number(line[at + 2])])) as Figures);
}

/** What differs from the table, and what to do about it. */
function complaint(name: string, is: Figures & { texts: string[] }): string | null {
  const was = allowed(name);
  const grown = FIGURES.filter((figure) => was && is[figure] > was[figure]);
  const shrunk = FIGURES.filter((figure) => was && is[figure] < was[figure]);
  if (was && grown.length + shrunk.length === 0) return null;
  const line = [name, engine, ...FIGURES.map((figure) => is[figure])].join('\t');
  return [
    ...grown.map((figure) => `${name} costs more: ${is[figure]} instead of ${was?.[figure]} ${figure}.`),
    ...shrunk.map((figure) => `${name} costs less: lower ${figure} from ${was?.[figure]} to ${is[figure]}.`),
    `As it is now, for ${TABLE}:\n${line}\n`,
    ...is.texts,
  ].join('\n');
}

it.each(Object.entries(HOT_REQUESTS))('%s costs what it did', async (name, request) => {
  expect(complaint(name, await measure(request(scene)))).toBeNull();
});

it('writes as many rows for 300 subscribers as for 3', () => {
  expect(allowed('send to 300 subscribers')).toEqual(allowed('send to 3 subscribers'));
});

it('takes no further round trip for a message about which people may be mailed', async () => {
  const mailing = await TestApp.start({
    withoutLaw: 'clients that watch would make requests among those counted',
    env: { SMTP_URL: 'smtp://127.0.0.1:9' },
  });
  try {
    // What follows from the message is not part of the request.
    await mailing.get(Jobs).pause();
    const name = 'send to 3 subscribers';
    const send = HOT_REQUESTS[name]?.(await HotScene.prepare(mailing, 3)) as HotRequest;
    const { round_trips, statements, rows_written } = allowed(name) as Figures;
    await expect(measure(send)).resolves.toMatchObject({
      round_trips,
      statements: statements + 1,
      rows_written: rows_written + 1,
    });
  } finally {
    await mailing.stop();
  }
});

it('knows every request of the table', () => {
  expect(lines.filter(([, on]) => on === engine).map(([name]) => name)).toEqual(Object.keys(HOT_REQUESTS));
});
