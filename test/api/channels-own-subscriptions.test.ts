import { changeChannel, channelRecord, createChannel, subscribersOf } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

const list = async (parameters: Record<string, unknown> = {}) =>
  expectSuccess(await app.as(app.cast.mia).get('/users/me/subscriptions', parameters)).subscriptions;

describe('the list of one’s own subscriptions', () => {
  it('holds channel and personal settings, sorted by name, without archived channels [SUBSET-record]', async () => {
    const { mia, max } = app.cast;
    await createChannel(app, mia, 'b');
    const id = await createChannel(app, mia, 'B', { subscriptions: [{ name: 'B2' }] }).then(() =>
      createChannel(app, mia, 'C', { principals: [mia.id, max.id] }),
    );
    await changeChannel(app, await createChannel(app, mia, 'Away'), { is_archived: true });
    const subscriptions = await list();
    expect(subscriptions.map((record: { name: string }) => record.name)).toEqual(['B2', 'C', 'b']);
    expect(subscriptions[1]).toEqual({
      ...(await channelRecord(app, id)),
      color: expect.stringMatching(/^#[0-9a-f]{6}$/),
      is_muted: false,
      in_home_view: true,
      pin_to_top: false,
      desktop_notifications: null,
      audible_notifications: null,
      push_notifications: null,
      email_notifications: null,
      wildcard_mentions_notify: null,
    });
  });

  it('names the subscribers when they are asked for', async () => {
    const { mia, max } = app.cast;
    const expected = [max.id, mia.id].sort((a, b) => a - b);
    const subscribers = async (detail: unknown) => {
      const found = (await list({ include_subscribers: detail }))[1];
      return found.subscribers;
    };
    await expect(subscribers(true)).resolves.toEqual(expected);
    await expect(subscribers('partial')).resolves.toEqual(expected);
    await expect(subscribers(false)).resolves.toBeUndefined();
    expectError(
      await app.as(mia).get('/users/me/subscriptions', { include_subscribers: 'some' }),
      'Invalid include_subscribers',
    );
  });

  it('names only some of very many subscribers when that is enough', async () => {
    const { mia, robo } = app.cast;
    const crowd: number[] = [];
    for (let i = 0; i < 250; i++) {
      const account = { deliveryEmail: `crowd${i}@example.com`, fullName: `Crowd ${i}`, role: 400 } as const;
      crowd.push((await app.addAccount(account)).id);
    }
    const principals = [mia.id, robo.id, ...crowd];
    const id = await createChannel(app, mia, 'Crowded', { principals });
    const find = async (detail: unknown) =>
      (await list({ include_subscribers: detail })).find(
        (record: { stream_id: number }) => record.stream_id === id,
      );
    expect((await find(true)).subscribers).toHaveLength(252);
    const partial = await find('partial');
    expect(partial).not.toHaveProperty('subscribers');
    expect(partial.partial_subscribers).toContain(robo.id);
    expect(partial.subscriber_count).toBe(252);
  });
});

describe('adding and deleting in one request', () => {
  const update = (parameters: Record<string, unknown>, who = app.cast.max) =>
    app.as(who).patch('/users/me/subscriptions', parameters);

  it('does both', async () => {
    const { max } = app.cast;
    await createChannel(app, max, 'Out');
    const body = expectSuccess(
      await update({ add: [{ name: 'In', description: 'new', color: '#fff' }], delete: ['out', 'b'] }),
    );
    expect(body).toEqual({
      result: 'success',
      msg: '',
      subscribed: { [max.id]: ['In'] },
      already_subscribed: {},
      removed: ['Out'],
      not_removed: ['b'],
      new_subscription_messages_sent: true,
    });
  });

  it('does both for the people that the request names, who are told', async () => {
    const { max, mia, mona, olivia } = app.cast;
    await createChannel(app, max, 'From here', { principals: [mia.id, mona.id] });
    await createChannel(app, max, 'To there');
    const request = { add: [{ name: 'To there' }], delete: ['From here'], principals: [mia.id, mona.id] };
    expectError(await update(request), 'Insufficient permission');
    const events = await app.captureEvents(async () => {
      expect(expectSuccess(await update(request, olivia))).toMatchObject({
        subscribed: { [mia.id]: ['To there'], [mona.id]: ['To there'] },
        already_subscribed: {},
        removed: ['From here', 'From here'],
        not_removed: [],
        new_subscription_messages_sent: true,
      });
    });
    const told = events.filter(({ event }) => event.type === 'subscription' && event.op === 'add');
    expect(told.flatMap(({ audience }) => audience).sort()).toEqual([mia.id, mona.id].sort());
    expect(events.filter(({ event }) => event.type === 'message')).toHaveLength(2);
    expectError(await update({ ...request, principals: [999_999] }, olivia), 'No such user');
    expectError(
      await update({ delete: ['From here'], principals: ['nobody@example.com'] }, olivia),
      'No such user',
    );
  });

  it('does neither when one of them fails', async () => {
    const { max, olivia } = app.cast;
    expectError(
      await update({ add: [{ name: 'Not made' }], delete: ['No such channel'] }),
      "Channel 'No such channel' does not exist",
      { code: 'STREAM_DOES_NOT_EXIST', data: { stream: 'No such channel' } },
    );
    expectError(
      await app.as(olivia).get('/get_stream_id', { stream: 'Not made' }),
      "Invalid channel name 'Not made'",
    );
    const secret = await createChannel(app, app.cast.mia, 'Secret', { invite_only: true });
    expectError(
      await update({ add: [{ name: 'Secret' }], delete: ['In'] }),
      'Unable to access channel (Secret).',
    );
    await expect(subscribersOf(app, secret)).resolves.not.toContain(max.id);
  });

  it('needs something to do, and is not for guests', async () => {
    expectError(await update({}), 'Nothing to do. Specify at least one of "add" or "delete".');
    expectError(await update({ delete: ['In'] }, app.cast.gus), 'Not allowed for guest users');
  });
});
