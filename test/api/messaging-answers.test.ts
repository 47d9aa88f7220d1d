import { Database } from '../../src/platform/database/database.service';
import { TransactionService } from '../../src/platform/database/transaction.service';
import { JobStore } from '../../src/platform/jobs/job-store';
import { Jobs } from '../../src/platform/jobs/jobs.service';
import { createChannel } from '../support/channel-setup';
import { expectSuccess } from '../support/expect-answer';
import { LocalReceiver } from '../support/local-receiver';
import { sendTo } from '../support/message-setup';
import {
  deliver,
  formDelivery,
  messagesIn,
  WEBHOOK_SECRET,
  whatsappDelivery,
  whatsappMessage,
} from '../support/messaging-setup';
import { StoppedTimeOfDay } from '../support/test-clocks';
import { TestApp } from '../support/test-app';

const HOUR_MS = 3_600_000;

const clock = new StoppedTimeOfDay();
let app: TestApp;
let receiver: LocalReceiver;

beforeAll(async () => {
  receiver = await LocalReceiver.start();
  app = await TestApp.start({
    clock,
    env: {
      WEBHOOK_SECRET,
      MESSAGING_SEND_URL: `${receiver.origin.replace('//', '//me:pass%20word@')}/send?a=1`,
    },
  });
});

afterAll(async () => {
  await app.stop();
  await receiver.stop();
});

beforeEach(() => receiver.answer({}));

/** Waits until everything that is due was handed on. */
const delivered = () => app.get(Jobs).runDue();

async function deliveredAfter(ms: number): Promise<void> {
  clock.aheadMs += ms;
  await delivered();
}

const bodies = () => receiver.requests.map(({ body }) => JSON.parse(body));
const texts = () => bodies().map(({ text }) => text);
const waiting = () => app.get(Database).read.query("SELECT * FROM job WHERE kind = 'messaging_answer'");

/** Somebody new writes from outside. @returns the topic */
async function newSender(from: string): Promise<string> {
  await deliver(app, formDelivery({ from }));
  return from;
}

const contentsOf = async (topic: string) =>
  (await messagesIn(app, app.cast.olivia))
    .filter(({ subject }) => subject === topic)
    .map(({ content }) => content);

describe('An answer', () => {
  it('is posted to the address, with its own credentials [COMP-webhook-answers]', async () => {
    const { olivia } = app.cast;
    await deliver(app, whatsappDelivery([whatsappMessage()]));
    const id = await sendTo(app, olivia, 'messaging', 'Kerry Fisher (+49151123)', 'On **my** way');
    await delivered();
    expect(receiver.requests).toEqual([expect.objectContaining({ method: 'POST', path: '/send?a=1' })]);
    expect(receiver.requests[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from('me:pass word').toString('base64')}`,
    });
    expect(bodies()).toEqual([
      {
        id: expect.stringMatching(/^answer-\d+$/),
        to: '49151123',
        source: 'whatsapp',
        via: '777',
        text: 'On **my** way',
        sender_full_name: olivia.fullName,
        message_id: id,
        timestamp: clock.nowSeconds(),
      },
    ]);
    expect(await waiting()).toEqual([]);
  });

  it('is posted by itself, as soon as it is sent', async () => {
    const topic = await newSender('Impatient');
    const told = new Promise((resolve) => {
      receiver.answer((request, response) => {
        response.end('{}');
        resolve(JSON.parse(request.body).text);
      });
    });
    await sendTo(app, app.cast.adam, 'messaging', topic, 'at once');
    await expect(told).resolves.toBe('at once');
    await delivered();
  });

  it('is what people write in the topic of a sender, and nothing else', async () => {
    const { olivia, mia, robo } = app.cast;
    const topic = await newSender('Quiet');
    await sendTo(app, olivia, 'messaging', 'among us', 'internal');
    await sendTo(app, olivia, 'general', topic, 'elsewhere');
    const id = await createChannel(app, mia, 'robots');
    await sendTo(app, robo, id, topic, 'a bot elsewhere');
    expectSuccess(
      await app.as(olivia).post('/users/me/subscriptions', {
        subscriptions: [{ name: 'messaging' }],
        principals: [robo.id],
      }),
    );
    await sendTo(app, robo, 'messaging', topic, 'a bot');
    await newSender('Quiet');
    await delivered();
    expect(texts()).toEqual([]);
    await sendTo(app, olivia, 'messaging', 'QUIET', 'an answer');
    await delivered();
    expect(texts()).toEqual(['an answer']);
  });

  it('follows the topic, and stays with it where that is renamed', async () => {
    const { olivia } = app.cast;
    const topic = await newSender('Renamed');
    const id = await sendTo(app, olivia, 'messaging', topic, 'first');
    expectSuccess(
      await app.as(olivia).patch(`/messages/${id}`, { topic: '✔ Renamed', propagate_mode: 'change_all' }),
    );
    await sendTo(app, olivia, 'messaging', '✔ Renamed', 'second');
    await sendTo(app, olivia, 'messaging', 'Renamed', 'among us');
    await delivered();
    expect(texts()).toEqual(['first', 'second']);
    expect(new Set(bodies().map(({ to }) => to))).toEqual(new Set(['Renamed']));
  });

  it('is not told of when it is edited or deleted later, and not at all when it is deleted before', async () => {
    const { olivia } = app.cast;
    const topic = await newSender('Editor');
    receiver.answer({}, 500);
    const [edited, deleted] = [
      await sendTo(app, olivia, 'messaging', topic, 'befor'),
      await sendTo(app, olivia, 'messaging', topic, 'never'),
    ];
    await delivered();
    expectSuccess(await app.as(olivia).patch(`/messages/${edited}`, { content: 'before' }));
    expectSuccess(await app.as(olivia).delete(`/messages/${deleted}`));
    receiver.answer({});
    await deliveredAfter(5_000);
    expect(texts()).toEqual(['before']);
    expectSuccess(await app.as(olivia).patch(`/messages/${edited}`, { content: 'later' }));
    expectSuccess(await app.as(olivia).delete(`/messages/${edited}`));
    await deliveredAfter(HOUR_MS);
    expect(texts()).toEqual(['before']);
  });
});

describe('An answer that is not taken', () => {
  it('is posted again, later each time, and those after it wait [COMP-webhook-answers]', async () => {
    const { olivia } = app.cast;
    const topic = await newSender('Flaky');
    const other = await newSender('Healthy');
    receiver.answer((request, response) => {
      response.writeHead(JSON.parse(request.body).to === 'Flaky' ? 503 : 200).end();
    });
    for (const text of ['one', 'two', 'three']) await sendTo(app, olivia, 'messaging', topic, text);
    await sendTo(app, olivia, 'messaging', other, 'passes');
    await delivered();
    expect(texts().sort()).toEqual(['one', 'passes']);
    for (const [ms, posts] of [
      [4_999, 2],
      [1, 3],
      [30_000, 4],
      [120_000, 5],
    ] as const) {
      await deliveredAfter(ms);
      expect(receiver.requests).toHaveLength(posts);
    }
    const sameId = new Set(
      bodies()
        .filter(({ text }) => text === 'one')
        .map(({ id }) => id),
    );
    expect(sameId.size).toBe(1);
    receiver.answer({});
    await deliveredAfter(600_000);
    expect(texts()).toEqual(['one', 'two', 'three']);
    expect(await waiting()).toEqual([]);
  });

  it('is given up after a day, which is said in its topic', async () => {
    const topic = await newSender('Gone');
    receiver.answer({}, 404);
    const id = await sendTo(app, app.cast.olivia, 'messaging', topic, 'anybody?');
    await delivered();
    let hours = 0;
    while ((await waiting()).length > 0 && hours < 48) {
      await deliveredAfter(HOUR_MS / 2);
      hours += 0.5;
    }
    expect(hours).toBeGreaterThan(22);
    expect(hours).toBeLessThan(25);
    expect((await contentsOf(topic)).at(-1)).toBe(
      `Message ${id} was not delivered: the receiver responded with status 404. It will not be retried.`,
    );
    receiver.answer({});
    await delivered();
    expect(texts()).toEqual([]);
  });

  it.each([400, 413, 422])(
    'is given up at once where the receiver will never take it: %d',
    async (status) => {
      const topic = await newSender(`Refused ${status}`);
      receiver.answer({}, status);
      await sendTo(app, app.cast.olivia, 'messaging', topic, 'bad');
      await delivered();
      expect(receiver.requests).toHaveLength(1);
      expect(await waiting()).toEqual([]);
      expect((await contentsOf(topic)).at(-1)).toContain(`status ${status}`);
    },
  );

  it('is taken in hand by one node only, and by another when that one is gone', async () => {
    const store = new JobStore(app.get(Database), app.get(TransactionService), clock, 'another node');
    const due = {
      kind: 'messaging_answer',
      isOrdered: true,
      exceptGroups: [],
      exceptIds: [],
      longestRetryMs: 0,
    };
    const topic = await newSender('Nodes');
    receiver.answer((_request, response) => response.destroy());
    await sendTo(app, app.cast.olivia, 'messaging', topic, 'a');
    await sendTo(app, app.cast.olivia, 'messaging', topic, 'b');
    await delivered();
    clock.aheadMs += 5_000;
    const taken = await Promise.all(Array.from({ length: 10 }, () => store.take(due, () => true)));
    expect(taken.flat()).toHaveLength(1);
    receiver.answer({});
    await delivered();
    expect(texts()).toEqual([]);
    await deliveredAfter(60_000);
    expect(texts()).toEqual(['a', 'b']);
  });
});

describe('The mock log', () => {
  let mock: TestApp;

  beforeAll(async () => {
    mock = await TestApp.start({ env: { WEBHOOK_SECRET } });
    await deliver(mock, formDelivery({ from: 'Tester' }));
    for (let n = 0; n < 5; n++) await sendTo(mock, mock.cast.olivia, 'messaging', 'Tester', `answer ${n}`);
    await mock.get(Jobs).runDue();
  });

  afterAll(() => mock.stop());

  it('has what would have been posted, in pages [COMP-mock-log, COMP-mock-log-administrators]', async () => {
    const client = await mock.companionAs(mock.cast.adam);
    const first = await client.get('/messaging/mock-log?page_size=3');
    expect(first).toMatchObject({ status: 200, body: { total: 5, page: 1, page_size: 3 } });
    expect(first.body.items[0]).toEqual({
      id: expect.any(Number),
      logged_at: expect.any(Number),
      payload: {
        id: expect.stringMatching(/^answer-\d+$/),
        to: 'Tester',
        source: 'form',
        via: null,
        text: 'answer 0',
        sender_full_name: mock.cast.olivia.fullName,
        message_id: expect.any(Number),
        timestamp: expect.any(Number),
      },
    });
    const rest = await client.get(`/messaging/mock-log?limit=3&cursor=${first.body.next_cursor}`);
    const all = [...first.body.items, ...rest.body.items].map(({ payload }) => payload.text);
    expect(all).toEqual([0, 1, 2, 3, 4].map((n) => `answer ${n}`));
    expect(rest.body.next_cursor).toBeNull();
    expect((await client.get('/messaging/mock-log?limit=3&page_size=3')).status).toBe(422);
    expect((await client.get('/messaging/mock-log?page_size=500')).body.page_size).toBe(100);
  });

  it('is for administrators alone [COMP-mock-log, COMP-mock-log-administrators]', async () => {
    expect((await mock.companion().get('/messaging/mock-log')).status).toBe(401);
    const secret = { 'x-webhook-secret': WEBHOOK_SECRET };
    expect((await mock.companion().get('/messaging/mock-log', secret)).status).toBe(401);
    for (const who of [mock.cast.mona, mock.cast.max, mock.cast.gus]) {
      expect((await (await mock.companionAs(who)).get('/messaging/mock-log')).status).toBe(403);
    }
    expect((await (await mock.companionAs(mock.cast.olivia)).get('/messaging/mock-log')).status).toBe(200);
  });
});
