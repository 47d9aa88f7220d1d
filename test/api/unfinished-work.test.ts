import { ReadStateService } from '../../src/features/messages/readers/read-state.service';
import { Database } from '../../src/platform/database/database.service';
import { JobStore } from '../../src/platform/jobs/job-store';
import { Jobs } from '../../src/platform/jobs/jobs.service';
import { createChannel } from '../support/channel-setup';
import { expectSuccess } from '../support/expect-answer';
import { fetchIds, fetchMessage, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';
import { OffsetClock } from '../support/test-clocks';

/** What follows from a change is done even where the server dies after the change. */

const MINUTE_MS = 60_000;
const clock = new OffsetClock();
let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start({ clock });
});

afterAll(() => app.stop());
afterEach(() => jest.restoreAllMocks());

const unread = () => fetchIds(app, app.cast.max, [['is', 'unread']]);
const left = () => app.get(Database).read.query('SELECT kind FROM job');

/** The server dies as soon as the change is made. */
function die(): void {
  const { take } = JobStore.prototype;
  jest.spyOn(JobStore.prototype, 'take').mockImplementationOnce(async function (this: JobStore, ...args) {
    await take.apply(this, args);
    return [];
  });
}

/** Another node finds out, or the same when it starts. */
async function later(): Promise<void> {
  clock.aheadMs += 11 * MINUTE_MS;
  await app.get(Jobs).runDue();
}

it('What somebody said whom one mutes is read later, unless they are unmuted by then', async () => {
  const { max, mia } = app.cast;
  const channel = await createChannel(app, mia, 'noise', { principals: [mia.id, max.id] });
  const id = await sendTo(app, mia, channel, 'soup');
  expectSuccess(await app.as(max).post('/mark_all_as_read'));
  expectSuccess(await app.as(max).post('/messages/flags', { messages: [id], op: 'remove', flag: 'read' }));

  die();
  expectSuccess(await app.as(max).post(`/users/me/muted_users/${mia.id}`));
  expectSuccess(await app.as(max).delete(`/users/me/muted_users/${mia.id}`));
  await later();
  await expect(unread()).resolves.toEqual([id]);
  await expect(left()).resolves.toEqual([]);

  die();
  expectSuccess(await app.as(max).post(`/users/me/muted_users/${mia.id}`));
  await expect(unread()).resolves.toEqual([id]);
  await app.get(Jobs).runDue();
  // On PostgreSQL another node may have it in hand.
  await expect(unread()).resolves.toEqual([id]);
  await expect(left()).resolves.toHaveLength(1);
  await later();
  await expect(unread()).resolves.toEqual([]);
  await expect(left()).resolves.toEqual([]);
  expectSuccess(await app.as(max).delete(`/users/me/muted_users/${mia.id}`));
});

it('What moves away from somebody is read later', async () => {
  const { max, mia, olivia } = app.cast;
  const from = await createChannel(app, mia, 'from', { principals: [mia.id, max.id] });
  const to = await createChannel(app, mia, 'to', { principals: [mia.id] });
  const id = await sendTo(app, mia, from, 'soup');
  die();
  expectSuccess(
    await app.as(olivia).patch(`/messages/${id}`, {
      stream_id: to,
      send_notification_to_new_thread: false,
      send_notification_to_old_thread: false,
    }),
  );
  const isRead = async () => (await fetchMessage(app, max, id)).flags.includes('read');
  await app.get(Jobs).runDue();
  await expect(isRead()).resolves.toBe(false);
  await later();
  await expect(isRead()).resolves.toBe(true);
  await expect(left()).resolves.toEqual([]);
});

it('What fails comes up again', async () => {
  const { max, mia } = app.cast;
  const channel = await createChannel(app, mia, 'failing', { principals: [mia.id, max.id] });
  const id = await sendTo(app, mia, channel, 'soup');
  jest.spyOn(app.get(ReadStateService), 'mark').mockRejectedValueOnce(new Error('The disk is full.'));
  expectSuccess(await app.as(max).post(`/users/me/muted_users/${mia.id}`));
  await expect(unread()).resolves.toContain(id);
  await later();
  await expect(unread()).resolves.not.toContain(id);
  await expect(left()).resolves.toEqual([]);
});
