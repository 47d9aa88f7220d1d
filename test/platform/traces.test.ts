import { Database } from '../../src/platform/database/database.service';
import { TransactionService } from '../../src/platform/database/transaction.service';
import { Jobs } from '../../src/platform/jobs/jobs.service';
import { expectSuccess } from '../support/expect-answer';
import { LocalReceiver } from '../support/local-receiver';
import { sendDirect } from '../support/message-setup';
import { TestApp } from '../support/test-app';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const SECRET_TEXT = 'Nobody else reads this';

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
  readonly status: { readonly code?: number };
}

let app: TestApp;
let collector: LocalReceiver;

beforeEach(async () => {
  collector = await LocalReceiver.start();
});

afterEach(() => collector.stop());

const start = async (env: Record<string, string> = {}) => {
  app = await TestApp.start({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.origin}/`,
      OTEL_TRACES_SAMPLER_ARG: '1',
      OUTGOING_WEBHOOKS_PRIVATE_NETWORKS: '127.0.0.1',
      ...env,
    },
    withoutLaw: 'it asks much beside what is tested',
  });
};

const sent = () =>
  collector.requests
    .filter(({ path }) => path === '/v1/traces')
    .flatMap(({ body }) => JSON.parse(body).resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans as Span[]);

/** What the collector has once the server has stopped, which sends the rest. */
async function collected(): Promise<Span[]> {
  await app.stop();
  return sent();
}

const attributesOf = ({ attributes }: Span) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

const SEND = 'POST /api/v1/messages';

describe('Spans of requests and jobs', () => {
  it('have the transactions and calls in them, and no text, name or secret', async () => {
    await start({ OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20b3BlbjpzZXNhbWU' });
    const { mia, max } = app.cast;
    const { user_id: bot } = expectSuccess(
      await app.as(max).post('/bots', {
        full_name: 'Hook',
        short_name: 'hook',
        bot_type: 3,
        payload_url: `${collector.origin}/hook/path-with-a-secret`,
      }),
    );
    await sendDirect(app, mia, [{ id: bot }], SECRET_TEXT);
    await app.get(Jobs).runDue();
    const [called] = collector.requests.filter(({ path }) => path.startsWith('/hook'));
    const spans = await collected();

    const request = spans.find(({ name }) => name === SEND) as Span;
    expect(request).toMatchObject({ kind: 2, status: {} });
    expect(request).not.toHaveProperty('parentSpanId');
    expect(attributesOf(request)).toEqual({
      'http.request.method': 'POST',
      'http.response.status_code': '200',
      'http.route': '/api/v1/messages',
      'parley.request_id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    const parts = spans.filter(({ parentSpanId }) => parentSpanId === request.spanId);
    expect(parts.map(({ name, traceId }) => [name, traceId])).toEqual([['transaction', request.traceId]]);
    const [part] = parts as [Span];
    expect(attributesOf(part)).toEqual({
      'db.system.name': app.get(Database).engine,
      'parley.exclusive': false,
    });
    expect(BigInt(part.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(request.startTimeUnixNano));
    expect(BigInt(part.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(request.endTimeUnixNano));
    expect(Number(request.startTimeUnixNano) / 1e6).toBeGreaterThan(Date.now() - 60_000);

    const job = spans.find(({ name }) => name === 'job outgoing_webhook') as Span;
    const call = spans.find(({ name }) => name === 'webhook') as Span;
    expect(call).toMatchObject({ kind: 3, traceId: job.traceId, parentSpanId: job.spanId });
    expect(attributesOf(call)).toMatchObject({
      'server.address': '127.0.0.1',
      'http.response.status_code': '200',
    });
    // Who is called can go on with the trace.
    expect(called?.headers.traceparent).toBe(`00-${call.traceId}-${call.spanId}-01`);

    const { headers } = collector.requests.find(({ path }) => path === '/v1/traces') ?? {};
    expect(headers).toMatchObject({
      authorization: 'Basic b3BlbjpzZXNhbWU',
      'content-type': 'application/json',
    });
    const everything = JSON.stringify(spans);
    for (const text of [SECRET_TEXT, 'path-with-a-secret', mia.fullName, mia.email, 'sesame', '@'])
      expect(everything).not.toContain(text);
  });

  it('belong to the trace that a trusted proxy names, and to that of nobody else', async () => {
    await start({ TRUSTED_PROXIES: '10.0.0.1', OTEL_TRACES_SAMPLER_ARG: '0' });
    const ask = (remoteAddress: string, traceparent: string) =>
      app.nest.inject({
        method: 'GET',
        url: '/api/v1/server_settings',
        remoteAddress,
        headers: { traceparent },
      });
    await ask('10.0.0.1', `00-${TRACE}-${PARENT}-01`);
    // It does not want it recorded.
    await ask('10.0.0.1', `00-${TRACE}-${PARENT}-00`);
    await ask('10.0.0.1', `00-${'0'.repeat(32)}-${PARENT}-01`);
    await ask('10.0.0.1', 'nonsense');
    await ask('10.0.0.2', `00-${TRACE}-${PARENT}-01`);
    const spans = await collected();
    expect(spans.map(({ name, traceId, parentSpanId }) => [name, traceId, parentSpanId])).toEqual([
      ['GET /api/v1/server_settings', TRACE, PARENT],
    ]);
  });

  it('are kept of what fails, whatever else is, and marked', async () => {
    await start({ OTEL_TRACES_SAMPLER_ARG: '0' });
    const { mia } = app.cast;
    await sendDirect(app, mia, [mia], SECRET_TEXT);
    // A refusal is none.
    expect((await app.as(mia).post('/messages', {})).status).toBe(400);
    const goOn = await app.get(TransactionService).pauseWrites(() => Promise.resolve());
    expect((await app.as(mia).post('/messages', {})).status).toBe(503);
    goOn();
    const spans = await collected();
    expect(spans.map(({ name, status }) => [name, status])).toEqual([[SEND, { code: 2 }]]);
  });

  it('say of which kind the failure of a part was, and no more', async () => {
    await start();
    const { mia } = app.cast;
    const id = await sendDirect(app, mia, [mia], SECRET_TEXT);
    const rename = (from: string, to: string) =>
      app.writeRows((tx) => tx.query(`ALTER TABLE ${from} RENAME TO ${to}`));
    await rename('reaction', 'reaction_away');
    const answer = await app.as(mia).post(`/messages/${id}/reactions`, { emoji_name: 'tada' });
    expect(answer.status).toBe(500);
    await rename('reaction_away', 'reaction');
    const failed = (await collected()).filter(({ status }) => status.code === 2);
    expect(
      failed.map(({ name, attributes }) => [name, attributes.find(({ key }) => key === 'error.type')]),
    ).toEqual([
      ['transaction', { key: 'error.type', value: { stringValue: expect.stringMatching(/Error$/) } }],
      ['POST /api/v1/messages/:message_id(\\d+)/reactions', undefined],
    ]);
  });

  it('are dropped and counted while the collector is away', async () => {
    await start();
    collector.answer({}, 503);
    const { mia } = app.cast;
    const figure = async (outcome: string) => {
      const { body } = await app.nest.inject('/metrics');
      return Number(new RegExp(`^parley_spans_total\\{outcome="${outcome}"\\} (\\d+)$`, 'm').exec(body)?.[1]);
    };
    // More than go out at once.
    const asked = 600;
    for (let count = 0; count < asked; count++) await app.as(mia).get('/users/me');
    while ((await figure('dropped')) < 512) await new Promise(setImmediate);
    collector.answer({});
    const spans = await collected();
    expect(spans.length).toBeGreaterThan(0);
    expect(spans.length).toBeLessThan(asked);
  });
});

describe('With a collector that takes what it is sent and never answers', () => {
  it('no request waits, and no more is kept than can be sent later', async () => {
    await start();
    collector.answer(() => undefined);
    const { mia } = app.cast;
    const ask = () => app.as(mia).get('/users/me');
    for (let asked = 0; asked < 3_000; asked += 50) await Promise.all(Array.from({ length: 50 }, ask));
    while (collector.requests.length === 0) await new Promise(setImmediate);
    const { body } = await app.nest.inject('/metrics');
    // 512 at most are on their way, and 2,048 wait.
    const dropped = Number(/^parley_spans_total\{outcome="dropped"\} (\d+)$/m.exec(body)?.[1]);
    expect(dropped).toBeGreaterThanOrEqual(3_000 - 512 - 2_048);
    expect(collector.requests).toHaveLength(1);
    const began = Date.now();
    await app.stop();
    // It waits for two seconds at the end, not for ever.
    expect(Date.now() - began).toBeLessThan(30_000);
  });
});

describe('Without a collector', () => {
  it('nothing is recorded', async () => {
    app = await TestApp.start({ env: { OTEL_TRACES_SAMPLER_ARG: '1' } });
    const { mia } = app.cast;
    await sendDirect(app, mia, [mia], SECRET_TEXT);
    expect((await app.nest.inject('/metrics')).body).not.toContain('parley_spans_total{');
    await app.stop();
    expect(collector.requests).toEqual([]);
  });
});
