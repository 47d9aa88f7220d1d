import { Role } from '../../src/platform/actor';
import type { Clock } from '../../src/platform/clock';
import { changeAccount } from '../support/account-setup';
import type { Answer, Parameters } from '../support/api-client';
import type { Member } from '../support/cast';
import { channelId, createChannel } from '../support/channel-setup';
import { idsOf, outline } from '../support/event-outline';
import { expectError, expectSuccess } from '../support/expect-answer';
import { peopleAlone, systemGroupId } from '../support/group-setup';
import { sendDirect, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';

/** Moved by hand past the limit of edits. */
const clock = { ahead: 0 };
const testClock: Clock = {
  nowMs: () => Date.now() + clock.ahead * 1000,
  nowSeconds: () => Math.floor(Date.now() / 1000) + clock.ahead,
  monotonicMs: () => performance.now() + clock.ahead * 1000,
  onMoved: () => undefined,
};

let app: TestApp;
let channels = 0;

beforeAll(async () => {
  app = await TestApp.start({ clock: testClock });
});

afterAll(() => app.stop());

const type = (member: Member, parameters: Parameters) => app.as(member).post('/typing', parameters);
const typeEdit = (member: Member, id: number, parameters: Parameters = { op: 'start' }) =>
  app.as(member).post(`/messages/${id}/typing`, parameters);

/** The events of a call that succeeds. */
function told(call: () => Promise<Answer>) {
  return app.captureTransient(async () => {
    expect(expectSuccess(await call())).toEqual({ result: 'success', msg: '' });
  });
}

/** A new channel of Mia's, with these people beside her. */
function channelWith(members: readonly Member[], options: Parameters = {}): Promise<number> {
  const { mia } = app.cast;
  const principals = [mia, ...members].map(({ id }) => id);
  return createChannel(app, mia, `typing ${++channels}`, { principals, ...options });
}

const person = ({ id, email }: Member) => ({ user_id: id, email });

/** Runs the work while somebody's personal setting is off. */
async function without(member: Member, setting: string, work: () => Promise<void>): Promise<void> {
  expectSuccess(await app.as(member).patch('/settings', { [setting]: false }));
  await work();
  expectSuccess(await app.as(member).patch('/settings', { [setting]: true }));
}

describe('Typing to people', () => {
  it('is told to everybody in the conversation, oneself included, and not kept', async () => {
    const { mia, max, gus } = app.cast;
    let transient: unknown[] = [];
    const kept = await app.captureEvents(async () => {
      transient = await told(() => type(mia, { op: 'start', to: [gus.id, max.id] }));
    });
    expect(kept).toEqual([]);
    const everybody = [mia, max, gus].sort((a, b) => a.id - b.id);
    expect(transient).toEqual([
      {
        event: {
          type: 'typing',
          op: 'start',
          message_type: 'direct',
          sender: person(mia),
          recipients: everybody.map(person),
        },
        audience: idsOf(...everybody),
        options: {},
      },
    ]);
    const [stopped] = await told(() =>
      type(mia, { op: 'stop', type: 'direct', to: [mia.id, max.id, max.id] }),
    );
    expect(stopped?.event).toMatchObject({ op: 'stop', recipients: [person(max), person(mia)] });
  });

  it('names people by the addresses that everybody sees', async () => {
    const { mia, max } = app.cast;
    await changeAccount(app, mia, { emailVisibility: 4 });
    const [event] = await told(() => type(mia, { op: 'start', to: [max.id] }));
    expect(event?.event.sender).toEqual({ user_id: mia.id, email: `user${mia.id}@chat.example.com` });
    await changeAccount(app, mia, { emailVisibility: 1 });
  });

  it('is refused where the message would be', async () => {
    const { olivia, mia, max, gus } = app.cast;
    expectError(await type(mia, { op: 'start', to: [max.id, 999_999] }), 'Invalid user ID 999999');
    expectError(await type(mia, { op: 'start', to: [-1] }), 'Invalid user ID -1');
    const nobody = { direct_message_permission_group: { new: systemGroupId(app, 'role:nobody') } };
    expectSuccess(await app.as(olivia).patch('/realm', nobody));
    expectError(
      await type(mia, { op: 'start', to: [max.id] }),
      'Direct messages are disabled in this organization.',
    );
    const everyone = { direct_message_permission_group: { new: systemGroupId(app, 'role:everyone') } };
    expectSuccess(await app.as(olivia).patch('/realm', everyone));
    const restrict = (group: 'role:members' | 'role:everyone') =>
      app.as(olivia).patch('/realm', { can_access_all_users_group: { new: systemGroupId(app, group) } });
    expectSuccess(await restrict('role:members'));
    expectError(
      await type(gus, { op: 'start', to: [olivia.id] }),
      'You do not have permission to access some of the recipients.',
    );
    expectSuccess(await restrict('role:everyone'));
  });

  it('is told by nobody who does not want to, and to nobody who does not want to hear', async () => {
    const { mia, max, gus } = app.cast;
    await without(mia, 'send_private_typing_notifications', async () => {
      expectError(
        await type(mia, { op: 'start', to: [max.id] }),
        'User has disabled typing notifications for direct messages',
      );
    });
    await without(max, 'receives_typing_notifications', async () => {
      const events = await told(() => type(mia, { op: 'start', to: [max.id, gus.id] }));
      expect(outline(events)).toEqual([['typing/start', idsOf(mia, gus)]]);
      expect(events[0]?.event.recipients).toHaveLength(3);
    });
  });

  it.each([
    [{ to: [1] }, "Missing 'op' argument", { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'op' } }],
    [{ op: 'go', to: [1] }, 'Invalid op', {}],
    [{ op: 'start', type: 'private', to: [1] }, 'Invalid type', {}],
    [{ op: 'start' }, "Missing 'to' argument", {}],
    [{ op: 'start', to: [] }, "Empty 'to' list", {}],
    [{ op: 'start', to: 'mia@example.com' }, 'to is not valid JSON', {}],
    [{ op: 'start', to: ['mia@example.com'] }, 'to[0] is not an integer', {}],
    [{ op: 'start', to: 7 }, 'to is not a list', {}],
    [{ op: 'start', to: Array(1001).fill(1) }, 'to is too long (limit: 1000 items)', {}],
  ])('asked for with %j is refused', async (parameters, message, rest) => {
    expectError(await type(app.cast.mia, parameters), message, rest);
  });
});

describe('Typing to a channel', () => {
  it.each(['stream', 'channel'])('(%s) is told to subscribers whose clients know of it', async (kind) => {
    const { mia, max, gus } = app.cast;
    const id = await channelWith([max, gus]);
    const events = await told(() => type(mia, { op: 'start', type: kind, stream_id: id, topic: ' lunch ' }));
    expect(events).toEqual([
      {
        event: {
          type: 'typing',
          op: 'start',
          message_type: 'stream',
          sender: person(mia),
          stream_id: id,
          topic: 'lunch',
        },
        audience: idsOf(mia, max, gus),
        options: { requires: 'stream_typing_notifications' },
      },
    ]);
  });

  it('takes the names of the empty topic for what they mean', async () => {
    const { mia } = app.cast;
    const id = await channelWith([]);
    for (const topic of ['', 'general chat', '(no topic)']) {
      const [event] = await told(() => type(mia, { op: 'stop', type: 'stream', stream_id: id, topic }));
      expect(event?.event).toMatchObject({ op: 'stop', topic: '' });
    }
  });

  it('works for those who may post without a subscription; they are not told', async () => {
    const { mia, max } = app.cast;
    const id = await channelWith([]);
    const events = await told(() => type(max, { op: 'start', type: 'stream', stream_id: id, topic: 'a' }));
    expect(outline(events)).toEqual([['typing/start', [mia.id], '+stream_typing_notifications']]);
  });

  it('is not told to guests who are not to know who types', async () => {
    const { olivia, mia, gus } = app.cast;
    const zoe = await app.addAccount({ deliveryEmail: 'zoe@example.com', fullName: 'Zoe', role: 400 });
    const id = await channelWith([gus]);
    const restrict = (group: 'role:members' | 'role:everyone') =>
      app.as(olivia).patch('/realm', { can_access_all_users_group: { new: systemGroupId(app, group) } });
    const hearing = async (member: Member) => {
      const send = () => type(member, { op: 'start', type: 'stream', stream_id: id, topic: 'a' });
      return (await told(send))[0]?.audience;
    };
    expectSuccess(await restrict('role:members'));
    expect(await hearing(zoe)).toEqual([mia.id]);
    expect(await hearing(mia)).toEqual(idsOf(mia, gus));
    expectSuccess(await restrict('role:everyone'));
    expect(await hearing(zoe)).toEqual(idsOf(mia, gus));
  });

  it('is refused where posting would be, without naming channels out of sight', async () => {
    const { mia, max, gus } = app.cast;
    const attempt = (member: Member, stream_id: number) =>
      type(member, { op: 'start', type: 'stream', stream_id, topic: 'a' });
    const closed = await channelWith([], { invite_only: true });
    expectError(await attempt(max, closed), 'Invalid channel ID');
    expectError(await attempt(max, 999_999), 'Invalid channel ID');
    expectError(await attempt(gus, await channelWith([])), 'Invalid channel ID');
    const quiet = await channelWith([max], { can_send_message_group: peopleAlone(mia) });
    expectError(await attempt(max, quiet), 'You do not have permission to post in this channel.');
    const archived = await channelWith([max]);
    expectSuccess(await app.as(app.cast.olivia).delete(`/streams/${archived}`));
    expectError(await attempt(max, archived), 'Invalid channel ID');
    expectError(
      await type(mia, { op: 'start', type: 'stream', stream_id: await channelWith([]), topic: 'a\tb' }),
      'Invalid character in topic, at position 2!',
    );
  });

  it('is told by nobody who does not want to, and to nobody who does not want to hear', async () => {
    const { mia, max } = app.cast;
    const id = await channelWith([max]);
    const attempt = () => type(mia, { op: 'start', type: 'stream', stream_id: id, topic: 'a' });
    await without(mia, 'send_stream_typing_notifications', async () => {
      expectError(await attempt(), 'User has disabled typing notifications for channel messages');
    });
    await without(max, 'receives_typing_notifications', async () => {
      expect((await told(attempt))[0]?.audience).toEqual([mia.id]);
    });
  });

  it('is told to nobody where there are more than 100 subscribers', async () => {
    const { mia } = app.cast;
    const crowd: Member[] = [];
    for (let at = 0; at < 99; at += 1) {
      crowd.push(
        await app.addAccount({
          deliveryEmail: `crowd${at}@example.com`,
          fullName: `Crowd ${at}`,
          role: Role.member,
        }),
      );
    }
    const id = await channelWith(crowd);
    const attempt = () => type(mia, { op: 'start', type: 'stream', stream_id: id, topic: 'a' });
    const message = await sendTo(app, mia, id, 'a');
    expect((await told(attempt))[0]?.audience).toHaveLength(100);
    expect((await told(() => typeEdit(mia, message)))[0]?.audience).toHaveLength(100);
    const name = `typing ${channels}`;
    expect(await channelId(app, name)).toBe(id);
    expectSuccess(await app.as(app.cast.max).post('/users/me/subscriptions', { subscriptions: [{ name }] }));
    await expect(told(attempt)).resolves.toEqual([]);
    await expect(told(() => typeEdit(mia, message))).resolves.toEqual([]);
  });

  it.each([
    [{ topic: 'a' }, "Missing 'stream_id' argument"],
    [{ stream_id: 1 }, 'Missing topic'],
    [{ stream_id: 'lunch', topic: 'a' }, 'stream_id is not valid JSON'],
    [{ stream_id: [1], topic: 'a' }, 'stream_id is not an integer'],
    [{ stream_id: -1, topic: 'a' }, 'Invalid channel ID'],
    [{ stream_id: Number.MAX_SAFE_INTEGER, topic: 'a' }, 'Invalid channel ID'],
  ])('asked for with %j is refused', async (parameters, message) => {
    expectError(await type(app.cast.mia, { op: 'start', type: 'channel', ...parameters }), message);
  });
});

describe('Editing a message', () => {
  it('is told to everybody in a direct conversation', async () => {
    const { mia, max } = app.cast;
    const id = await sendDirect(app, mia, [max]);
    const events = await told(() => typeEdit(mia, id));
    expect(events).toEqual([
      {
        event: {
          type: 'typing_edit_message',
          op: 'start',
          sender_id: mia.id,
          message_id: id,
          recipient: { type: 'direct', user_ids: idsOf(mia, max) },
        },
        audience: idsOf(mia, max),
        options: {},
      },
    ]);
    const [stopped] = await told(() => typeEdit(mia, id, { op: 'stop' }));
    expect(stopped?.event).toMatchObject({ type: 'typing_edit_message', op: 'stop' });
  });

  it('is told to the subscribers of a channel, with the empty topic under the name that a client knows', async () => {
    const { mia, max } = app.cast;
    const channel = await channelWith([max]);
    const named = await sendTo(app, mia, channel, 'lunch');
    const recipient = { type: 'channel', channel_id: channel, topic: 'lunch' };
    const [event] = await told(() => typeEdit(mia, named));
    expect(event).toMatchObject({ event: { recipient }, audience: idsOf(mia, max), options: {} });
    const [stopped] = await told(() => typeEdit(mia, named, { op: 'stop' }));
    expect(stopped).toMatchObject({ event: { op: 'stop', recipient }, audience: idsOf(mia, max) });

    const unnamed = await sendTo(app, mia, channel, '');
    const events = await told(() => typeEdit(mia, unnamed));
    expect(events.map(({ event: { recipient: to }, options }) => [to.topic, options])).toEqual([
      ['', { requires: 'empty_topic_name' }],
      ['general chat', { unless: 'empty_topic_name' }],
    ]);
  });

  it('is not told to those who came after the message to a channel with protected history', async () => {
    const { mia, max, gus } = app.cast;
    const options = { invite_only: true, history_public_to_subscribers: false };
    const channel = await channelWith([max], options);
    const id = await sendTo(app, mia, channel, 'lunch');
    const name = `typing ${channels}`;
    const subscription = { subscriptions: [{ name }], principals: [gus.id] };
    expectSuccess(await app.as(mia).post('/users/me/subscriptions', subscription));
    expect((await told(() => typeEdit(mia, id)))[0]?.audience).toEqual(idsOf(mia, max));
  });

  it('is refused where the edit would be', async () => {
    const { olivia, mia, max } = app.cast;
    const id = await sendDirect(app, mia, [max]);
    expectError(await typeEdit(max, id), "You don't have permission to edit this message");
    expectError(await typeEdit(olivia, id), 'Invalid message(s)');
    expectError(await typeEdit(mia, 999_999), 'Invalid message(s)');
    expectError(await typeEdit(mia, id, { op: 'go' }), 'Invalid op');
    expectSuccess(await app.as(olivia).patch('/realm', { allow_message_editing: false }));
    expectError(await typeEdit(mia, id), 'Your organization has turned off message editing');
    expectSuccess(await app.as(olivia).patch('/realm', { allow_message_editing: true }));
    clock.ahead = 621;
    expectError(await typeEdit(mia, id), 'The time limit for editing this message has passed');
    clock.ahead = 0;
    expectSuccess(await typeEdit(mia, id));
  });

  it('is told by nobody who does not want to', async () => {
    const { mia, max } = app.cast;
    const direct = await sendDirect(app, mia, [max]);
    const inChannel = await sendTo(app, mia, await channelWith([max]), 'lunch');
    await without(mia, 'send_private_typing_notifications', async () => {
      expectError(await typeEdit(mia, direct), 'User has disabled typing notifications for direct messages');
      expectSuccess(await typeEdit(mia, inChannel));
    });
    await without(mia, 'send_stream_typing_notifications', async () => {
      expectError(
        await typeEdit(mia, inChannel),
        'User has disabled typing notifications for channel messages',
      );
      expectSuccess(await typeEdit(mia, direct));
    });
  });
});
