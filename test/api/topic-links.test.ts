import type { Member } from '../support/cast';
import { createChannel, createChannelWith } from '../support/channel-setup';
import { expectSuccess } from '../support/expect-answer';
import { fetchIds, fetchMessage, fetchMessages, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

const PROTECTED = { invite_only: true, history_public_to_subscribers: false };

const render = async (author: Member, content: string): Promise<string> =>
  expectSuccess(await app.as(author).post('/messages/render', { content })).rendered;

const link = (channel: number, name: string, target: string, text: string) =>
  `<p><a class="stream-topic" data-stream-id="${channel}" href="/#narrow/channel/${channel}-${name}/topic/${target}">` +
  `#${name} &gt; ${text}</a></p>`;

describe('a link to a topic', () => {
  it('names the newest message there, in any spelling of the topic, and none where there is no message', async () => {
    const { mia } = app.cast;
    const channel = await createChannel(app, mia, 'news');
    await expect(render(mia, '#**news>Soup**')).resolves.toBe(link(channel, 'news', 'Soup', 'Soup'));
    await sendTo(app, mia, channel, 'Soup');
    const newest = await sendTo(app, mia, channel, 'Soup');
    const named = link(channel, 'news', `soup/with/${newest}`, 'soup');
    await expect(render(mia, '#**news>soup**')).resolves.toBe(named);
    const sent = await sendTo(app, mia, channel, 'links', '#**news>soup**');
    expect((await fetchMessage(app, mia, sent)).content).toBe(named);
    expectSuccess(await app.as(mia).patch(`/messages/${sent}`, { content: '#**news>links**' }));
    expect((await fetchMessage(app, mia, sent)).content).toBe(
      link(channel, 'news', `links/with/${sent}`, 'links'),
    );
    expectSuccess(await app.as(mia).delete(`/messages/${sent}`));
    await expect(render(mia, '#**news>links**')).resolves.toBe(link(channel, 'news', 'links', 'links'));
  });

  it('leads to the topic wherever it moves', async () => {
    const { mia } = app.cast;
    const channel = await createChannel(app, mia, 'moves');
    const id = await sendTo(app, mia, channel, 'here');
    await expect(render(mia, '#**moves>here**')).resolves.toContain(`/with/${id}"`);
    expectSuccess(
      await app.as(mia).patch(`/messages/${id}`, { topic: 'there', propagate_mode: 'change_all' }),
    );
    const asLinked = [
      ['channel', 'moves'],
      ['topic', 'here'],
      ['with', String(id)],
    ];
    await expect(fetchIds(app, mia, asLinked)).resolves.toContain(id);
  });

  it('shows the empty topic under the name that it has everywhere, with emphasis', async () => {
    const { mia } = app.cast;
    const channel = await createChannel(app, mia, 'chatty');
    const general = '<em>general chat</em>';
    await expect(render(mia, '#**chatty>**')).resolves.toBe(link(channel, 'chatty', '', general));
    const id = await sendTo(app, mia, channel, '');
    await expect(render(mia, '#**chatty>**')).resolves.toBe(link(channel, 'chatty', `/with/${id}`, general));
  });

  it('names nothing that its author may not read', async () => {
    const { olivia, mia, max, adam } = app.cast;
    const hidden = await createChannelWith(app, mia, [], 'hideout', { invite_only: true });
    const id = await sendTo(app, mia, hidden, 'plan');
    await expect(render(mia, '#**hideout>plan**')).resolves.toContain(`/with/${id}"`);
    for (const author of [adam, olivia]) {
      await expect(render(author, '#**hideout>plan**')).resolves.toBe(
        link(hidden, 'hideout', 'plan', 'plan'),
      );
    }
    const guarded = await createChannelWith(app, mia, [], 'guarded', PROTECTED);
    const before = await sendTo(app, mia, guarded, 'old');
    expectSuccess(
      await app
        .as(mia)
        .post('/users/me/subscriptions', { subscriptions: [{ name: 'guarded' }], principals: [max.id] }),
    );
    const after = await sendTo(app, mia, guarded, 'new');
    await expect(render(mia, '#**guarded>old** #**guarded>new**')).resolves.toMatch(
      new RegExp(`old/with/${before}".*new/with/${after}"`),
    );
    await expect(render(max, '#**guarded>old** #**guarded>new**')).resolves.toMatch(
      new RegExp(`topic/old".*new/with/${after}"`),
    );
  });

  it('is as good in what the server says about a topic that moved', async () => {
    const { mia } = app.cast;
    const channel = await createChannel(app, mia, 'told');
    const id = await sendTo(app, mia, channel, 'from');
    expectSuccess(
      await app.as(mia).patch(`/messages/${id}`, {
        topic: 'to',
        propagate_mode: 'change_all',
        send_notification_to_old_thread: true,
        send_notification_to_new_thread: false,
      }),
    );
    const narrow = [
      ['channel', 'told'],
      ['topic', 'from'],
    ];
    const { messages } = expectSuccess(await fetchMessages(app, mia, narrow));
    expect(messages[0].content).toContain(`/topic/to/with/${id}"`);
  });

  it('stands without a message after the first hundred of a text', async () => {
    const { mia } = app.cast;
    const channel = await createChannel(app, mia, 'wide');
    const id = await sendTo(app, mia, channel, 'last');
    const links = (others: number) =>
      Array.from({ length: others }, (_, index) => `#**wide>${index}**`).join(' ') + ' #**wide>last**';
    await expect(render(mia, links(99))).resolves.toContain(`last/with/${id}"`);
    await expect(render(mia, links(100))).resolves.not.toContain('/with/');
  });
});
