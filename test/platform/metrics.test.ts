import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LiveQueues } from '../../src/features/realtime/queues/live-queues.directory';
import { expectSuccess } from '../support/expect-answer';
import { sendDirect } from '../support/message-setup';
import { TestApp } from '../support/test-app';
import { UnreadRequests } from '../support/unread-requests';

const TOKEN = 'a-token-for-the-figures';

interface Asked {
  readonly remoteAddress?: string;
  readonly headers?: Record<string, string>;
}

async function ask(app: TestApp, { remoteAddress, headers }: Asked = {}) {
  const answer = await app.nest.inject({ method: 'GET', url: '/metrics', remoteAddress, headers });
  return { status: answer.statusCode, text: answer.body, headers: answer.headers };
}

/** The value behind a name, which may have labels. */
async function figure(app: TestApp, name: string): Promise<number> {
  const { text } = await ask(app);
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  if (line === undefined) throw new Error(`There is no ${name}.`);
  return Number(line.slice(name.length + 1));
}

describe('/metrics', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.start({ env: { TRUSTED_PROXIES: '10.0.0.1' } });
  });

  afterAll(() => app.stop());

  it('are in the form of Prometheus', async () => {
    const { status, text, headers } = await ask(app);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    const lines = text.split('\n').filter((line) => line !== '');
    const form = /^(# (HELP|TYPE) \w+ .+|\w+(\{(\w+="[^"]*",?)+\})? (-?[\d.]+(e[+-]?\d+)?|\+Inf|Nan))$/i;
    expect(lines.filter((line) => !form.test(line))).toEqual([]);
    expect(text).toContain('process_cpu_seconds_total');
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
    expect(text).toContain('nodejs_gc_duration_seconds');
    expect(text).toMatch(
      /^parley_build_info\{version="[\d.]+",interface_version="12\.0",feature_level="\d+",.*\} 1$/m,
    );
  });

  it('stand in the table of docs/operations.md', async () => {
    const page = readFileSync(join(__dirname, '../../docs/operations.md'), 'utf8');
    const { text } = await ask(app);
    const names = [...text.matchAll(/^# TYPE (parley_\w+)/gm)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it('tell by route how long requests take, whatever paths people make up', async () => {
    const { mia } = app.cast;
    const count = (labels: string) => figure(app, `parley_http_request_duration_seconds_count{${labels}}`);
    expectSuccess(await app.as(mia).get(`/users/${mia.id}`));
    expect((await ask(app)).text).toMatch(/route="\/api\/v1\/users\/:\w+[^"]*",status="2xx"/);
    await app.client().get('/nowhere/1');
    await app.client().get('/nowhere/2');
    await app.nest.inject({ method: 'PUT', url: '/nowhere' });
    expect(await count('method="any",route="none",status="4xx"')).toBe(3);
    expect((await ask(app)).text).not.toContain('nowhere');
  });

  it('count queues, parked polls and what is in the log', async () => {
    const { mia, max } = app.cast;
    const length = await figure(app, 'parley_event_log_length');
    const queue = await app.queue(mia);
    const polled = queue.wait();
    while (!app.get(LiveQueues).byId(queue.id)?.parked) await new Promise(setImmediate);
    // Others may watch as well.
    const live = [...app.get(LiveQueues).all()];
    expect(await figure(app, 'parley_event_queues')).toBe(live.length);
    expect(await figure(app, 'parley_parked_polls')).toBe(live.filter(({ parked }) => parked).length);
    await sendDirect(app, max, [mia], 'hello');
    await polled;
    expect(await figure(app, 'parley_parked_polls')).toBe(0);
    expect(await figure(app, 'parley_event_log_length')).toBeGreaterThan(length);
    expect(await figure(app, 'parley_event_log_lag')).toBe(0);
    expect(await figure(app, 'parley_event_delay_seconds_count')).toBeGreaterThan(0);
    expect(await figure(app, 'parley_event_log_oldest_age_seconds')).toBeGreaterThanOrEqual(0);
    expect(await figure(app, 'parley_write_wait_seconds_count')).toBeGreaterThan(0);
    expect(await figure(app, 'parley_write_queue_depth')).toBe(0);
    expect(await figure(app, 'parley_write_queue_oldest_seconds')).toBe(0);
  });

  it('count what clients do not read, and the connections that are closed for that', async () => {
    await app.nest.listen(0, '127.0.0.1');
    const requests = new UnreadRequests(app.nest.getHttpServer());
    expect(await figure(app, 'parley_unread_connections_closed_total')).toBe(0);
    try {
      await requests.ask(Array<string>(15).fill('/api/docs'));
      await requests.settled(15);
      expect(await figure(app, 'parley_unread_answer_bytes')).toBeGreaterThan(5 * 65_536);
      for (let count = 2; count <= 60; count++) await requests.ask(Array<string>(15).fill('/api/docs'));
      await requests.settled(60 * 15);
      const closed = requests.connections.filter(({ destroyed }) => destroyed).length;
      expect(closed).toBeGreaterThan(0);
      expect(await figure(app, 'parley_unread_connections_closed_total')).toBe(closed);
      expect(await figure(app, 'parley_unread_answer_bytes')).toBeLessThanOrEqual(32 * 1024 * 1024);
    } finally {
      await requests.leave();
    }
    expect(await figure(app, 'parley_unread_answer_bytes')).toBe(0);
  });

  it('count failed logins, and those that were refused', async () => {
    const login = () =>
      app.client().post('/fetch_api_key', { username: 'max@example.com', password: 'wrong' });
    await Promise.all(Array.from({ length: 8 }, login));
    expect(await figure(app, 'parley_logins_failed_total')).toBe(5);
    expect(await figure(app, 'parley_logins_throttled_total')).toBe(3);
  });

  it.each<[string, Asked, number]>([
    ['the machine itself', {}, 200],
    ['the machine itself over IPv6', { remoteAddress: '::1' }, 200],
    ['the machine itself, mapped', { remoteAddress: '::ffff:127.0.0.1' }, 200],
    ['another machine', { remoteAddress: '10.0.0.2' }, 403],
    [
      'a trusted proxy on behalf of another machine',
      { remoteAddress: '10.0.0.1', headers: { 'x-forwarded-for': '192.0.2.1' } },
      403,
    ],
    [
      'a trusted proxy that says it is this machine',
      { remoteAddress: '10.0.0.1', headers: { 'x-forwarded-for': '127.0.0.1' } },
      403,
    ],
    [
      'another machine that says so',
      { remoteAddress: '10.0.0.2', headers: { 'x-forwarded-for': '127.0.0.1' } },
      403,
    ],
    ['a proxy on this machine that is not known', { headers: { 'x-forwarded-for': '192.0.2.1' } }, 403],
    ['a proxy on this machine that says where it stands', { headers: { via: '1.1 proxy' } }, 403],
    ['something that is no address', { remoteAddress: 'nowhere' }, 403],
  ])('asked for by %s', async (_, asked, status) => {
    const answer = await ask(app, asked);
    expect(answer.status).toBe(status);
    if (status === 403)
      expect(JSON.parse(answer.text)).toEqual({ detail: expect.stringContaining('METRICS_TOKEN') });
  });
});

describe('/metrics with a token', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.start({ env: { METRICS_TOKEN: TOKEN } });
  });

  afterAll(() => app.stop());

  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

  it('are for whoever has it, from anywhere', async () => {
    const asked = bearer(TOKEN);
    expect((await ask(app, { ...asked, remoteAddress: '192.0.2.1' })).status).toBe(200);
    expect((await ask(app, asked)).status).toBe(200);
  });

  it.each<[string, Asked]>([
    ['nothing', {}],
    ['another token', bearer('a-token-for-the-figure')],
    ['an empty one', bearer('')],
    ['another scheme', { headers: { authorization: `Basic ${TOKEN}` } }],
  ])('are refused with %s', async (_, asked) => {
    const answer = await ask(app, asked);
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="metrics"');
    expect(answer.text).not.toContain(TOKEN);
  });

  it('are not given for a key of an account', async () => {
    const { olivia } = app.cast;
    expect((await app.as(olivia).send({ method: 'GET', url: '/metrics' })).status).toBe(401);
  });
});
