import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as moment } from 'node:timers/promises';
import { Jobs } from '../../src/platform/jobs/jobs.service';
import { compiledServer } from '../support/compiled-server';
import { LocalReceiver } from '../support/local-receiver';
import { sendTo } from '../support/message-setup';
import { deliver, formDelivery, messagesIn, WEBHOOK_SECRET } from '../support/messaging-setup';
import { ServerProcess } from '../support/server-process';
import { TestApp } from '../support/test-app';
import { createTestDatabase, hasPostgres, type TestDatabase } from '../support/test-database';

// Each start takes its time where other tests run beside.
jest.setTimeout(180_000);

const texts = (receiver: LocalReceiver): string[] =>
  receiver.requests.map(({ body }) => JSON.parse(body).text);

describe('the messaging bridge of a server that is killed', () => {
  let dataDir: string;
  let database: TestDatabase;
  let receiver: LocalReceiver;
  let server: ServerProcess;
  let url: URL;

  async function start(): Promise<void> {
    const bridge = { WEBHOOK_SECRET, MESSAGING_SEND_URL: receiver.origin };
    server = new ServerProcess([compiledServer()], {
      env: { ...database.env, ...bridge, DATA_DIR: dataDir, LOG_LEVEL: 'warn', RATE_LIMIT_PER_MINUTE: '0' },
    });
    url = await server.ready();
  }

  async function kill(): Promise<void> {
    server.signal('SIGKILL');
    await server.exitCode();
  }

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'parley-messaging-'));
    database = await createTestDatabase();
    receiver = await LocalReceiver.start();
    await start();
  });

  afterAll(async () => {
    await kill();
    await receiver.stop();
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  /** Delivers something. @returns the ID of the message, or null where no answer came */
  async function post(delivery: object): Promise<number | null> {
    const answer = await fetch(new URL('/api/messaging/webhook', url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-webhook-secret': WEBHOOK_SECRET },
      body: JSON.stringify(delivery),
    }).catch(() => null);
    if (!answer) return null;
    expect(answer.status).toBe(200);
    const { messages } = (await answer.json()) as { messages: { message_id: number }[] };
    return messages[0]?.message_id ?? null;
  }

  async function asOwner(method: string, path: string, parameters: Record<string, string>) {
    const rc = readFileSync(join(dataDir, 'zuliprc'), 'utf8');
    const value = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(rc)?.[1] ?? '';
    const form = new URLSearchParams(parameters);
    const isGet = method === 'GET';
    const answer = await fetch(new URL(`/api/v1${path}${isGet ? `?${form.toString()}` : ''}`, url), {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(`${value('email')}:${value('key')}`).toString('base64')}`,
      },
      ...(isGet ? {} : { body: form }),
    });
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look at any key of any answer
    return (await answer.json()) as any;
  }

  it('forgets no answer, and posts nothing again that is delivered again [COMP-webhook-once, COMP-webhook-answers]', async () => {
    const deliveries = Array.from({ length: 40 }, (_, n) => formDelivery({ from: 'Caller', text: `${n}` }));
    const known = new Map<object, number | null>();
    const first = deliveries.map(async (delivery) => known.set(delivery, await post(delivery)));
    await moment(150);
    await kill();
    await Promise.all(first);

    receiver.answer({}, 503);
    await start();
    for (const delivery of deliveries) {
      const id = await post(delivery);
      expect([null, id]).toContain(known.get(delivery));
    }
    const narrow = JSON.stringify([{ operator: 'topic', operand: 'Caller' }]);
    const query = { anchor: 'newest', num_before: '100', num_after: '0', apply_markdown: 'false', narrow };
    const { messages } = await asOwner('GET', '/messages', query);
    const contents = messages.map(({ content }: { content: string }) => content);
    expect(contents.sort()).toEqual(deliveries.map(({ text }) => text).sort());

    for (const content of ['one', 'two']) {
      await asOwner('POST', '/messages', { type: 'channel', to: '"messaging"', topic: 'Caller', content });
    }
    while (receiver.requests.length === 0) await moment(20);
    await kill();
    receiver.answer({});
    await start();
    while (receiver.requests.length < 2) await moment(50);
    expect(texts(receiver)).toEqual(['one', 'two']);
  });
});

const describeOnPostgres = hasPostgres ? describe : describe.skip;

describeOnPostgres('the messaging bridge of two nodes', () => {
  let receiver: LocalReceiver;
  let one: TestApp;
  let other: TestApp;

  beforeAll(async () => {
    receiver = await LocalReceiver.start();
    one = await TestApp.start({
      engine: 'postgres',
      env: { WEBHOOK_SECRET, MESSAGING_SEND_URL: receiver.origin },
    });
    other = await one.anotherNode();
  });

  afterAll(async () => {
    await other.stop();
    await one.stop();
    await receiver.stop();
  });

  it('posts a message once, wherever it is delivered, and its senders have a topic each [COMP-webhook-once, COMP-webhook-topics]', async () => {
    const senders = [formDelivery({ from: 'Ann' }), formDelivery({ from: 'ann' })];
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => deliver(n % 2 === 0 ? one : other, senders[(n >> 1) % 2])),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
    const messages = await messagesIn(other, one.cast.olivia);
    expect(messages).toHaveLength(2);
    expect(new Set(messages.map(({ subject }) => subject.toLowerCase())).size).toBe(2);
  });

  it('hands on every answer once and in its order, whichever node took it', async () => {
    const { olivia, adam } = one.cast;
    await deliver(one, formDelivery({ from: 'Bob' }));
    receiver.answer({});
    const sent: string[] = [];
    for (let n = 0; n < 20; n++) {
      sent.push(`${n}`);
      await sendTo(n % 2 === 0 ? one : other, n % 3 === 0 ? olivia : adam, 'messaging', 'Bob', `${n}`);
    }
    while (receiver.requests.length < sent.length) {
      await Promise.all([one, other].map((app) => app.get(Jobs).runDue()));
    }
    expect(texts(receiver)).toEqual(sent);
  });
});
