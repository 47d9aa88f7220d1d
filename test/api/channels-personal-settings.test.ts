import type { Answer } from '../support/api-client';
import { changeChannel, createChannel } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { TestApp } from '../support/test-app';

const BOOLEANS = [
  'is_muted',
  'in_home_view',
  'pin_to_top',
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
];

let app: TestApp;
let id: number;

beforeAll(async () => {
  app = await TestApp.start();
  const { mia, gus } = app.cast;
  id = await createChannel(app, mia, 'Verona', { principals: [mia.id, gus.id] });
});

afterAll(() => app.stop());

const change = (property?: unknown, value?: unknown, channelId = id): Promise<Answer> =>
  app.as(app.cast.mia).patch(`/users/me/subscriptions/${channelId}`, { property, value });

const changeMany = (data: unknown): Promise<Answer> =>
  app.as(app.cast.mia).post('/users/me/subscriptions/properties', { subscription_data: data });

const mine = async () => {
  const { subscriptions } = expectSuccess(await app.as(app.cast.mia).get('/users/me/subscriptions'));
  return subscriptions.find((record: { stream_id: number }) => record.stream_id === id);
};

describe('one setting', () => {
  it.each(BOOLEANS)(
    '%s is set and cleared [EP4-stream_id, EP4-property, EP4-value-boolean, EP4-response, SUBSET-is_muted, SUBSET-in_home_view, SUBSET-pin_to_top, SUBSET-desktop_notifications, SUBSET-audible_notifications, SUBSET-push_notifications, SUBSET-email_notifications, SUBSET-wildcard_mentions_notify]',
    async (property) => {
      for (const value of [true, false]) {
        expect(expectSuccess(await change(property, value))).toEqual({ result: 'success', msg: '' });
        expect((await mine())[property]).toBe(value);
      }
    },
  );

  it.each(['is_muted', 'in_home_view'])(
    '%s sends two events, the older one first [EVT-1, VER-139]',
    async (property) => {
      for (const isMuted of [true, false]) {
        const events = await app.captureEvents(() =>
          change(property, property === 'is_muted' ? isMuted : !isMuted),
        );
        expect(events.map(({ event }) => event)).toEqual([
          { type: 'subscription', op: 'update', property: 'in_home_view', value: !isMuted, stream_id: id },
          { type: 'subscription', op: 'update', property: 'is_muted', value: isMuted, stream_id: id },
        ]);
        expect(events.map(({ audience }) => audience)).toEqual([[app.cast.mia.id], [app.cast.mia.id]]);
        await expect(mine()).resolves.toMatchObject({ is_muted: isMuted, in_home_view: !isMuted });
      }
    },
  );

  it('sends one event for the others, also when the value stays', async () => {
    const events = await app.captureEvents(async () => {
      await change('pin_to_top', true);
      await change('pin_to_top', true);
    });
    const expected = {
      type: 'subscription',
      op: 'update',
      property: 'pin_to_top',
      value: true,
      stream_id: id,
    };
    expect(events.map(({ event }) => event)).toEqual([expected, expected]);
  });

  it.each(['#f00', '#F00a', '#c2c2c', '#a47462'])(
    'takes the colour %s as it is sent [EP4-value-color, EP4-color-format, SUBSET-color]',
    async (color) => {
      expectSuccess(await change('color', color));
      expect((await mine()).color).toBe(color);
    },
  );

  it('takes a colour in quotes', async () => {
    expectSuccess(await change('color', '"#abcdef"'));
    expect((await mine()).color).toBe('#abcdef');
  });

  it.each(['red', '#ab', '#abcdef0', '#ggg', 'abc', '', true])(
    'refuses %p for a colour [EP4-value-color, EP4-color-format]',
    async (color) => {
      expectError(await change('color', color), 'color is not a valid hex color code');
    },
  );

  it.each(['#fff', 'True', '1', '"true"'])('refuses %s for a boolean [EP4-value-boolean]', async (value) => {
    expectError(await change('is_muted', value), 'is_muted is not a boolean');
  });

  it('refuses unknown properties, before it looks at the channel [EP4-property]', async () => {
    expectError(await change('name', 'x', 4711), 'Unknown subscription property: name');
    expectError(await change('toString', 'true'), 'Unknown subscription property: toString');
  });

  it.each([
    [undefined, true, 'property'],
    ['is_muted', undefined, 'value'],
  ])('needs both parameters [EP4-property, EP4-value-boolean]', async (property, value, missing) => {
    expectError(await change(property, value), `Missing '${missing}' argument`, {
      code: 'REQUEST_VARIABLE_MISSING',
      data: { var_name: missing },
    });
  });

  it('tells channels out of reach and unknown ones apart by nothing [ERR-BAD_REQUEST-channel, ERR-invalid-channel, EP4-stream_id]', async () => {
    const secret = await createChannel(app, app.cast.max, 'Secret', { invite_only: true });
    expectError(await change('is_muted', true, 4711), 'Invalid channel ID');
    expectError(await change('is_muted', true, secret), 'Invalid channel ID');
  });

  it('needs a subscription', async () => {
    const open = await createChannel(app, app.cast.max, 'Open');
    expectError(await change('is_muted', true, open), `Not subscribed to channel ID ${open}`);
  });

  it('is for guests too, and works in archived channels [VER-362, STATE-channel-archived-subscriptions]', async () => {
    await changeChannel(app, id, { is_archived: true });
    const path = `/users/me/subscriptions/${id}`;
    expectSuccess(await app.as(app.cast.gus).patch(path, { property: 'pin_to_top', value: true }));
    await changeChannel(app, id, { is_archived: false });
  });
});

describe('many settings at once', () => {
  it('are changed in their order [EP4-bulk]', async () => {
    const events = await app.captureEvents(async () =>
      expectSuccess(
        await changeMany([
          { stream_id: id, property: 'color', value: '#123456' },
          { stream_id: id, property: 'email_notifications', value: true },
          { stream_id: id, property: 'is_muted', value: true },
        ]),
      ),
    );
    expect(events.map(({ event }) => event.property)).toEqual([
      'color',
      'email_notifications',
      'in_home_view',
      'is_muted',
    ]);
    await expect(mine()).resolves.toMatchObject({
      color: '#123456',
      email_notifications: true,
      is_muted: true,
    });
  });

  it('are all left as they were when one of them fails', async () => {
    const events = await app.captureEvents(async () =>
      expectError(
        await changeMany([
          { stream_id: id, property: 'color', value: '#654321' },
          { stream_id: 4711, property: 'is_muted', value: true },
        ]),
        'Invalid channel ID',
      ),
    );
    expect(events).toEqual([]);
    expect((await mine()).color).toBe('#123456');
  });

  it.each([
    ['no list', {}, 'subscription_data is not a list'],
    [
      'a missing key',
      [{ property: 'color', value: '#fff' }],
      'subscription_data[0]["stream_id"] field is missing: Field required',
    ],
    [
      'a bad colour',
      [{ stream_id: 1, property: 'color', value: 'red' }],
      'Invalid subscription_data[0]: Value error, color is not a valid hex color code',
    ],
    [
      'text for a boolean',
      [{ stream_id: 1, property: 'is_muted', value: 'true' }],
      'is_muted is not a boolean',
    ],
    [
      'an unknown property',
      [{ stream_id: 1, property: 'role', value: true }],
      'Unknown subscription property: role',
    ],
    [
      'a value of no known type',
      [{ stream_id: 1, property: 'is_muted', value: 5 }],
      'subscription_data[0]["value"]["bool"] is not a boolean',
    ],
  ])('refuse %s [EP4-bulk]', async (_, data, message) => {
    expectError(await changeMany(data), message);
  });
});
