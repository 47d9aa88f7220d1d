import { changeChannel, channelRecord, createChannel, subscribersOf } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

const subscribe = (who: keyof TestApp['cast'], parameters: Record<string, unknown>) =>
  app.as(app.cast[who]).post('/users/me/subscriptions', parameters);

describe('subscribing oneself', () => {
  it('creates a missing channel and answers who was subscribed to what [EP1-create, EP1-principals-default, EP1-response, EP1-response-rest, STATE-subscription-subscribe]', async () => {
    const { mia } = app.cast;
    const body = expectSuccess(await subscribe('mia', { subscriptions: [{ name: 'Verona' }] }));
    expect(body).toEqual({
      result: 'success',
      msg: '',
      subscribed: { [mia.id]: ['Verona'] },
      already_subscribed: {},
      new_subscription_messages_sent: true,
    });
  });

  it('is idempotent and emits nothing the second time [EP1-response-rest]', async () => {
    const { max } = app.cast;
    await createChannel(app, max, 'Twice');
    const events = await app.captureEvents(async () => {
      const body = expectSuccess(await subscribe('max', { subscriptions: [{ name: 'Twice' }] }));
      expect(body).toMatchObject({ subscribed: {}, already_subscribed: { [max.id]: ['Twice'] } });
    });
    expect(events).toEqual([]);
  });

  it('finds channels in any casing and spacing and answers with the stored spelling', async () => {
    const { max, mia } = app.cast;
    const id = await createChannel(app, max, 'Old  Spelling');
    const body = expectSuccess(await subscribe('mia', { subscriptions: [{ name: ' oLD  spelling ' }] }));
    expect(body.subscribed).toEqual({ [mia.id]: ['Old Spelling'] });
    await expect(subscribersOf(app, id)).resolves.toEqual([max.id, mia.id].sort((a, b) => a - b));
  });

  it('makes one channel of two spellings in one request', async () => {
    const { max } = app.cast;
    const body = expectSuccess(
      await subscribe('max', { subscriptions: [{ name: 'Both' }, { name: 'BOTH' }] }),
    );
    expect(body.subscribed).toEqual({ [max.id]: ['Both'] });
  });

  it('accepts an empty list', async () => {
    const body = expectSuccess(await subscribe('mia', { subscriptions: [] }));
    expect(body).toMatchObject({ subscribed: {}, already_subscribed: {} });
  });

  it('subscribes to an archived channel instead of making a new one [VER-362, STATE-channel-archived-subscriptions]', async () => {
    const { max, mia } = app.cast;
    const id = await createChannel(app, max, 'Archived');
    await changeChannel(app, id, { is_archived: true });
    const body = expectSuccess(await subscribe('mia', { subscriptions: [{ name: 'archived' }] }));
    expect(body.subscribed).toEqual({ [mia.id]: ['Archived'] });
    await expect(subscribersOf(app, id)).resolves.toContain(mia.id);
  });

  it('says nothing about messages that were not asked for', async () => {
    const body = expectSuccess(
      await subscribe('mia', { subscriptions: [{ name: 'Silent' }], send_new_subscription_messages: false }),
    );
    expect(body).not.toHaveProperty('new_subscription_messages_sent');
  });

  it('is refused to guests, before parameters are looked at', async () => {
    expectError(await subscribe('gus', {}), 'Not allowed for guest users');
  });
});

describe('names and descriptions', () => {
  it('needs the list [EP1-subscriptions]', async () => {
    expectError(await subscribe('mia', {}), "Missing 'subscriptions' argument", {
      code: 'REQUEST_VARIABLE_MISSING',
      data: { var_name: 'subscriptions' },
    });
  });

  it.each([
    ['no list', { name: 'x' }, 'subscriptions is not a list'],
    [
      'an element that is no object',
      ['x'],
      'Invalid subscriptions[0]: Input should be a valid dictionary or instance of AddSubscriptionData',
    ],
    ['no name', [{}], 'subscriptions[0]["name"] field is missing: Field required'],
    ['a number for a name', [{ name: 5 }], 'subscriptions[0]["name"] is not a string'],
    [
      'a bad colour',
      [{ name: 'x', color: 'red' }],
      'Invalid subscriptions[0]: Value error, add.color is not a valid hex color code',
    ],
    ['an empty name', [{ name: ' ' }], "Channel name can't be empty."],
    ['a line feed', [{ name: 'a\nb' }], 'Invalid character in channel name, at position 2.'],
    ['NUL', [{ name: 'ab\0' }], 'Invalid character in channel name, at position 3.'],
  ])('refuses %s [EP1-subscriptions, EP1-subscriptions-name]', async (_, subscriptions, message) => {
    expectError(await subscribe('mia', { subscriptions }), message);
  });

  it('takes names of up to 60 code points [EP1-subscriptions-name, LIM-1a]', async () => {
    const body = expectSuccess(await subscribe('mia', { subscriptions: [{ name: '😀'.repeat(60) }] }));
    expect(body.subscribed).toEqual({ [app.cast.mia.id]: ['😀'.repeat(60)] });
    expectError(
      await subscribe('mia', { subscriptions: [{ name: 'x'.repeat(61) }] }),
      'Channel name too long (limit: 60 characters).',
    );
  });

  it('takes descriptions of up to 1024 code points [EP1-subscriptions-description, LIM-1b]', async () => {
    const description = '😀'.repeat(1024);
    expectSuccess(await subscribe('mia', { subscriptions: [{ name: 'Long', description }] }));
    expectError(
      await subscribe('mia', { subscriptions: [{ name: 'Longer', description: `${description}x` }] }),
      'subscriptions[0]["description"] is too long (limit: 1024 characters)',
    );
  });

  it('renders the description of a new channel and puts it on one line [EP1-subscriptions-description, CHAN-description, CHAN-rendered_description]', async () => {
    const id = await createChannel(app, app.cast.mia, 'Described', {
      subscriptions: [{ name: 'Described', description: 'all\nabout *cats* ' }],
    });
    const record = await channelRecord(app, id);
    expect(record.description).toBe('all about *cats* ');
    expect(record.rendered_description).toMatch(/^<p>all about .*cats.*<\/p>$/);
  });

  it('ignores description and settings for a channel that exists [EP1-existing]', async () => {
    const { mia, max } = app.cast;
    const id = await createChannel(app, mia, 'Settled');
    const before = await channelRecord(app, id);
    const body = expectSuccess(
      await subscribe('max', {
        subscriptions: [{ name: 'settled', description: 'something else' }],
        invite_only: true,
        is_default_stream: true,
        message_retention_days: 7,
        topics_policy: 'allow_empty_topic',
        can_send_message_group: { direct_members: [max.id], direct_subgroups: [] },
      }),
    );
    expect(body.subscribed).toEqual({ [max.id]: ['Settled'] });
    await expect(channelRecord(app, id)).resolves.toEqual({ ...before, subscriber_count: 2 });
  });

  it('reports the parameters of older versions as ignored [EP1-R2, VER-333]', async () => {
    const id = await createChannel(app, app.cast.mia, 'Plain');
    const answer = await subscribe('mia', {
      subscriptions: [{ name: 'Plain too' }],
      stream_post_policy: 2,
      is_announcement_only: true,
    });
    expectSuccess(answer, { ignored: ['is_announcement_only', 'stream_post_policy'] });
    expect((await channelRecord(app, id)).stream_post_policy).toBe(1);
  });
});

describe('one request', () => {
  it('takes 500 channels and no more, and makes none of too many', async () => {
    const wanted = Array.from({ length: 501 }, (_, n) => ({ name: `many ${n}` }));
    expectError(
      await app.as(app.cast.mia).post('/users/me/subscriptions', { subscriptions: wanted }),
      'subscriptions is too long (limit: 500 items)',
    );
    expectError(
      await app.as(app.cast.mia).get('/get_stream_id', { stream: 'many 0' }),
      "Invalid channel name 'many 0'",
    );
  });
});

describe('principals', () => {
  it('are taken as IDs, duplicates merged, without the caller being subscribed [EP1-principals-ids, VER-9]', async () => {
    const { mia, max, gus } = app.cast;
    const body = expectSuccess(
      await subscribe('mia', {
        subscriptions: [{ name: 'For others' }],
        principals: [max.id, gus.id, max.id],
      }),
    );
    expect(body.subscribed).toEqual({ [max.id]: ['For others'], [gus.id]: ['For others'] });
    expect(body.subscribed).not.toHaveProperty(String(mia.id));
  });

  it('are taken as API addresses in any case [EP1-principals-emails]', async () => {
    const { max, robo } = app.cast;
    const body = expectSuccess(
      await subscribe('mia', {
        subscriptions: [{ name: 'By address' }],
        principals: [max.email.toUpperCase(), robo.email],
      }),
    );
    expect(body.subscribed).toEqual({ [max.id]: ['By address'], [robo.id]: ['By address'] });
  });

  it('mean the caller when the list is empty [EP1-principals-default]', async () => {
    const body = expectSuccess(await subscribe('mia', { subscriptions: [{ name: 'Me' }], principals: [] }));
    expect(body.subscribed).toEqual({ [app.cast.mia.id]: ['Me'] });
  });

  it('who are unknown or deactivated fail the whole request [EP1-R1, ERR-BAD_REQUEST-principal, ERR-UNAUTHORIZED_PRINCIPAL, VER-208]', async () => {
    const { max, mona } = app.cast;
    await setActive(mona.id, false);
    for (const [principals, message] of [
      [[max.id, 9999], 'No such user'],
      [['nobody@example.com'], 'No such user'],
      [[mona.id, max.id], 'User is deactivated'],
      [[mona.email], 'User is deactivated'],
    ] as const) {
      expectError(await subscribe('mia', { subscriptions: [{ name: 'Never made' }], principals }), message);
    }
    await setActive(mona.id, true);
    expectError(
      await app.as(app.cast.olivia).get('/get_stream_id', { stream: 'Never made' }),
      "Invalid channel name 'Never made'",
    );
  });

  it.each([
    ['a mixed list', [1, 'a'], 'principals["list[str]"][0] is not a string'],
    ['no list', 5, 'principals["list[str]"] is not a list'],
  ])('refuses %s', async (_, principals, message) => {
    expectError(await subscribe('mia', { subscriptions: [{ name: 'x' }], principals }), message);
  });
});

describe('colours', () => {
  const colorOf = async (name: string) => {
    const { subscriptions } = expectSuccess(await app.as(app.cast.adam).get('/users/me/subscriptions'));
    return subscriptions.find((record: { name: string }) => record.name === name).color;
  };

  it('are taken in order from what is not in use, unless one is sent along [SUBSET-color]', async () => {
    await subscribe('adam', {
      subscriptions: [{ name: 'C1' }, { name: 'C2', color: '#aBc' }, { name: 'C3' }],
    });
    await expect(colorOf('C1')).resolves.toBe('#76ce90');
    await expect(colorOf('C2')).resolves.toBe('#aBc');
    await expect(colorOf('C3')).resolves.toBe('#fae589');
  });

  it('are told from those of later subscriptions where there are many', async () => {
    const black = Array.from({ length: 100 }, (_, n) => ({ name: `black ${n}`, color: '#000000' }));
    await subscribe('adam', { subscriptions: black });
    await subscribe('adam', { subscriptions: [{ name: 'late', color: '#a6c7e5' }] });
    await subscribe('adam', { subscriptions: [{ name: 'next' }] });
    await expect(colorOf('next')).resolves.toBe('#e79ab5');
  });

  it('survive leaving and coming back', async () => {
    await app.as(app.cast.adam).delete('/users/me/subscriptions', { subscriptions: ['C2'] });
    await subscribe('adam', { subscriptions: [{ name: 'C2', color: '#000000' }] });
    await expect(colorOf('C2')).resolves.toBe('#aBc');
  });
});

async function setActive(userId: number, isActive: boolean): Promise<void> {
  await app.writeRows(async (tx) => {
    await tx.query('UPDATE account SET is_active = ? WHERE id = ?', [isActive, userId]);
    tx.touch('accounts', [userId]);
  });
}
