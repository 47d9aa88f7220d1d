import { ChannelDirectory, type ChannelRecord } from '../../src/features/channels/store/channel.directory';
import { Hooks } from '../../src/platform/hooks/hooks';
import { ChannelTrafficService } from '../../src/features/channels/store/channel-records.service';
import { Clock } from '../../src/platform/clock';
import { Database } from '../../src/platform/database/database.service';
import { changeChannel, channelRecord, createChannel } from '../support/channel-setup';
import { TestApp } from '../support/test-app';

const DAY = 86_400;

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

/** Stores messages of a channel as if they had been sent some days ago, oldest first. */
const store = (channelId: number, daysAgo: number, count: number) =>
  app.writeRows(async (tx) => {
    const [topic] = await tx.query<{ id: number }>(
      `INSERT INTO topic (channel_id, name, name_key, max_message_id, message_count) VALUES (?, 't', 't', 0, 0)
       ON CONFLICT (channel_id, name_key) DO UPDATE SET name = 't' RETURNING id`,
      [channelId],
    );
    const sentAt = Math.floor(Date.now() / 1000) - daysAgo * DAY;
    for (let i = 0; i < count; i++) {
      await tx.query(
        `INSERT INTO message (sender_id, channel_id, sent_channel_id, topic_id, content, rendered_content,
           client_name, sent_at, facts) VALUES (?, ?, ?, ?, '', '', 'test', ?, 0)`,
        [app.cast.mia.id, channelId, channelId, topic?.id ?? null, sentAt],
      );
    }
  });

const trafficOf = async (id: number) => {
  await app.get(ChannelTrafficService).count();
  return (await channelRecord(app, id)).stream_weekly_traffic;
};

it('starts at the messages of the last four weeks', async () => {
  const id = await createChannel(app, app.cast.mia, 'Old talk');
  await store(id, 60, 40);
  await store(id, 5, 8);
  await changeChannel(app, id, { date_created: 0 });
  const restarted = new ChannelTrafficService(app.get(Database), app.get(Hooks), app.get(Clock));
  await restarted.count();
  const channel = app.get(ChannelDirectory).byId(id) as ChannelRecord;
  expect(restarted.weeklyTrafficOf(channel, Math.floor(Date.now() / 1000))).toBe(2);
});

it('averages the messages of the last four weeks, counting each once [CHAN-rest]', async () => {
  const id = await createChannel(app, app.cast.mia, 'Talk');
  const ageInDays = (days: number) =>
    changeChannel(app, id, { date_created: Math.floor(Date.now() / 1000) - days * DAY });
  await store(id, 40, 30);
  await store(id, 10, 12);
  expect(await trafficOf(id)).toBeNull();
  await ageInDays(100);
  expect(await trafficOf(id)).toBe(3);
  await store(id, 1, 8);
  expect(await trafficOf(id)).toBe(5);
  expect(await trafficOf(id)).toBe(5);
  await ageInDays(14);
  expect(await trafficOf(id)).toBe(10);
});
