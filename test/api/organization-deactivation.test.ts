import sharp from 'sharp';
import { setTimeout as moment } from 'node:timers/promises';
import { TransactionService } from '../../src/platform/database/transaction.service';
import { Jobs } from '../../src/platform/jobs/jobs.service';
import { outgoingWebhook } from '../../src/features/integrations/outgoing-webhooks/webhook-triggers.service';
import { LiveQueues } from '../../src/features/realtime/queues/live-queues.directory';
import { scheduledDelivery } from '../../src/features/drafts/scheduled/scheduled-message-rows.service';
import { apiKeyOf } from '../support/account-setup';
import { PASSWORD } from '../support/cast';
import { reactivate } from '../support/deactivation';
import { expectError, expectSuccess } from '../support/expect-answer';
import { join, makeLink } from '../support/invitation-setup';
import { LocalReceiver } from '../support/local-receiver';
import { sendDirect } from '../support/message-setup';
import { openPage } from '../support/page-setup';
import { StoppedTimeOfDay } from '../support/test-clocks';
import { TestApp } from '../support/test-app';
import { untilWritesAreIn } from '../support/waiting-writes';

let app: TestApp;
let receiver: LocalReceiver;
const clock = new StoppedTimeOfDay();

beforeAll(async () => {
  receiver = await LocalReceiver.start();
  app = await TestApp.start({
    clock,
    env: { SERVER_MODE: 'development', OUTGOING_WEBHOOKS_PRIVATE_NETWORKS: '127.0.0.1' },
  });
  expectSuccess(await app.as(app.cast.olivia).patch('/realm', { name: 'Acme' }));
});

afterAll(async () => {
  await app.stop();
  await receiver.stop();
});

const CLOSED = 'This organization has been deactivated';
const deactivate = (parameters = {}, by = app.cast.olivia) =>
  app.as(by).post('/realm/deactivate', parameters);

/** Runs the work while the organization is deactivated. */
async function whileDeactivated(work: () => Promise<unknown>): Promise<void> {
  expectSuccess(await deactivate());
  try {
    await work();
  } finally {
    expect(await reactivate(app)).toBe(true);
  }
}

describe('Deactivating the organization', () => {
  it.each(['adam', 'mona', 'mia', 'gus', 'robo'] as const)('is not for %s', async (name) => {
    expectError(await deactivate({}, app.cast[name]), 'Must be an organization owner', {
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
  });

  it('does not promise to delete data later, as nothing would', async () => {
    for (const days of [0, 14, -1]) {
      expectError(
        await deactivate({ deletion_delay_days: days }),
        'This server keeps the data of a deactivated organization until its operator deletes it. Omit deletion_delay_days.',
      );
    }
    expectError(await deactivate({ deletion_delay_days: 'soon' }), 'deletion_delay_days is not valid JSON');
    expectSuccess(await app.as(app.cast.mia).get('/users/me'));
  });

  it('is told to every client, whose next request is refused', async () => {
    const { gus } = app.cast;
    const queue = await app.queue(gus);
    const polled = queue.wait();
    while (!app.get(LiveQueues).byId(queue.id)?.parked) await moment(5);
    const told = { type: 'realm', op: 'deactivated', realm_id: 1 };
    const events = await app.captureEvents(() =>
      whileDeactivated(async () => {
        expect(await polled).toMatchObject([told]);
        expectError(await queue.request(), CLOSED, { status: 401, code: 'UNAUTHORIZED' });
      }),
    );
    expect(events.map(({ event }) => event)).toEqual([told]);
    expect(events[0]?.audience).toEqual(
      expect.arrayContaining([gus.id, app.cast.olivia.id, app.cast.robo.id]),
    );
    const message = await sendDirect(app, app.cast.mia, [gus], 'we are back');
    expect(await queue.events()).toMatchObject([{ type: 'message', message: { id: message } }]);
  });

  it('closes every endpoint, to owners as well, and says so to whoever has a key', async () => {
    const { olivia, mia } = app.cast;
    await whileDeactivated(async () => {
      for (const member of [olivia, mia]) {
        for (const path of ['/users/me', '/messages?anchor=newest&num_before=1&num_after=0']) {
          const answer = await app.as(member).get(path);
          expectError(answer, CLOSED, { status: 401, code: 'UNAUTHORIZED' });
          expect(answer.headers['www-authenticate']).toMatch(/^Basic/);
        }
      }
      expectError(await app.as(olivia).patch('/realm', { name: 'Mine' }), CLOSED, {
        status: 401,
        code: 'UNAUTHORIZED',
      });
      const guessed = app.client({ email: olivia.email, apiKey: 'x'.repeat(32) });
      expectError(await guessed.get('/users/me'), 'Invalid API key', { status: 401, code: 'UNAUTHORIZED' });
      expectError(
        await app.client().get('/users/me'),
        'Not logged in: API authentication or user session required',
        { status: 401, code: 'UNAUTHORIZED' },
      );
      const page = await app.nest.inject({ method: 'GET', url: `/join/${'a'.repeat(24)}` });
      expect([page.statusCode, page.headers['content-type']]).toEqual([
        401,
        expect.stringMatching(/^text\/html/),
      ]);
      expect(page.body).toContain(CLOSED);
      expectError(await app.client().post('/register'), CLOSED, { status: 401, code: 'REALM_DEACTIVATED' });
    });
    expectSuccess(await app.as(mia).get('/users/me'));
  });

  it('refuses signing in, and leaves keys as they are', async () => {
    const { mia, adam } = app.cast;
    const key = apiKeyOf(app, mia);
    const fetch = () => app.client().post('/fetch_api_key', { username: mia.email, password: PASSWORD });
    const companion = await app.companionAs(adam);
    const login = { email: adam.email, password: PASSWORD };
    await whileDeactivated(async () => {
      const closed = { status: 401, code: 'REALM_DEACTIVATED' };
      expectError(await fetch(), CLOSED, closed);
      expectError(await app.client().post('/dev_fetch_api_key', { username: mia.email }), CLOSED, closed);
      expectError(await app.client().get('/dev_list_users'), CLOSED, closed);
      expect(await app.companion().post('/auth/login', login)).toMatchObject({
        status: 403,
        body: { detail: CLOSED },
      });
      expect(await companion.get('/auth/me')).toMatchObject({ status: 401 });
    });
    expect(expectSuccess(await fetch()).api_key).toBe(key);
    expect(await companion.get('/auth/me')).toMatchObject({ status: 401 });
    expect(await app.companion().post('/auth/login', login)).toMatchObject({ status: 200 });
  });

  it('leaves the server to introduce itself with its icon, and its health as it is', async () => {
    const settings = async () => expectSuccess(await app.client().get('/server_settings'));
    const content = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    expectSuccess(await app.as(app.cast.olivia).upload('/realm/icon', { name: 'icon.png', content }));
    const before = await settings();
    const icon = new URL(before.realm_icon, 'http://chat.example.com').pathname;
    await whileDeactivated(async () => {
      expect(await settings()).toEqual(before);
      for (const url of ['/health/live', '/health/ready', '/api/docs-json', '/metrics', icon]) {
        expect(await app.nest.inject({ method: 'GET', url })).toMatchObject({ statusCode: 200 });
      }
    });
  });

  it('keeps people out whose form was on its way', async () => {
    const link = await makeLink(app, app.cast.adam);
    const { deactivated, joined } = await app.get(TransactionService).runExclusive(async () => {
      const deactivated = deactivate();
      await untilWritesAreIn(app);
      const joined = join(app, link, { email: 'late@example.com' });
      await untilWritesAreIn(app, 2);
      return { deactivated, joined };
    });
    expectSuccess(await deactivated);
    const page = await joined;
    expect(await reactivate(app)).toBe(true);
    expect(page).toMatchObject({ status: 401, html: expect.stringContaining(CLOSED) });
    expect(await openPage(app, link)).toMatchObject({ status: 200 });
  });

  it('keeps scheduled messages and webhooks from being sent', async () => {
    const { mia, max } = app.cast;
    const soon = Math.floor(clock.nowMs() / 1000) + 60;
    const scheduled = expectSuccess(
      await app.as(mia).post('/scheduled_messages', {
        type: 'direct',
        to: [max.id],
        content: 'Soup',
        scheduled_delivery_timestamp: soon,
      }),
    ).scheduled_message_id;
    const bot = expectSuccess(
      await app.as(mia).post('/bots', {
        full_name: 'Parrot',
        short_name: 'parrot',
        bot_type: 3,
        payload_url: `${receiver.origin}/hook`,
      }),
    ).user_id;
    receiver.answer('later', 503);
    await sendDirect(app, mia, [{ id: bot }], 'to be told once more');
    await app.get(Jobs).runDue(outgoingWebhook);
    expect(receiver.requests).toHaveLength(1);
    const events = await app.captureEvents(() =>
      whileDeactivated(async () => {
        clock.aheadMs += 120_000;
        for (const kind of [scheduledDelivery, outgoingWebhook]) {
          await app.get(Jobs).runDue(kind);
        }
      }),
    );
    expect(events.map(({ event }) => `${event.type}/${event.op}`)).toEqual([
      'realm/deactivated',
      'scheduled_messages/update',
    ]);
    const list = expectSuccess(await app.as(mia).get('/scheduled_messages')).scheduled_messages;
    expect(list).toMatchObject([{ scheduled_message_id: scheduled, failed: true }]);
    expect(receiver.requests).toHaveLength(1);
  });

  it('is written into the audit log, as is coming back', async () => {
    await whileDeactivated(() => Promise.resolve());
    const owner = await app.companionAs(app.cast.olivia);
    const { body } = await owner.get('/auth/audit-log?page_size=10&order=newest');
    const entries = body.items as { action: string; way: string; actor_id: number }[];
    expect(entries.filter(({ action }) => action.startsWith('organization.')).slice(0, 2)).toMatchObject([
      { action: 'organization.reactivated', way: 'command' },
      { action: 'organization.deactivated', way: 'main', actor_id: app.cast.olivia.id },
    ]);
    expect(await reactivate(app)).toBe(false);
  });
});
