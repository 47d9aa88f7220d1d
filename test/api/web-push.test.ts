import { Jobs } from '../../src/platform/jobs/jobs.service';
import type { Answer, Parameters } from '../support/api-client';
import { type BrowserClient, browserOf } from '../support/browser-client';
import type { Member } from '../support/cast';
import { createChannelWith } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { LocalReceiver } from '../support/local-receiver';
import { sendDirect, sendTo } from '../support/message-setup';
import { decryptPush, newReceiver, type PushReceiverKeys, vapidClaims } from '../support/push-receiver';
import { StoppedTimeOfDay } from '../support/test-clocks';
import { TestApp } from '../support/test-app';

const clock = new StoppedTimeOfDay();
let app: TestApp;
let service: LocalReceiver;
let channel: number;

beforeAll(async () => {
  service = await LocalReceiver.start();
  app = await TestApp.start({ clock, env: { OUTGOING_WEBHOOKS_PRIVATE_NETWORKS: '127.0.0.1' } });
  const { olivia, mia, max, gus } = app.cast;
  channel = await createChannelWith(app, olivia, [mia, max, gus], 'kitchen');
});

afterAll(async () => {
  await app.stop();
  await service.stop();
});

/** Nobody was active for a while. */
beforeEach(() => {
  clock.aheadMs += 3_600_000;
  service.answer('', 201);
});

/** A browser that is notified by the push service of these tests. */
interface Device {
  readonly browser: BrowserClient;
  readonly keys: PushReceiverKeys;
  readonly path: string;
  readonly id: number;
}

/** Only there are several nodes. */
const onPostgres = process.env.TEST_ENGINE === 'postgres' ? it : it.skip;

let devices = 0;

const subscriptionOf = (keys: PushReceiverKeys, endpoint: string): Parameters => ({
  endpoint,
  p256dh: keys.pair.getPublicKey().toString('base64url'),
  auth: keys.auth.toString('base64url'),
});

async function deviceOf(member: Member): Promise<Device> {
  const browser = await browserOf(app, member);
  const keys = newReceiver();
  const path = `/push/${++devices}`;
  const { id } = await added(browser, subscriptionOf(keys, service.origin + path));
  return { browser, keys, path, id };
}

async function added(browser: BrowserClient, subscription: Parameters): Promise<{ id: number }> {
  return expectSuccess(await browser.call('POST', '/json/web_push/subscriptions', subscription)) as never;
}

const stateOf = async (browser: BrowserClient) =>
  expectSuccess(await browser.call('GET', '/json/web_push')) as unknown as {
    public_key: string;
    subscriptions: { id: number; is_current: boolean }[];
  };

/** Lets everything happen that is due: first who is notified, then the notifications. */
async function delivered(): Promise<void> {
  await app.get(Jobs).runDue();
  await app.get(Jobs).runDue();
}

/** What a device has got, decrypted. */
const got = ({ keys, path }: Device) =>
  service.requests
    .filter((request) => request.path === path)
    .map(({ bytes }) => JSON.parse(decryptPush(bytes, keys)) as Record<string, unknown>);

const settings = async (member: Member, changes: Parameters) =>
  expectSuccess(await app.as(member).patch('/settings', changes));

const active = async (member: Member) =>
  expectSuccess(await app.as(member).post('/users/me/presence', { status: 'active', ping_only: true }));

const away = async ({ browser, id }: Device) =>
  expectSuccess(await browser.call('DELETE', `/json/web_push/subscriptions/${id}`));

describe('A browser that is registered', () => {
  it('gets a direct message, encrypted for it and signed by the server', async () => {
    const { mia, max } = app.cast;
    const device = await deviceOf(mia);
    const { public_key, subscriptions } = await stateOf(device.browser);
    expect(subscriptions).toEqual([
      {
        id: device.id,
        service: new URL(service.origin).host,
        created_at: expect.any(Number),
        is_current: true,
        quiet_until: null,
      },
    ]);
    const messageId = await sendDirect(app, max, [mia], 'Soup is **ready** &amp; hot');
    await delivered();
    expect(got(device)).toEqual([
      {
        kind: 'message',
        messageId,
        sentAt: expect.any(Number),
        sender: max.fullName,
        tag: `d${max.id}`,
        placeName: null,
        text: 'Soup is ready & hot',
        path: `/#narrow/dm/${[mia.id, max.id].sort((a, b) => a - b).join(',')}-dm/near/${messageId}`,
      },
    ]);
    const [request] = service.requests;
    expect(request!.headers).toMatchObject({
      'content-encoding': 'aes128gcm',
      ttl: '86400',
      topic: expect.stringMatching(/^[\w-]{32}$/),
      'content-length': String(request!.bytes.length),
    });
    expect(request!.body).not.toContain('Soup');
    expect(vapidClaims(request!, public_key)).toEqual({
      aud: service.origin,
      exp: Math.floor(clock.nowMs() / 1000) + 12 * 3600,
      sub: 'mailto:webmaster@localhost',
    });
    await away(device);
  });

  it('gets nothing while it is quiet, and what comes afterwards', async () => {
    const { mia, max } = app.cast;
    const device = await deviceOf(mia);
    const other = await deviceOf(mia);
    const quiet = (quiet_until: number, who = device) =>
      who.browser.call('PATCH', `/json/web_push/subscriptions/${device.id}`, { quiet_until });
    expectError(await quiet(-1), 'quiet_until is too small');
    const stranger = await deviceOf(max);
    expectError(await quiet(1, stranger), 'Invalid subscription ID');
    const until = clock.nowSeconds() + 60;
    expectSuccess(await quiet(until));
    expect((await stateOf(device.browser)).subscriptions).toContainEqual(
      expect.objectContaining({ id: device.id, quiet_until: until }),
    );
    await sendDirect(app, max, [mia], 'Psst');
    await delivered();
    expect([got(device).length, got(other).length]).toEqual([0, 1]);
    clock.aheadMs += 61_000;
    await sendDirect(app, max, [mia], 'Good morning');
    await delivered();
    expect(got(device)).toMatchObject([{ text: 'Good morning' }]);
    // The browser that registers anew says so again.
    const subscription = subscriptionOf(device.keys, service.origin + device.path);
    const renewed = await added(device.browser, { ...subscription, quiet_until: until + 3600 });
    expect(renewed.id).toBe(device.id);
    await sendDirect(app, max, [mia], 'Psst');
    await delivered();
    expect(got(device)).toHaveLength(1);
    await added(device.browser, subscription);
    expectSuccess(await quiet(0));
    await sendDirect(app, max, [mia], 'Once more');
    await delivered();
    expect(got(device)).toHaveLength(2);
    for (const each of [device, other, stranger]) await away(each);
  });

  it('gets mentions and alert words of channels, and the rest as the settings say', async () => {
    const { mia, max } = app.cast;
    const device = await deviceOf(mia);
    expectSuccess(await app.as(mia).post('/users/me/alert_words', { alert_words: ['heron'] }));
    const texts = async (topic: string, ...contents: string[]) => {
      service.answer('', 201);
      for (const content of contents) {
        await sendTo(app, max, channel, topic, content);
        await delivered();
      }
      return got(device).map(({ text }) => text);
    };
    expect(await texts('a', 'Nothing', 'Soup, @**Mia Member**?', 'A heron', '@**all** hear')).toEqual([
      'Soup, @Mia Member?',
      'A heron',
      '@all hear',
    ]);
    expect(got(device)[0]).toMatchObject({ tag: `c${channel} a`, placeName: '#kitchen › a' });
    const topic = { stream_id: channel, visibility_policy: 3 };
    expectSuccess(await app.as(mia).post('/user_topics', { ...topic, topic: 'followed' }));
    expect(await texts('followed', 'Followed')).toEqual(['Followed']);
    await settings(mia, { enable_followed_topic_push_notifications: false });
    expect(await texts('followed', 'Not told')).toEqual([]);
    await settings(mia, { enable_stream_push_notifications: true });
    expect(await texts('followed', 'All of the channel')).toEqual(['All of the channel']);
    await settings(mia, { wildcard_mentions_notify: false });
    expect(await texts('Channel', 'All of it')).toEqual(['All of it']);
    expectSuccess(await app.as(mia).post('/user_topics', { ...topic, topic: 'muted', visibility_policy: 1 }));
    expect(await texts('muted', 'Muted', '@**all** muted', '@**Mia Member** not muted')).toEqual([
      '@Mia Member not muted',
    ]);
    const own = { stream_id: channel, property: 'push_notifications', value: false };
    expectSuccess(await app.as(mia).post('/users/me/subscriptions/properties', { subscription_data: [own] }));
    expect(await texts('Channel', 'Not this channel', '@**all** neither')).toEqual([]);
    await settings(mia, { enable_offline_push_notifications: false });
    expect(await texts('a', '@**Mia Member**', 'heron')).toEqual([]);
    await sendDirect(app, max, [mia], 'Not told');
    await delivered();
    expect(got(device)).toEqual([]);
    const before = {
      enable_offline_push_notifications: true,
      enable_stream_push_notifications: false,
      wildcard_mentions_notify: true,
      enable_followed_topic_push_notifications: true,
    };
    await settings(mia, before);
    await away(device);
  });

  it('gets nothing of what its user has written, read, or cannot see', async () => {
    const { mia, max, olivia } = app.cast;
    const device = await deviceOf(mia);
    const elsewhere = await createChannelWith(app, olivia, [max], 'closed', { invite_only: true });
    const resume = await app.get(Jobs).pause();
    await sendDirect(app, mia, [max], 'From Mia');
    await sendTo(app, max, elsewhere, 'x', 'Is @**Mia Member** here?');
    const read = await sendDirect(app, max, [mia], 'Read');
    expectSuccess(await app.as(mia).post('/messages/flags', { messages: [read], op: 'add', flag: 'read' }));
    const deleted = await sendTo(app, max, channel, 'x', '@**Mia Member** deleted');
    expectSuccess(await app.as(olivia).delete(`/messages/${deleted}`));
    expectSuccess(await app.as(mia).post(`/users/me/muted_users/${max.id}`));
    await sendDirect(app, max, [mia], 'Muted');
    resume();
    await delivered();
    expect(got(device)).toEqual([]);
    expectSuccess(await app.as(mia).delete(`/users/me/muted_users/${max.id}`));
    await away(device);
  });

  onPostgres('gets a message that another node has taken', async () => {
    const { mia, max } = app.cast;
    const other = await app.anotherNode();
    await other.get(Jobs).onModuleDestroy();
    const device = await deviceOf(mia);
    const messageId = await sendDirect(other, max, [mia], 'From the other node');
    await delivered();
    expect(got(device)).toMatchObject([{ messageId }]);
    await away(device);
    await sendDirect(other, max, [mia], 'Nobody listens');
    await delivered();
    expect(got(device)).toHaveLength(1);
    await other.stop();
  });

  it('gets a mention that an edit adds', async () => {
    const { mia, max } = app.cast;
    const device = await deviceOf(mia);
    const id = await sendTo(app, max, channel, 'edited', 'Who?');
    await delivered();
    expect(got(device)).toEqual([]);
    expectSuccess(await app.as(max).patch(`/messages/${id}`, { content: '@**Mia Member**!' }));
    await delivered();
    expect(got(device)).toMatchObject([{ messageId: id, text: '@Mia Member!' }]);
    await away(device);
  });

  it('gets no text where the organization or its user forbids it', async () => {
    const { olivia, mia, max } = app.cast;
    const device = await deviceOf(mia);
    const next = async (send: () => Promise<unknown>) => {
      service.answer('', 201);
      await send();
      await delivered();
      return got(device);
    };
    const direct = () => sendDirect(app, max, [mia], 'A secret');
    const mention = () => sendTo(app, max, channel, 'x', 'A secret, @**Mia Member**');
    await settings(mia, { pm_content_in_desktop_notifications: false });
    expect(await next(direct)).toMatchObject([{ sender: max.fullName, text: null }]);
    expect(await next(mention)).toMatchObject([{ text: 'A secret, @Mia Member' }]);
    await settings(mia, { pm_content_in_desktop_notifications: true });
    const content = (isAllowed: boolean) => ({ message_content_allowed_in_email_notifications: isAllowed });
    expectSuccess(await app.as(olivia).patch('/realm', content(false)));
    expect(await next(direct)).toMatchObject([{ text: null }]);
    expect(await next(mention)).toMatchObject([{ text: null }]);
    expectSuccess(await app.as(olivia).patch('/realm', content(true)));
    expect(await next(direct)).toMatchObject([{ text: 'A secret' }]);
    await away(device);
  });

  it('fits a long message from many people into what push services take', async () => {
    const { mia, max } = app.cast;
    const device = await deviceOf(mia);
    await sendDirect(app, max, [mia], `${'🦉'.repeat(3000)} end`);
    await delivered();
    expect(Array.from(String(got(device)[0]!['text']))).toHaveLength(200);
    await away(device);
  });
});

describe('A user who is active', () => {
  it('is told once they are gone, of what they have not read', async () => {
    const { mia, max } = app.cast;
    const device = await deviceOf(mia);
    await settings(mia, { enable_online_push_notifications: false });
    await active(mia);
    await sendDirect(app, max, [mia], 'While active');
    await delivered();
    clock.aheadMs += 100_000;
    await active(mia);
    clock.aheadMs += 60_000;
    await delivered();
    expect(got(device)).toEqual([]);
    clock.aheadMs += 150_000;
    await delivered();
    expect(got(device)).toMatchObject([{ text: 'While active' }]);
    service.answer('', 201);
    await active(mia);
    const read = await sendDirect(app, max, [mia], 'Read while active');
    await delivered();
    expectSuccess(await app.as(mia).post('/messages/flags', { messages: [read], op: 'add', flag: 'read' }));
    clock.aheadMs += 600_000;
    await delivered();
    expect(got(device)).toEqual([]);
    await settings(mia, { enable_online_push_notifications: true });
    await away(device);
  });

  it('is told a little later even if they stay, where they want that', async () => {
    const { mia, max } = app.cast;
    const device = await deviceOf(mia);
    await active(mia);
    await sendDirect(app, max, [mia], 'While active');
    await delivered();
    expect(got(device)).toEqual([]);
    clock.aheadMs += 210_000;
    await active(mia);
    await delivered();
    expect(got(device)).toMatchObject([{ text: 'While active' }]);
    await away(device);
  });
});

describe('A subscription', () => {
  it('is forgotten once its push service says that it has ended', async () => {
    const { mia, max } = app.cast;
    for (const status of [404, 410]) {
      const device = await deviceOf(mia);
      service.answer('', status);
      await sendDirect(app, max, [mia], 'Hello');
      await delivered();
      expect(got(device)).toHaveLength(1);
      expect((await stateOf(device.browser)).subscriptions).toEqual([]);
    }
  });

  it('is tried again where its push service fails, and not where that refuses', async () => {
    const { mia, max } = app.cast;
    const device = await deviceOf(mia);
    let status = 503;
    service.answer((_request, response) => response.writeHead(status).end());
    await sendDirect(app, max, [mia], 'Patience');
    await delivered();
    status = 201;
    clock.aheadMs += 60_000;
    await delivered();
    expect(got(device).map(({ text }) => text)).toEqual(['Patience', 'Patience']);
    service.answer('', 403);
    await sendDirect(app, max, [mia], 'Refused');
    await delivered();
    clock.aheadMs += 3_600_000;
    await delivered();
    expect(got(device)).toHaveLength(1);
    expect((await stateOf(device.browser)).subscriptions).toHaveLength(1);
    await away(device);
  });

  it('ends with its session, and goes to whoever signs in to that browser next', async () => {
    const { mia, max, olivia } = app.cast;
    const device = await deviceOf(mia);
    await device.browser.call('POST', '/accounts/logout/');
    await sendDirect(app, max, [mia], 'After signing out');
    await delivered();
    expect(got(device)).toEqual([]);
    const second = await deviceOf(mia);
    const next = await browserOf(app, max);
    await added(next, subscriptionOf(second.keys, service.origin + second.path));
    await sendDirect(app, olivia, [mia], 'For Mia');
    await sendDirect(app, olivia, [max], 'For Max');
    await delivered();
    expect(got(second).map(({ text }) => text)).toEqual(['For Max']);
    const { id } = (await stateOf(next)).subscriptions[0]!;
    expectSuccess(await next.call('DELETE', `/json/web_push/subscriptions/${id}`));
  });

  it('is one of at most 20, of which the oldest makes room', async () => {
    const { gus } = app.cast;
    const browser = await browserOf(app, gus);
    const ids: number[] = [];
    for (let at = 0; at < 22; at++) {
      ids.push((await added(browser, subscriptionOf(newReceiver(), `${service.origin}/many/${at}`))).id);
    }
    const { subscriptions } = await stateOf(browser);
    expect(subscriptions.map(({ id }) => id)).toEqual(ids.slice(2));
  });

  it('is renewed, not doubled', async () => {
    const { max } = app.cast;
    const browser = await browserOf(app, max);
    const subscription = subscriptionOf(newReceiver(), `${service.origin}/same`);
    const { id: first } = await added(browser, subscription);
    const other = await browserOf(app, max);
    const { id } = await added(other, subscription);
    expect(id).toBe(first);
    expect((await stateOf(browser)).subscriptions).toMatchObject([{ id, is_current: false }]);
    expect((await stateOf(other)).subscriptions).toMatchObject([{ id, is_current: true }]);
    expectSuccess(await browser.call('DELETE', `/json/web_push/subscriptions/${id}`));
  });

  it('has a browser session, an https address and keys of a browser', async () => {
    const { mia } = app.cast;
    const browser = await browserOf(app, mia);
    const good = subscriptionOf(newReceiver(), 'https://push.example.com/x');
    const add = (changes: Parameters) =>
      browser.call('POST', '/json/web_push/subscriptions', { ...good, ...changes });
    const url = 'Invalid endpoint. It must be an https URL.';
    for (const endpoint of [
      '',
      'push.example.com',
      'http://push.example.com/x',
      'http://10.0.0.1/x',
      'ftp://push.example.com',
      'https://a:b@push.example.com/x',
    ]) {
      expectError(await add({ endpoint }), url);
    }
    const keys = 'Invalid keys of the subscription.';
    for (const p256dh of ['', 'AAAA', good['auth'] as string, `B${'A'.repeat(86)}`]) {
      expectError(await add({ p256dh }), keys);
    }
    expectError(await add({ auth: 'AAAA' }), keys);
    expectError(
      await add({ endpoint: `https://push.example.com/${'x'.repeat(2000)}` }),
      'endpoint is too long (limit: 2000 characters)',
    );
    expectError(
      await app.as(mia).post('/web_push/subscriptions', good),
      'Push notifications of browsers require a browser session.',
    );
  });

  it('never leads into the network of the server', async () => {
    const { mia, max } = app.cast;
    const browser = await browserOf(app, mia);
    const subscription = subscriptionOf(newReceiver(), 'https://169.254.169.254/latest');
    const { id } = await added(browser, subscription);
    const answer = await browser.call('POST', `/json/web_push/subscriptions/${id}/test`);
    expect(expectSuccess(answer)).toMatchObject({
      outcome: 'failed',
      reason: 'the address is in a private network, which this server blocks',
    });
    await sendDirect(app, max, [mia], 'Blocked');
    await delivered();
    expectSuccess(await browser.call('DELETE', `/json/web_push/subscriptions/${id}`));
  });

  it('is nobody else’s to see, try or remove', async () => {
    const { mia, max } = app.cast;
    const device = await deviceOf(mia);
    const other = await browserOf(app, max);
    expect((await stateOf(other)).subscriptions).toEqual([]);
    const path = `/json/web_push/subscriptions/${device.id}`;
    const answers: Answer[] = [await other.call('POST', `${path}/test`), await other.call('DELETE', path)];
    for (const answer of answers) expectError(answer, 'Invalid subscription ID');
    await away(device);
  });
});

/** How many attempts were delivered, how many met a browser that is gone, and how many failed, as the metrics have it. */
async function attempts(): Promise<number[]> {
  const { body } = await app.nest.inject({ method: 'GET', url: '/metrics' });
  return ['delivered', 'gone', 'failed'].map((outcome) =>
    Number(new RegExp(`^parley_push_attempts_total{outcome="${outcome}"} (.+)$`, 'm').exec(body)?.[1]),
  );
}

describe('The test of a subscription', () => {
  it('tells what became of it', async () => {
    const device = await deviceOf(app.cast.mia);
    const before = await attempts();
    const test = async () =>
      expectSuccess(await device.browser.call('POST', `/json/web_push/subscriptions/${device.id}/test`));
    expect(await test()).toMatchObject({ outcome: 'delivered', reason: null });
    expect(got(device)).toEqual([{ kind: 'test' }]);
    service.answer('', 500);
    expect(await test()).toMatchObject({
      outcome: 'failed',
      reason: 'the push service answered with status 500',
    });
    service.answer((_request, response) => response.writeHead(307, { location: '/elsewhere' }).end());
    expect(await test()).toMatchObject({
      outcome: 'failed',
      reason: 'the push service answered with status 307',
    });
    expect(service.requests.map(({ path }) => path)).toEqual([device.path]);
    service.answer('', 410);
    expect(await test()).toMatchObject({ outcome: 'gone' });
    expect((await stateOf(device.browser)).subscriptions).toEqual([]);
    const after = await attempts();
    expect(after.map((count, at) => count - (before[at] ?? 0))).toEqual([1, 1, 2]);
  });

  it('is limited', async () => {
    const device = await deviceOf(app.cast.max);
    const path = `/json/web_push/subscriptions/${device.id}/test`;
    const statuses: number[] = [];
    for (let count = 0; count < 11; count++) statuses.push((await device.browser.call('POST', path)).status);
    expect(statuses.slice(0, 10).every((status) => status === 200)).toBe(true);
    expect(statuses[10]).toBe(429);
    await away(device);
  });
});
