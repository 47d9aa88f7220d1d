import type { Member } from '../support/cast';
import { changeChannel, channelRecord, createChannel } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { TestApp } from '../support/test-app';

let app: TestApp;
/** IDs of the channels by name. */
const ids: Record<string, number> = {};

const only = (...members: Member[]) => ({
  direct_members: members.map(({ id }) => id),
  direct_subgroups: [],
});

/** The first start makes the channel `general`, in which only the owner is. */
beforeAll(async () => {
  app = await TestApp.start({ env: { WEB_PUBLIC_STREAMS_ENABLED: 'true' } });
  const { olivia, max, mia, gus, robo } = app.cast;
  expectSuccess(await app.as(olivia).patch('/realm', { enable_spectator_access: true }));
  const make = async (creator: Member, name: string, others: Member[] = [], options = {}) => {
    const principals = [creator, ...others].map(({ id }) => id);
    ids[name] = await createChannel(app, creator, name, { principals, ...options });
  };
  await make(max, 'Zebra', [gus]);
  await make(max, 'apple', [mia]);
  await make(max, 'open house', [], { can_administer_channel_group: only(mia) });
  await make(max, 'private', [], { invite_only: true });
  await make(max, 'private mia', [mia], { invite_only: true });
  await make(max, 'private enter', [], { invite_only: true, can_subscribe_group: only(mia) });
  await make(max, 'private rule', [], { invite_only: true, can_administer_channel_group: only(mia) });
  await make(olivia, 'web', [], { is_web_public: true });
  await make(max, 'archived', [mia, robo]);
  await make(olivia, 'archived web', [], { is_web_public: true });
  for (const name of ['archived', 'archived web']) {
    await changeChannel(app, ids[name] as number, { is_archived: true });
  }
});

afterAll(() => app.stop());

const NONE = { include_public: false, include_subscribed: false };

const names = async (who: Member, parameters: Record<string, unknown> = {}): Promise<string[]> => {
  const { streams } = expectSuccess(await app.as(who).get('/streams', parameters));
  return streams.map((record: { name: string }) => record.name);
};

describe('the list of channels', () => {
  it('holds public and subscribed channels by default, sorted by code points [EP5-include_public, EP5-include_subscribed, EP5-streams, STATE-channel-archived-listing]', async () => {
    await expect(names(app.cast.mia)).resolves.toEqual([
      'Zebra',
      'apple',
      'general',
      'open house',
      'private mia',
      'web',
    ]);
  });

  it('shows the same records as a single channel, without saying which are defaults [EP5-streams]', async () => {
    const { streams } = expectSuccess(await app.as(app.cast.olivia).get('/streams'));
    const apple = streams.find((record: { name: string }) => record.name === 'apple');
    expect(apple).toEqual(await channelRecord(app, ids['apple'] as number));
    expect(apple).not.toHaveProperty('is_default');
  });

  it('is empty when nothing is chosen', async () => {
    await expect(names(app.cast.mia, NONE)).resolves.toEqual([]);
  });

  it('chooses public channels [EP5-include_public]', async () => {
    const choice = { ...NONE, include_public: true };
    await expect(names(app.cast.mia, choice)).resolves.toEqual([
      'Zebra',
      'apple',
      'general',
      'open house',
      'web',
    ]);
  });

  it('chooses web-public channels [EP5-include_web_public]', async () => {
    const choice = { ...NONE, include_web_public: true };
    await expect(names(app.cast.mia, choice)).resolves.toEqual(['web']);
    await expect(names(app.cast.mia, { ...choice, exclude_archived: false })).resolves.toEqual(['web']);
  });

  it('chooses subscribed channels [EP5-include_subscribed]', async () => {
    const choice = { ...NONE, include_subscribed: true };
    await expect(names(app.cast.mia, choice)).resolves.toEqual(['apple', 'private mia']);
  });

  it('chooses all channels in sight; for administrators those are all [EP5-include_all, VER-356]', async () => {
    const choice = { ...NONE, include_all: true };
    await expect(names(app.cast.mia, choice)).resolves.toEqual([
      'Zebra',
      'apple',
      'general',
      'open house',
      'private enter',
      'private mia',
      'private rule',
      'web',
    ]);
    await expect(names(app.cast.adam, choice)).resolves.toEqual([
      'Zebra',
      'apple',
      'general',
      'open house',
      'private',
      'private enter',
      'private mia',
      'private rule',
      'web',
    ]);
  });

  it('chooses channels whose content may be read [EP5-include_can_access_content, VER-356]', async () => {
    const choice = { ...NONE, include_can_access_content: true };
    await expect(names(app.cast.mia, choice)).resolves.toEqual([
      'Zebra',
      'apple',
      'general',
      'open house',
      'private enter',
      'private mia',
      'web',
    ]);
    await expect(names(app.cast.adam, choice)).resolves.toEqual([
      'Zebra',
      'apple',
      'general',
      'open house',
      'web',
    ]);
  });

  it('chooses default channels, and says of each whether it is one [EP5-include_default]', async () => {
    const choice = { include_default: true };
    await expect(names(app.cast.mia, { ...NONE, ...choice })).resolves.toEqual(['general']);
    const { streams } = expectSuccess(await app.as(app.cast.mia).get('/streams', choice));
    const defaults = streams.map((record: { name: string; is_default: boolean }) => [
      record.name,
      record.is_default,
    ]);
    expect(defaults).toEqual([
      ['Zebra', false],
      ['apple', false],
      ['general', true],
      ['open house', false],
      ['private mia', false],
      ['web', false],
    ]);
  });

  it('chooses channels of the owner, for bots [EP5-include_owner_subscribed]', async () => {
    const choice = { ...NONE, include_owner_subscribed: true };
    await expect(names(app.cast.robo, choice)).resolves.toEqual(['apple', 'private mia']);
    await expect(names(app.cast.mia, choice)).resolves.toEqual([]);
  });

  it('holds all active channels for administrators, and is refused to others [EP5-include_all_active, AUTH-4c]', async () => {
    await expect(names(app.cast.adam, { include_all_active: true })).resolves.toContain('private');
    for (const who of [app.cast.mona, app.cast.mia, app.cast.gus]) {
      expectError(
        await app.as(who).get('/streams', { include_all_active: true }),
        'User not authorized for this query',
      );
    }
  });

  it('leaves archived channels out unless asked not to [EP5-exclude_archived, STATE-channel-archived-listing, VER-315, CHAN-is_archived]', async () => {
    const choice = { ...NONE, include_subscribed: true, exclude_archived: false };
    await expect(names(app.cast.mia, choice)).resolves.toEqual(['apple', 'archived', 'private mia']);
    const { streams } = expectSuccess(await app.as(app.cast.mia).get('/streams', choice));
    expect(streams.map((record: { is_archived: boolean }) => record.is_archived)).toEqual([
      false,
      true,
      false,
    ]);
    await expect(names(app.cast.mia, { exclude_archived: false })).resolves.toContain('archived web');
  });

  it('shows guests what they are subscribed to, and the web-public channels they ask for', async () => {
    const { gus } = app.cast;
    await expect(names(gus)).resolves.toEqual(['Zebra']);
    await expect(names(gus, { include_web_public: true })).resolves.toEqual(['Zebra', 'web']);
    await expect(names(gus, { include_all: true })).resolves.toEqual(['Zebra', 'web']);
    await expect(names(gus, { include_default: true })).resolves.toEqual(['Zebra']);
  });

  it('refuses what is no boolean', async () => {
    expectError(
      await app.as(app.cast.mia).get('/streams', { include_public: 'maybe' }),
      'include_public is not valid JSON',
    );
  });

  it('follows changes of a channel and of its subscribers', async () => {
    const { mia, max } = app.cast;
    const find = async () => {
      const { streams } = expectSuccess(await app.as(mia).get('/streams'));
      return streams.find((record: { name: string }) => record.name === 'open house');
    };
    await expect(find()).resolves.toMatchObject({ subscriber_count: 1, topics_policy: 'inherit' });
    await app.as(mia).post('/users/me/subscriptions', { subscriptions: [{ name: 'open house' }] });
    await expect(find()).resolves.toMatchObject({ subscriber_count: 2 });
    await changeChannel(app, ids['open house'] as number, { topics_policy: 'allow_empty_topic' });
    await expect(find()).resolves.toMatchObject({ subscriber_count: 2, topics_policy: 'allow_empty_topic' });
    await app.as(mia).delete('/users/me/subscriptions', { subscriptions: ['open house'] });
    await expect(find()).resolves.toMatchObject({ subscriber_count: 1 });
    expect((await find()).can_administer_channel_group).toEqual(only(mia));
    expect(max.id).toBeGreaterThan(0);
  });

  it('counts channels as recently active for 180 days [CHAN-is_recently_active]', async () => {
    const id = ids['apple'] as number;
    const daysAgo = (days: number) => Math.floor(Date.now() / 1000) - days * 86_400;
    await changeChannel(app, id, { date_created: daysAgo(400) });
    await expect(channelRecord(app, id)).resolves.toMatchObject({
      is_recently_active: false,
      stream_weekly_traffic: 0,
    });
    await changeChannel(app, id, { last_message_at: daysAgo(179) });
    await expect(channelRecord(app, id)).resolves.toMatchObject({ is_recently_active: true });
  });
});

describe('one channel', () => {
  it('is shown by ID, archived ones too', async () => {
    const { mia } = app.cast;
    const { stream } = expectSuccess(await app.as(mia).get(`/streams/${ids['archived']}`));
    expect(stream).toMatchObject({ stream_id: ids['archived'], name: 'archived', is_archived: true });
  });

  it('is found by name in any casing', async () => {
    const { body } = await app.as(app.cast.gus).get('/get_stream_id', { stream: ' ZEBRA' });
    expect(body).toEqual({ result: 'success', msg: '', stream_id: ids['Zebra'] });
  });

  it('names its subscribers to those who see it', async () => {
    const { max, mia, adam } = app.cast;
    const path = `/streams/${ids['private mia']}/members`;
    const expected = [max.id, mia.id].sort((a, b) => a - b);
    expect(expectSuccess(await app.as(mia).get(path)).subscribers).toEqual(expected);
    expect(expectSuccess(await app.as(adam).get(path)).subscribers).toEqual(expected);
  });

  it('tells whether somebody is subscribed, bots included', async () => {
    const { mia, max, gus, robo } = app.cast;
    const status = (userId: number) =>
      app.as(max).get(`/users/${userId}/subscriptions/${ids['private mia']}`);
    expect(expectSuccess(await status(mia.id)).is_subscribed).toBe(true);
    expect(expectSuccess(await status(gus.id)).is_subscribed).toBe(false);
    expect(expectSuccess(await status(robo.id)).is_subscribed).toBe(false);
    const ofBot = await app.as(mia).get(`/users/${robo.id}/subscriptions/${ids['archived']}`);
    expect(expectSuccess(ofBot).is_subscribed).toBe(true);
    expectError(await status(4711), 'No such user');
  });

  it('is told apart by nothing from one that does not exist [ERR-BAD_REQUEST-channel, ERR-invalid-channel]', async () => {
    const { gus, mia } = app.cast;
    for (const [who, id] of [
      [mia, ids['private']],
      [mia, 4711],
      [mia, '99999999999999999999'],
      [gus, ids['apple']],
    ] as const) {
      expectError(await app.as(who).get(`/streams/${id}`), 'Invalid channel ID');
      expectError(await app.as(who).get(`/streams/${id}/members`), 'Invalid channel ID');
      expectError(await app.as(who).get(`/users/${mia.id}/subscriptions/${id}`), 'Invalid channel ID');
    }
    for (const stream of ['private', 'no such channel']) {
      expectError(await app.as(mia).get('/get_stream_id', { stream }), `Invalid channel name '${stream}'`);
    }
  });

  it('is found by name only by those who can read it, and by ID also by those who administer it', async () => {
    const { adam, mia, max } = app.cast;
    const stream = 'private rule';
    for (const who of [adam, mia]) {
      expect(expectSuccess(await app.as(who).get(`/streams/${ids[stream]}`)).stream.name).toBe(stream);
      expectError(await app.as(who).get('/get_stream_id', { stream }), `Invalid channel name '${stream}'`);
    }
    const { stream_id: id } = expectSuccess(await app.as(max).get('/get_stream_id', { stream }));
    expect(id).toBe(ids[stream]);
  });
});

describe('GET /users/{user_id}/channels', () => {
  const channelsOf = (actor: Member, userId: number) => app.as(actor).get(`/users/${userId}/channels`);
  const named = (...names: string[]) => names.map((name) => ids[name]);

  it('lists the channels of a person that the caller sees, archived ones left out', async () => {
    const { max, mia, gus, adam, robo } = app.cast;
    const seenBy = async (actor: Member) =>
      expectSuccess(await channelsOf(actor, max.id)).subscribed_channel_ids;
    const open = named('Zebra', 'apple', 'open house');
    await expect(seenBy(max)).resolves.toEqual([
      ...open,
      ...named('private', 'private mia', 'private enter', 'private rule'),
    ]);
    await expect(seenBy(adam)).resolves.toEqual(await seenBy(max));
    await expect(seenBy(mia)).resolves.toEqual([
      ...open,
      ...named('private mia', 'private enter', 'private rule'),
    ]);
    await expect(seenBy(gus)).resolves.toEqual(named('Zebra'));
    expect(expectSuccess(await channelsOf(mia, robo.id)).subscribed_channel_ids).toEqual([]);
  });

  it('needs somebody whom the caller sees', async () => {
    const { mia } = app.cast;
    expectError(await channelsOf(mia, 999_999), 'No such user');
  });
});
