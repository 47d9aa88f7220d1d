import type { Member } from '../support/cast';
import { channelId, createChannel } from '../support/channel-setup';
import { expectSuccess } from '../support/expect-answer';
import { fetchIds, fetchMessages, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

const settings = async (changes: Record<string, unknown>) =>
  expectSuccess(await app.as(app.cast.olivia).patch('/realm', changes));

/** Markdown of what somebody got, with topic and flags. */
const received = async (reader: Member, narrow: unknown[]) => {
  const answer = await fetchMessages(app, reader, narrow, { apply_markdown: false });
  return expectSuccess(answer).messages.map(
    (message: { sender_full_name: string; content: string; subject: string; flags: string[] }) => ({
      sender: message.sender_full_name,
      content: message.content,
      topic: message.subject,
      flags: message.flags,
    }),
  );
};

const mention = (member: Member) => `@_**${member.fullName}|${member.id}**`;

describe('being subscribed by somebody else', () => {
  it('is told to people by the notification bot, in one message for all channels', async () => {
    const { mia, max, mona, robo } = app.cast;
    await createChannel(app, mia, 'zoo');
    await createChannel(app, mia, 'aquarium');
    const subscribe = (names: string[], principals: Member[]) =>
      app
        .as(mia)
        .post('/users/me/subscriptions', {
          subscriptions: names.map((name) => ({ name })),
          principals: principals.map(({ id }) => id),
        })
        .then(expectSuccess);
    await subscribe(['zoo'], [mia, max, robo]);
    await subscribe(['zoo', 'aquarium'], [mona]);
    await expect(received(max, [['is', 'dm']])).resolves.toEqual([
      {
        sender: 'Notification Bot',
        content: `${mention(mia)} subscribed you to #**zoo**.`,
        topic: '',
        flags: [],
      },
    ]);
    await expect(received(mona, [['is', 'dm']])).resolves.toMatchObject([
      {
        content: `${mention(mia)} subscribed you to the following channels:\n\n* #**aquarium**\n* #**zoo**`,
      },
    ]);
    await expect(received(mia, [['is', 'dm']])).resolves.toEqual([]);
    await expect(received(robo, [['is', 'dm']])).resolves.toEqual([]);
  });
});

describe('a new channel', () => {
  it('is announced where the organization says so, and if asked for [EP1-announce]', async () => {
    const { mia, max } = app.cast;
    const news = await createChannel(app, mia, 'news', { principals: [mia.id, max.id] });
    await settings({ new_stream_announcements_stream_id: news });
    await createChannel(app, mia, 'quiet');
    await createChannel(app, mia, 'loud', { announce: true });
    const notice = {
      sender: 'Notification Bot',
      content: `${mention(mia)} created a new channel #**loud**.`,
      topic: 'new channels',
    };
    await expect(received(max, [['channel', 'news']])).resolves.toEqual([{ ...notice, flags: [] }]);
    await expect(received(mia, [['channel', 'news']])).resolves.toEqual([{ ...notice, flags: ['read'] }]);
    const { messages } = expectSuccess(await fetchMessages(app, max, [['channel', 'news']]));
    expect(messages[0].content).toContain(`data-stream-id="${await channelId(app, 'loud')}"`);
    await settings({ new_stream_announcements_stream_id: -1 });
  });
});

describe('channel events', () => {
  beforeAll(() => settings({ send_channel_events_messages: true }));
  afterAll(() => settings({ send_channel_events_messages: false }));

  it('tell of creation, renaming, a new description, and the end', async () => {
    const { mia, max, olivia } = app.cast;
    const id = await createChannel(app, mia, 'chronicle', { principals: [mia.id, max.id] });
    const change = (changes: Record<string, unknown>) =>
      app.as(olivia).patch(`/streams/${id}`, changes).then(expectSuccess);
    await change({ new_name: 'annals' });
    await change({ description: 'What *happened*' });
    expectSuccess(await app.as(olivia).delete(`/streams/${id}`));

    const fence = '````';
    const none = `${fence} quote\n*No description.*\n${fence}`;
    const contents = [
      `**Public** channel created by ${mention(mia)}. **Description:**\n${none}`,
      `${mention(olivia)} renamed channel **chronicle** to **annals**.`,
      [
        `${mention(olivia)} changed the description for this channel.`,
        '',
        '* **Old description:**',
        none,
        '* **New description:**',
        `${fence} quote\nWhat *happened*\n${fence}`,
      ].join('\n'),
      'Channel #**annals** has been archived.',
    ];
    const notices = await received(max, [{ operator: 'channel', operand: id }]);
    expect(notices.map(({ content }: { content: string }) => content)).toEqual(contents);
    expect(notices.map(({ flags }: { flags: string[] }) => flags)).toEqual([[], [], [], ['read']]);
    expect(new Set(notices.map(({ topic }: { topic: string }) => topic))).toEqual(
      new Set(['channel events']),
    );
  });

  it('tell who reads the channel and from when on, and who posts there', async () => {
    const { mia, max, olivia } = app.cast;
    const id = await createChannel(app, mia, 'diary', { principals: [mia.id, max.id, olivia.id] });
    const change = (changes: Record<string, unknown>) =>
      app.as(olivia).patch(`/streams/${id}`, changes).then(expectSuccess);
    const said = () => received(max, [{ operator: 'channel', operand: id }]);
    const before = (await said()).length;
    const { user_groups } = expectSuccess(await app.as(mia).get('/user_groups'));
    const idOf = (name: string) => user_groups.find((group: { name: string }) => group.name === name).id;
    await change({ is_private: true, history_public_to_subscribers: true });
    await change({ is_private: true, history_public_to_subscribers: false });
    await change({ is_private: false });
    const some = { direct_members: [max.id, mia.id], direct_subgroups: [idOf('role:moderators')] };
    await change({ can_send_message_group: { new: some } });
    await change({ can_send_message_group: { new: some } });
    const access = `${mention(olivia)} changed the [access permissions](https://zulip.com/help/channel-permissions) for this channel`;
    const posting = `${mention(olivia)} changed the [posting permissions](https://zulip.com/help/channel-posting-policy)`;
    const people = [max, mia].sort((a, b) => a.id - b.id).map(mention);
    const notices = (await said()).slice(before);
    expect(notices.map(({ content }: { content: string }) => content)).toEqual([
      `${access} from **Public** to **Private, shared history**.`,
      `${access} from **Private, shared history** to **Private, protected history**.`,
      `${access} from **Private, protected history** to **Public**.`,
      `${posting} for this channel:\n\n* **Old**: @_*role:everyone*\n* **New**: @_*role:moderators*, ${people.join(', ')}`,
    ]);
    expect(notices.map(({ topic }: { topic: string }) => topic)).toEqual(Array(4).fill('channel events'));
    expect(notices.map(({ flags }: { flags: string[] }) => flags)).toEqual([[], [], [], []]);
  });

  it('tell for how long messages are kept, where that really changes', async () => {
    const { max, olivia } = app.cast;
    const id = await createChannel(app, olivia, 'ledger', { principals: [max.id, olivia.id] });
    const keep = (days: number | string) =>
      app.as(olivia).patch(`/streams/${id}`, { message_retention_days: days }).then(expectSuccess);
    for (const days of ['unlimited', 30, 1, 'realm_default']) await keep(days);
    const notices = (await received(max, [{ operator: 'channel', operand: id }])).slice(1);
    const changed = `${mention(olivia)} has changed the [message retention period](https://zulip.com/help/message-retention-policy)`;
    const notice = (before: string, after: string, now: string) =>
      [
        `${changed} for this channel:`,
        `* **Old retention period**: ${before}`,
        `* **New retention period**: ${after}`,
        '',
        `Messages in this channel will now be ${now}.`,
      ].join('\n');
    expect(notices.map(({ content }: { content: string }) => content)).toEqual([
      notice('Forever', '30 days', 'automatically deleted 30 days after they are sent'),
      notice('30 days', '1 day', 'automatically deleted 1 day after they are sent'),
      notice('1 day', 'Forever', 'retained forever'),
    ]);
  });

  it('keep to the empty topic where there is no other', async () => {
    const { olivia } = app.cast;
    const id = await createChannel(app, olivia, 'single', { topics_policy: 'empty_topic_only' });
    await expect(received(olivia, [{ operator: 'channel', operand: id }])).resolves.toMatchObject([
      { topic: 'general chat', flags: ['read'] },
    ]);
  });
});

describe('leaving a channel', () => {
  it('marks everything there as read, and tells', async () => {
    const { mia, max } = app.cast;
    const id = await createChannel(app, mia, 'hallway', { principals: [mia.id, max.id] });
    const ids = [await sendTo(app, mia, id, 'a'), await sendTo(app, mia, id, 'b')];
    const elsewhere = await sendTo(
      app,
      mia,
      await createChannel(app, mia, 'yard', { principals: [max.id] }),
      'c',
    );
    await expect(fetchIds(app, max, [['is', 'unread']])).resolves.toEqual(
      expect.arrayContaining([...ids, elsewhere]),
    );
    const leave = () => app.as(max).delete('/users/me/subscriptions', { subscriptions: ['hallway'] });
    const events = await app.captureEvents(leave);
    expect(events.filter(({ event }) => event.type === 'update_message_flags')).toMatchObject([
      {
        audience: [max.id],
        event: { op: 'add', operation: 'add', flag: 'read', messages: ids, all: false },
      },
    ]);
    const unread = await fetchIds(app, max, [['is', 'unread']]);
    expect(unread).toContain(elsewhere);
    expect(unread).toEqual(expect.not.arrayContaining(ids));
    await expect(app.captureEvents(leave)).resolves.toEqual([]);
  });
});
