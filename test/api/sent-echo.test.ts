import { Database } from '../../src/platform/database/database.service';
import { QueueMaintenanceService } from '../../src/features/realtime/queue-maintenance.service';
import type { Parameters } from '../support/api-client';
import type { Member } from '../support/cast';
import { createChannel } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { TestApp } from '../support/test-app';
import { OffsetClock } from '../support/test-clocks';
import type { QueueEvent, TestQueue } from '../support/test-queue';

const clock = new OffsetClock();
let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start({ clock });
  const { mia, max } = app.cast;
  await createChannel(app, mia, 'lunch', { principals: [mia.id, max.id] });
});

afterAll(() => app.stop());

const send = (sender: Member, queue: TestQueue, localId: string, more: Parameters = {}) =>
  app.as(sender).post('/messages', {
    type: 'channel',
    to: 'lunch',
    topic: 'soup',
    content: localId,
    queue_id: queue.id,
    local_id: localId,
    ...more,
  });

const messages = async (queue: TestQueue) =>
  (await queue.events()).filter(({ type }: QueueEvent) => type === 'message');

describe('Sending again under the same name', () => {
  it.each<[string, Parameters]>([
    ['to a channel', {}],
    ['to a person', { type: 'direct', topic: undefined }],
  ])('%s sends once, also when all requests come at the same time', async (_, more) => {
    const { mia, max } = app.cast;
    const [hers, his] = [await app.queue(mia), await app.queue(max)];
    const to = more['type'] === 'direct' ? { to: [max.id] } : {};
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => send(mia, hers, 'at once', { ...more, ...to })),
    );
    const ids = new Set(answers.map((answer) => expectSuccess(answer).id));
    const again = expectSuccess(await send(mia, hers, 'at once', { ...more, ...to }));
    expect([...ids]).toEqual([again.id]);
    expect(await messages(his)).toMatchObject([{ message: { id: again.id, content: 'at once' } }]);
    expect(await messages(hers)).toMatchObject([{ message: { id: again.id }, local_message_id: 'at once' }]);
  });

  it('gives the first answer even where the message could not be sent any more', async () => {
    const { mia } = app.cast;
    const queue = await app.queue(mia);
    const first = expectSuccess(await send(mia, queue, 'first'));
    const again = expectSuccess(await send(mia, queue, 'first', { to: 'no such channel' }));
    expect(again.id).toBe(first.id);
  });

  it('answers as the first time, what became of the topic included', async () => {
    const { mia } = app.cast;
    const queue = await app.queue(mia);
    const requests = Array.from({ length: 5 }, () => send(mia, queue, 'starts', { topic: 'dessert' }));
    const [first, ...others] = (await Promise.all(requests)).map((answer) => expectSuccess(answer));
    const again = expectSuccess(await send(mia, queue, 'starts', { topic: 'dessert' }));
    expect(first).toMatchObject({ automatic_new_visibility_policy: 3 });
    for (const answer of [...others, again]) expect(answer).toEqual(first);
    const next = expectSuccess(await send(mia, queue, 'goes on', { topic: 'dessert' }));
    expect(next).not.toHaveProperty('automatic_new_visibility_policy');
    expect(expectSuccess(await send(mia, queue, 'goes on', { topic: 'dessert' }))).toEqual(next);
  });

  it('is not the same from another queue, under another name or by somebody else', async () => {
    const { mia, max } = app.cast;
    const [queue, other] = [await app.queue(mia), await app.queue(mia)];
    const answers = [
      await send(mia, queue, 'x'),
      await send(mia, queue, 'y'),
      await send(mia, other, 'x'),
      await send(max, queue, 'x'),
      await send(mia, queue, 'x', { local_id: undefined }),
    ];
    expect(new Set(answers.map((answer) => expectSuccess(answer).id)).size).toBe(5);
    expect(await messages(queue)).toHaveLength(5);
  });

  it('is not known by half a name, which is taken and means nothing', async () => {
    const { mia } = app.cast;
    const queue = await app.queue(mia);
    const halves = [{ local_id: undefined }, { queue_id: undefined }];
    for (const half of [...halves, ...halves]) expectSuccess(await send(mia, queue, 'half', half));
    const told = await messages(queue);
    expect(told).toHaveLength(4);
    for (const event of told) expect(event).not.toHaveProperty('local_message_id');
  });

  it('sends after an attempt that was refused', async () => {
    const { mia } = app.cast;
    const queue = await app.queue(mia);
    expect((await send(mia, queue, 'refused', { to: 'no such channel' })).status).toBe(400);
    expectSuccess(await send(mia, queue, 'refused'));
    expect(await messages(queue)).toHaveLength(1);
  });

  it('takes names of a thousand characters and no longer ones', async () => {
    const { mia } = app.cast;
    const queue = await app.queue(mia);
    const first = expectSuccess(await send(mia, queue, 'é'.repeat(1_000))).id;
    expect(expectSuccess(await send(mia, queue, 'é'.repeat(1_000))).id).toBe(first);
    const tooLong = 'local_id is too long (limit: 1000 characters)';
    expectError(await send(mia, queue, 'é'.repeat(1_001)), tooLong);
  });

  it('sends again after a week, when nothing is known of it any more', async () => {
    const { mia } = app.cast;
    const queue = await app.queue(mia);
    const first = expectSuccess(await send(mia, queue, 'old')).id;
    const maintenance = app.get(QueueMaintenanceService);
    clock.aheadMs += 6 * 86_400_000;
    await maintenance.maintain();
    expect(expectSuccess(await send(mia, queue, 'old')).id).toBe(first);
    clock.aheadMs += 2 * 86_400_000;
    await maintenance.maintain();
    await expect(app.get(Database).read.query('SELECT id FROM sent_echo')).resolves.toEqual([]);
    expect(expectSuccess(await send(mia, queue, 'old')).id).not.toBe(first);
  });
});
