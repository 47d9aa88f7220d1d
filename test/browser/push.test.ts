import { setTimeout as pause } from 'node:timers/promises';
import type { Page, Worker } from 'playwright-core';
import {
  BROWSER_TIMEOUT_MS,
  BrowserRun,
  describeInBrowser,
  signIn,
  type OpenPage,
  signOut,
} from '../support/browser';
import type { Member } from '../support/cast';
import { expectSuccess } from '../support/expect-answer';
import { LocalReceiver } from '../support/local-receiver';
import { sendDirect } from '../support/message-setup';
import { decryptPush, newReceiver, type PushReceiverKeys } from '../support/push-receiver';
import type { TestApp } from '../support/test-app';

jest.setTimeout(BROWSER_TIMEOUT_MS);

const SETTINGS = '/console/settings/notifications';

/** Stands for the push service of the browser, which is far away. What is subscribed to survives a reload, as there. */
const pushService = (endpoint: string, { pair, auth }: PushReceiverKeys) => {
  const keys = { p256dh: pair.getPublicKey().toString('base64url'), auth: auth.toString('base64url') };
  return `{
    const found = () => {
      const key = localStorage.getItem('test-subscription');
      const bytes = key && Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
      return key && {
        options: { applicationServerKey: bytes.buffer },
        toJSON: () => (${JSON.stringify({ endpoint, keys })}),
        unsubscribe: async () => localStorage.removeItem('test-subscription'),
      };
    };
    PushManager.prototype.getSubscription = async () => found();
    PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
      if (!userVisibleOnly) throw new Error('silent pushes');
      localStorage.setItem('test-subscription', applicationServerKey);
      return found();
    };
  }`;
};

describeInBrowser('push notifications in the console', () => {
  let run: BrowserRun;
  let app: TestApp;
  let service: LocalReceiver;

  beforeAll(async () => {
    service = await LocalReceiver.start();
    const env = { OUTGOING_WEBHOOKS_PRIVATE_NETWORKS: '127.0.0.1' };
    run = await BrowserRun.start({ env }, 'notifications');
    app = run.app;
    // Nobody knows then whether she is there, so that nothing waits until she has gone.
    expectSuccess(await app.as(app.cast.mia).patch('/settings', { presence_enabled: false }));
  });

  beforeEach(() => service.answer('', 201));
  afterEach(() => run.closeAll());
  afterAll(async () => {
    await run.stop();
    await service.stop();
  });

  async function withPush(member: Member, options = {}): Promise<{ open: OpenPage; keys: PushReceiverKeys }> {
    const keys = newReceiver();
    const open = await run.visitor({ permissions: ['notifications'], ...options });
    await open.page.addInitScript(pushService(`${service.origin}/${member.id}`, keys));
    await open.page.goto(SETTINGS);
    await signIn(open.page, member);
    await open.page.getByRole('button', { name: 'Turn on in this browser' }).click();
    await open.page.getByText(/^This browser \(/).waitFor();
    return { open, keys };
  }

  /** Gives the browser what the push service was sent, as the service would. */
  async function passOn(page: Page, keys: PushReceiverKeys): Promise<void> {
    const session = await page.context().newCDPSession(page);
    const registrationId = await new Promise<string>((found) => {
      session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const [ours] = registrations.filter(({ scopeURL }) => scopeURL === `${run.site}/console`);
        if (ours) found(ours.registrationId);
      });
      void session.send('ServiceWorker.enable');
    });
    for (const { bytes } of service.requests.splice(0)) {
      const data = decryptPush(bytes, keys);
      await session.send('ServiceWorker.deliverPushMessage', { origin: run.site, registrationId, data });
    }
    await session.detach();
  }

  /** Sends Mia a message, and what the push service is given of it to the browser. */
  async function messaged(page: Page, keys: PushReceiverKeys, text: string): Promise<number> {
    const { mia, max } = app.cast;
    const id = await sendDirect(app, max, [mia], text);
    while (service.requests.length === 0) await pause(20);
    await passOn(page, keys);
    return id;
  }

  const noticesOf = (page: Page) =>
    page.evaluate<{ title: string; body: string }[]>(`navigator.serviceWorker.getRegistration('/console')
      .then((registration) => registration.getNotifications())
      .then((all) => all.map(({ title, body, tag, data }) => ({ title, body, tag, data })))`);

  async function noticed(page: Page, title: string): Promise<object> {
    for (;;) {
      const found = (await noticesOf(page)).find((notice) => notice.title === title);
      if (found) return found;
      await pause(20);
    }
  }

  async function noneLeft(page: Page): Promise<void> {
    while ((await noticesOf(page)).length > 0) await pause(20);
  }

  /** Clicks a notification: what a user can do and a program cannot. */
  async function click(worker: Worker, title: string): Promise<void> {
    await worker.evaluate(`registration.getNotifications().then(async (all) => {
      const works = [];
      const notification = all.find((each) => each.title === ${JSON.stringify(title)});
      self.onnotificationclick({ notification, waitUntil: (work) => works.push(work) });
      await Promise.all(works);
    })`);
  }

  it('are turned on and tried, tell of messages, and lead to them', async () => {
    const { mia, max } = app.cast;
    const { open, keys } = await withPush(mia);
    const { page } = open;
    await open.expectAccessible();
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText('Test sent.').waitFor();
    await passOn(page, keys);
    expect(await noticed(page, 'Parley')).toMatchObject({ body: 'Push notifications work.', tag: 'test' });
    const [worker] = page.context().serviceWorkers();
    await page.goto('/api/docs');
    const first = await messaged(page, keys, 'The **first** one');
    expect(await noticed(page, max.fullName)).toMatchObject({
      body: 'The first one',
      tag: `d${max.id}`,
      data: { messageId: first, count: 1 },
    });
    const second = await messaged(page, keys, 'The second one');
    const two = `2 messages: ${max.fullName}`;
    expect(await noticed(page, two)).toMatchObject({ body: 'The second one' });
    expect(await noticesOf(page)).toHaveLength(2);
    await worker!.evaluate('Clients.prototype.openWindow = async (url) => void (self.opened = url)');
    await click(worker!, two);
    expect(await worker!.evaluate('self.opened')).toMatch(
      new RegExp(`^/console#narrow/dm/.+/near/${second}$`),
    );
    expect((await noticesOf(page)).map(({ title }) => title)).toEqual(['Parley']);
    // Pausing holds for pushes, too.
    await page.goto(SETTINGS);
    await page.getByRole('contentinfo').getByRole('button', { name: mia.fullName }).click();
    await page.getByRole('menuitem', { name: 'Pause notifications for 30 minutes' }).click();
    await page.getByText('Notifications paused in this browser').waitFor();
    const { subscriptions } = await page.evaluate<{ subscriptions: { quiet_until: number | null }[] }>(
      "fetch('/json/web_push').then((answer) => answer.json())",
    );
    const [minutes] = subscriptions.map(({ quiet_until }) => (quiet_until! - Date.now() / 1000) / 60);
    expect(Math.round(minutes!)).toBe(30);
  });

  it('are one with those of an open page, and close once their message is read elsewhere', async () => {
    const { mia, max } = app.cast;
    const { open, keys } = await withPush(mia);
    const { page } = open;
    const id = await messaged(page, keys, 'Is anybody there?');
    expect(await noticed(page, max.fullName)).toMatchObject({ data: { messageId: id, count: 1 } });
    await messaged(page, keys, 'Anybody?');
    await noticed(page, `2 messages: ${max.fullName}`);
    expect(await noticesOf(page)).toHaveLength(1);
    const [worker] = page.context().serviceWorkers();
    await click(worker!, `2 messages: ${max.fullName}`);
    await page.getByRole('heading', { level: 1, name: max.fullName }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/console\/direct\/[\d,]+$/);
    // Whatever of it the page has read before it is left.
    expectSuccess(await app.as(mia).post('/mark_all_as_read'));
    await noneLeft(page);
    await page.goto('/console/starred');
    await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });
    await messaged(page, keys, 'Read elsewhere');
    await noticed(page, max.fullName);
    expectSuccess(await app.as(mia).post('/mark_all_as_read'));
    await noneLeft(page);
  });

  it('close where the message was read before the push came, or before the page was told of it', async () => {
    const { mia, max, olivia } = app.cast;
    const { open, keys } = await withPush(mia);
    const { page } = open;
    await sendDirect(app, max, [mia], 'Pushed late');
    await noticed(page, max.fullName);
    while (service.requests.length === 0) await pause(20);
    expectSuccess(await app.as(mia).post('/mark_all_as_read'));
    await noneLeft(page);
    const [worker] = page.context().serviceWorkers();
    await worker!.evaluate(`{
      self.shown = 0;
      const show = registration.showNotification.bind(registration);
      registration.showNotification = (...all) => show(...all).then(() => void self.shown++);
    }`);
    await passOn(page, keys);
    while ((await worker!.evaluate('self.shown')) === 0) await pause(20);
    await noneLeft(page);

    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const isHeld = page.waitForRequest(/\/json\/events/);
    await page.route('**/json/events?*', async (route) => {
      await released;
      await route.continue();
    });
    // The poll that is under way ends with this, and the next one is held.
    expectSuccess(await app.as(mia).patch('/settings', { starred_message_counts: false }));
    await isHeld;
    await messaged(page, keys, 'Told late');
    await noticed(page, max.fullName);
    expectSuccess(await app.as(mia).post('/mark_all_as_read'));
    release();
    await noneLeft(page);
    // The page was told of the message and the reading at once, and then of this.
    await sendDirect(app, olivia, [mia], 'Unread');
    await noticed(page, olivia.fullName);
    expect((await noticesOf(page)).map(({ title }) => title)).toEqual([olivia.fullName]);
  });

  it('last over a reload and a new session, and end with a click', async () => {
    const { mia } = app.cast;
    const { open } = await withPush(mia);
    const { page } = open;
    const listed = async () => {
      const text = "fetch('/json/web_push').then((answer) => answer.json())";
      const { subscriptions } = await page.evaluate<{ subscriptions: { is_current: boolean }[] }>(text);
      return subscriptions.map(({ is_current }) => is_current);
    };
    await page.reload();
    await page.getByText(/^This browser \(/).waitFor();
    await signOut(page);
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    await page.goto('/console');
    await signIn(page, mia);
    await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });
    while ((await listed()).join() !== 'true') await pause(20);
    await page.goto(SETTINGS);
    await page.getByRole('button', { name: 'Turn off' }).click();
    await page.getByText('Push notifications are off in all your browsers.').waitFor();
    expect(await page.evaluate("localStorage.getItem('test-subscription')")).toBeNull();
    expect(await listed()).toEqual([]);
    open.forgive(/status of 401/);
  });

  it('never reach whoever used the browser before', async () => {
    const { mia, max } = app.cast;
    const { open } = await withPush(mia);
    const { page } = open;
    await signOut(page);
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    await page.goto('/console');
    await signIn(page, max);
    while ((await page.evaluate("localStorage.getItem('test-subscription')")) !== null) await pause(20);
    expect(await page.evaluate("localStorage.getItem('push')")).toBeNull();
    open.forgive(/status of 401/);
  });

  it('say why they cannot be turned on', async () => {
    const { gus } = app.cast;
    const open = await run.visitor({ permissions: ['notifications'] });
    const { page } = open;
    await page.addInitScript(`PushManager.prototype.subscribe = async () => {
      throw new DOMException('Registration failed - push service error', 'AbortError');
    }`);
    await page.goto(SETTINGS);
    await signIn(page, gus);
    await page.getByRole('button', { name: 'Turn on in this browser' }).click();
    await page.getByText('This browser can’t reach a push service, or has none.').waitFor();
    await page.getByText('Push notifications are off in all your browsers.').waitFor();
  });

  it('need nothing that keeps the console from being installed', async () => {
    const { page } = await run.signedIn(app.cast.mia);
    const session = await page.context().newCDPSession(page);
    const { errors, manifest } = await session.send('Page.getAppManifest');
    expect(errors).toEqual([]);
    expect(manifest).toMatchObject({
      startUrl: `${run.site}/console`,
      scope: `${run.site}/`,
      display: 'kStandalone',
    });
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
    // A window in which nothing is kept installs nothing.
    expect(installabilityErrors.map(({ errorId }) => errorId)).toEqual(['in-incognito']);
  });
});
