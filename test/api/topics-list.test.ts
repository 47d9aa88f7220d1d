import type { Parameters } from '../support/api-client';
import type { Member } from '../support/cast';
import { changeChannel, createChannel } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

const list = (who: Member, channel: number, parameters: Parameters = {}) =>
  app.as(who).get(`/users/me/${channel}/topics`, parameters);

const topics = async (who: Member, channel: number, parameters: Parameters = {}) =>
  expectSuccess(await list(who, channel, parameters)).topics;

const subscribe = async (who: Member, name: string, other: Member) =>
  expectSuccess(
    await app.as(who).post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [other.id] }),
  );

const unsubscribe = async (who: Member, name: string) =>
  expectSuccess(await app.as(who).delete('/users/me/subscriptions', { subscriptions: [name] }));

describe('topics of a channel', () => {
  it('come with their newest message, the newest first [EP8-stream_id, EP8-topics, EP8-order, TOPIC-name, TOPIC-max_id]', async () => {
    const { mia, max } = app.cast;
    const id = await createChannel(app, mia, 'plans');
    await expect(topics(mia, id)).resolves.toEqual([]);
    await sendTo(app, mia, id, 'Spring');
    const autumn = await sendTo(app, mia, id, 'autumn');
    const spring = await sendTo(app, mia, id, 'spring');
    const expected = [
      { name: 'spring', max_id: spring },
      { name: 'autumn', max_id: autumn },
    ];
    await expect(topics(mia, id)).resolves.toEqual(expected);
    await expect(topics(max, id)).resolves.toEqual(expected);
  });

  it('include the empty one, under its display name unless the caller knows it [EP8-allow_empty_topic_name, EP8-allow_empty_topic_name-default, VER-334]', async () => {
    const { mia, olivia } = app.cast;
    const id = await createChannel(app, mia, 'chat');
    const newest = await sendTo(app, mia, id, '');
    await expect(topics(mia, id)).resolves.toEqual([{ name: 'general chat', max_id: newest }]);
    await expect(topics(mia, id, { allow_empty_topic_name: false })).resolves.toEqual([
      { name: 'general chat', max_id: newest },
    ]);
    await expect(topics(mia, id, { allow_empty_topic_name: true })).resolves.toEqual([
      { name: '', max_id: newest },
    ]);
    const rename = async (name: string) =>
      expectSuccess(await app.as(olivia).patch('/realm', { empty_topic_display_name: name }));
    await rename('this and that');
    await expect(topics(mia, id)).resolves.toEqual([{ name: 'this and that', max_id: newest }]);
    await rename('general chat');
  });

  it('stay after archiving [STATE-channel-archived-topics, VER-480]', async () => {
    const { mia } = app.cast;
    const id = await createChannel(app, mia, 'past');
    const newest = await sendTo(app, mia, id, 'last words');
    await changeChannel(app, id, { is_archived: true });
    await expect(topics(mia, id)).resolves.toEqual([{ name: 'last words', max_id: newest }]);
  });

  it('with protected history are those in which the caller received something [EP8-R1]', async () => {
    const { mia, max } = app.cast;
    const id = await createChannel(app, mia, 'council', { invite_only: true });
    const before = await sendTo(app, mia, id, 'before');
    await subscribe(mia, 'council', max);
    await expect(topics(max, id)).resolves.toEqual([]);
    const shared = await sendTo(app, mia, id, 'shared');
    await unsubscribe(max, 'council');
    const missed = await sendTo(app, mia, id, 'shared');
    const between = await sendTo(app, mia, id, 'between');
    await subscribe(mia, 'council', max);
    const after = await sendTo(app, mia, id, 'after');
    await expect(topics(max, id)).resolves.toEqual([
      { name: 'after', max_id: after },
      { name: 'shared', max_id: shared },
    ]);
    await expect(topics(mia, id)).resolves.toEqual([
      { name: 'after', max_id: after },
      { name: 'between', max_id: between },
      { name: 'shared', max_id: missed },
      { name: 'before', max_id: before },
    ]);
  });

  it('with protected history depend for a bot on its own subscription [EP8-R2]', async () => {
    const { mia, robo } = app.cast;
    const id = await createChannel(app, mia, 'machine room', { invite_only: true });
    await sendTo(app, mia, id, 'before');
    expectError(await list(robo, id), 'Invalid channel ID');
    await subscribe(mia, 'machine room', robo);
    const after = await sendTo(app, mia, id, 'after');
    await expect(topics(robo, id)).resolves.toEqual([{ name: 'after', max_id: after }]);
  });

  it('with protected history are none for those who may read it and never subscribed', async () => {
    const { mia, max } = app.cast;
    const id = await createChannel(app, mia, 'antechamber', {
      invite_only: true,
      can_subscribe_group: { direct_members: [max.id], direct_subgroups: [] },
    });
    await sendTo(app, mia, id, 'a');
    await expect(topics(max, id)).resolves.toEqual([]);
  });

  it('with shared history are all of them for every subscriber', async () => {
    const { mia, max } = app.cast;
    const id = await createChannel(app, mia, 'library', {
      invite_only: true,
      history_public_to_subscribers: true,
    });
    const before = await sendTo(app, mia, id, 'before');
    await subscribe(mia, 'library', max);
    await expect(topics(max, id)).resolves.toEqual([{ name: 'before', max_id: before }]);
  });

  it('are refused for a channel that does not exist or is out of reach [EP8-R3]', async () => {
    const { mia, max, gus, olivia } = app.cast;
    const secret = await createChannel(app, mia, 'secret', { invite_only: true });
    const open = await createChannel(app, mia, 'open');
    for (const [who, id] of [
      [max, secret],
      [olivia, secret],
      [gus, open],
      [mia, 99_999],
    ] as const) {
      expectError(await list(who, id), 'Invalid channel ID');
    }
  });
});
