import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CreateAccountService } from '../../src/features/users/accounts/create-account.service';
import { Role } from '../../src/platform/actor';
import { Database } from '../../src/platform/database/database.service';
import type { Answer, ApiClient } from '../support/api-client';
import { createChannel } from '../support/channel-setup';
import { type DatabaseTally, tallyOf, watchDatabase } from '../support/database-tally';
import { expectSuccess } from '../support/expect-answer';
import { sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';
import type { TestQueue } from '../support/test-queue';

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
let mia: ApiClient;
let max: ApiClient;
let queue: TestQueue;
const channels = { small: 0, large: 0 };
let made = 0;

beforeAll(async () => {
  watchDatabase();
  app = await TestApp.start({ withoutLaw: 'clients that watch would make requests among those counted' });
  ({ engine } = app.get(Database));
  const { cast } = app;
  [mia, max] = [app.as(cast.mia), app.as(cast.max)];
  const crowd = await addPeople(297);
  const three = [cast.mia.id, cast.max.id, cast.olivia.id];
  channels.small = await createChannel(app, cast.olivia, 'small', { principals: three });
  channels.large = await createChannel(app, cast.olivia, 'large', { principals: [...three, ...crowd] });
  queue = await app.queue(cast.max, { event_types: ['message'] });
});

afterAll(async () => {
  await app.stop();
  jest.restoreAllMocks();
});

/** All at once, without what newcomers are told. */
function addPeople(count: number): Promise<number[]> {
  return app.writeRows(async (tx) => {
    const ids: number[] = [];
    for (let at = 1; at <= count; at++) {
      const person = { deliveryEmail: `p${at}@example.com`, fullName: `Person ${at}`, role: Role.member };
      ids.push((await app.get(CreateAccountService).insert(tx, person)).id);
    }
    return ids;
  });
}

interface Request {
  /** What has to be there before each call: the message that it is about. */
  readonly before?: () => Promise<number>;
  readonly call: (messageId: number) => Promise<Answer>;
  /** Whether the length of its answer counts. */
  readonly isWeighed?: true;
}

const message = () => sendTo(app, app.cast.mia, channels.small, 'costs');
const send = (channel: keyof typeof channels) => () =>
  mia.post('/messages', { type: 'channel', to: channels[channel], topic: 'costs', content: 'hello' });
const newest = (narrow: readonly unknown[]) => () =>
  max.get('/messages', { anchor: 'newest', num_before: 100, num_after: 0, narrow });
const messageToPoll = async () => {
  await queue.events();
  return message();
};

const REQUESTS: Readonly<Record<string, Request>> = {
  'send to 3 subscribers': { call: send('small') },
  'send to 300 subscribers': { call: send('large') },
  'send a direct message': {
    call: () => mia.post('/messages', { type: 'direct', to: [app.cast.max.id], content: 'hello' }),
  },
  'mark a message as read': {
    before: message,
    call: (id) => max.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' }),
  },
  'add a reaction': {
    before: message,
    call: (id) => max.post(`/messages/${id}/reactions`, { emoji_name: 'heart' }),
  },
  'own user': { call: () => max.get('/users/me') },
  '100 newest messages': { call: newest([]) },
  '100 newest messages of a topic': {
    call: newest([
      ['channel', 'small'],
      ['topic', 'costs'],
    ]),
  },
  'search for a word': { call: newest([['search', 'hello']]) },
  'topics of a channel': { call: () => max.get(`/users/me/${channels.small}/topics`) },
  'channel list': { call: () => max.get('/streams') },
  'register for messages': {
    call: () => max.post('/register', { event_types: ['message'], fetch_event_types: ['message'] }),
  },
  'make a channel': {
    call: () => mia.post('/users/me/subscriptions', { subscriptions: [{ name: `made ${++made}` }] }),
  },
  'mark 50 messages as read': {
    before: async () => {
      let id = 0;
      for (let n = 0; n < 50; n++) id = await message();
      return id;
    },
    call: (newest) =>
      max.post('/messages/flags', {
        messages: Array.from({ length: 50 }, (_, n) => newest - n),
        op: 'add',
        flag: 'read',
      }),
  },
  'poll with a message': { before: messageToPoll, call: () => queue.request(), isWeighed: true },
  presence: { call: () => max.post('/users/me/presence', { status: 'active' }) },
  typing: {
    call: () =>
      max.post('/typing', { op: 'start', type: 'channel', stream_id: channels.small, topic: 'costs' }),
  },
};

/** Without the digits of IDs and times, which grow. */
function weight(answer: Answer): number {
  return Buffer.byteLength(JSON.stringify(answer.body).replace(/\d+/g, '0'));
}

async function measure({ before, call, isWeighed }: Request): Promise<Figures & { texts: string[] }> {
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
    texts: tallies.at(-1)?.texts ?? [],
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

it.each(Object.keys(REQUESTS))('%s costs what it did', async (name) => {
  expect(complaint(name, await measure(REQUESTS[name] as Request))).toBeNull();
});

it('writes as many rows for 300 subscribers as for 3', () => {
  expect(allowed('send to 300 subscribers')).toEqual(allowed('send to 3 subscribers'));
});

it('knows every request of the table', () => {
  expect(lines.filter(([, on]) => on === engine).map(([name]) => name)).toEqual(Object.keys(REQUESTS));
});
