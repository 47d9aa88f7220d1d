import type { Member } from '../support/cast';
import { channelId, createChannel } from '../support/channel-setup';
import { expectSuccess } from '../support/expect-answer';
import { stateOf, type StateQuestion } from '../support/initial-state';
import { TestApp } from '../support/test-app';

interface Subscription extends Record<string, unknown> {
  readonly stream_id: number;
  readonly name: string;
}

/** Channels of this file, by their names. */
const ids: Record<string, number> = {};
let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start({ env: { WEB_PUBLIC_STREAMS_ENABLED: 'true' } });
  const { olivia, mia, max, gus } = app.cast;
  expectSuccess(await app.as(olivia).patch('/realm', { enable_spectator_access: true }));
  const make = async (name: string, creator: Member, options = {}) => {
    ids[name] = await createChannel(app, creator, name, options);
  };
  await make('open', mia, { principals: [mia.id, max.id, gus.id] });
  await make('Default', olivia, { is_default_stream: true });
  await make('secret', mia, { invite_only: true });
  await make('web', olivia, { is_web_public: true });
  await make('left', mia);
  await make('old', mia);
  expectSuccess(await app.as(mia).delete('/users/me/subscriptions', { subscriptions: ['left'] }));
  expectSuccess(await app.as(olivia).delete(`/streams/${ids['old']}`));
});

afterAll(() => app.stop());

const listsFor = async (member: Member | null, question: StateQuestion = {}) => {
  const state = await stateOf(app, member, { wanted: ['subscription'], ...question });
  const names = (list: Subscription[]) => list.map(({ name }) => name);
  return {
    subscriptions: names(state.subscriptions),
    unsubscribed: names(state.unsubscribed),
    never_subscribed: names(state.never_subscribed),
  };
};

describe('Subscriptions in the state', () => {
  it('tell channels apart by whether the reader is, was or never was subscribed', async () => {
    const { mia, max, gus, olivia } = app.cast;
    expect(await listsFor(mia)).toEqual({
      subscriptions: ['open', 'secret'],
      unsubscribed: ['left'],
      never_subscribed: ['Default', 'general', 'web'],
    });
    expect(await listsFor(max)).toEqual({
      subscriptions: ['open'],
      unsubscribed: [],
      never_subscribed: ['Default', 'general', 'left', 'web'],
    });
    expect(await listsFor(gus)).toEqual({
      subscriptions: ['open'],
      unsubscribed: [],
      never_subscribed: ['web'],
    });
    expect((await listsFor(olivia)).never_subscribed).toEqual(['left', 'open', 'secret']);
  });

  it('hold archived channels for clients that know such', async () => {
    const capabilities = ['archived_channels'];
    expect((await listsFor(app.cast.mia, { capabilities })).subscriptions).toEqual(['old', 'open', 'secret']);
    expect((await listsFor(app.cast.max, { capabilities })).never_subscribed).toContain('old');
  });

  it('are the records of GET /users/me/subscriptions, with as many subscribers as were asked for', async () => {
    const { mia, max } = app.cast;
    const crowd = await Promise.all(
      Array.from({ length: 250 }, (_, at) =>
        app.addAccount({ deliveryEmail: `crowd${at}@example.com`, fullName: `Crowd ${at}`, role: 400 }),
      ),
    );
    const principals = [...crowd, app.cast.robo, mia].map(({ id }) => id);
    const crowded = await createChannel(app, mia, 'crowded', { principals });
    for (const includeSubscribers of [false, true, 'partial'] as const) {
      const state = await stateOf(app, mia, {
        wanted: ['subscription'],
        capabilities: ['notification_settings_null'],
        includeSubscribers,
      });
      const { subscriptions } = expectSuccess(
        await app.as(mia).get('/users/me/subscriptions', { include_subscribers: includeSubscribers }),
      );
      expect(state.subscriptions).toEqual(subscriptions);
      const [left] = state.unsubscribed;
      expect(left).toMatchObject({ stream_id: ids['left'], color: expect.any(String), pin_to_top: false });
      expect(left.subscribers).toEqual(includeSubscribers ? [] : undefined);
      const elsewhere = await stateOf(app, max, { wanted: ['subscription'], includeSubscribers });
      const seen = elsewhere.never_subscribed.find((each: Subscription) => each.stream_id === crowded);
      expect(seen).not.toHaveProperty('color');
      const everybody = [...principals].sort((a, b) => a - b);
      expect(seen.subscribers).toEqual(includeSubscribers === true ? everybody : undefined);
      const some = includeSubscribers === 'partial' ? [app.cast.robo.id] : undefined;
      expect(seen.partial_subscribers).toEqual(some);
    }
  });

  it('say what holds where nothing was chosen, but for clients that find out by themselves', async () => {
    const { mia } = app.cast;
    expectSuccess(await app.as(mia).patch('/settings', { enable_stream_push_notifications: true }));
    const change = { stream_id: ids['open'], property: 'desktop_notifications', value: true };
    expectSuccess(
      await app.as(mia).post('/users/me/subscriptions/properties', { subscription_data: [change] }),
    );
    const settings = async (capabilities: string[]) => {
      const state = await stateOf(app, mia, { wanted: ['subscription'], capabilities });
      return state.subscriptions.find((each: Subscription) => each.stream_id === ids['open']);
    };
    expect(await settings([])).toMatchObject({
      desktop_notifications: true,
      push_notifications: true,
      audible_notifications: false,
      email_notifications: false,
      wildcard_mentions_notify: null,
    });
    expect(await settings(['notification_settings_null'])).toMatchObject({
      desktop_notifications: true,
      push_notifications: null,
      audible_notifications: null,
      email_notifications: null,
      wildcard_mentions_notify: null,
    });
  });

  it('are the web-public channels for people without an account, subscribers untold', async () => {
    expect(await listsFor(null)).toEqual({ subscriptions: ['web'], unsubscribed: [], never_subscribed: [] });
    const state = await stateOf(app, null);
    expect(state.subscriptions[0]).toMatchObject({ color: '#76ce90', is_muted: false, in_home_view: true });
    expect(state.subscriptions[0]).not.toHaveProperty('subscribers');
  });
});

describe('Channels in the state', () => {
  it('are all that the reader sees', async () => {
    const { olivia, mia, gus } = app.cast;
    for (const member of [olivia, mia, gus]) {
      for (const archived of [false, true]) {
        const { streams } = await stateOf(app, member, {
          wanted: ['stream'],
          capabilities: archived ? ['archived_channels'] : [],
        });
        const listed = await app
          .as(member)
          .get('/streams', { include_all: true, exclude_archived: !archived });
        expect(streams).toEqual(expectSuccess(listed).streams);
      }
    }
    const { streams } = await stateOf(app, null, { wanted: ['stream'] });
    expect(streams.map(({ name }: Subscription) => name)).toEqual(['web']);
  });

  it('name the default ones to all but guests', async () => {
    const defaults = async (member: Member | null) => (await stateOf(app, member)).realm_default_streams;
    expect(await defaults(app.cast.mia)).toEqual([await channelId(app, 'general'), ids['Default']]);
    expect(await defaults(app.cast.gus)).toEqual([]);
    expect(await defaults(null)).toEqual([]);
  });

  it('lie in folders, which people without an account see where there is something for them', async () => {
    const { adam, gus, olivia } = app.cast;
    const makeFolder = async (name: string) =>
      expectSuccess(await app.as(adam).post('/channel_folders/create', { name, description: '' }))
        .channel_folder_id;
    const folderIds = [await makeFolder('full'), await makeFolder('empty')];
    expectSuccess(await app.as(olivia).patch(`/streams/${ids['web']}`, { folder_id: folderIds[0] }));
    const { channel_folders: all } = expectSuccess(
      await app.as(gus).get('/channel_folders', { include_archived: true }),
    );
    expect((await stateOf(app, gus)).channel_folders).toEqual(all);
    expect((await stateOf(app, null)).channel_folders).toEqual([all[0]]);
  });

  it('are created by those whom the settings let, web-public ones where these are offered', async () => {
    const may = async (member: Member) => (await stateOf(app, member)).can_create_web_public_streams;
    expect(await may(app.cast.olivia)).toBe(true);
    expect(await may(app.cast.mia)).toBe(false);
  });
});

describe('Topics in the state', () => {
  it('are those that the reader said something about, the empty one by a name where the client needs one', async () => {
    const { max } = app.cast;
    const set = (topic: string, visibility_policy: number) =>
      app.as(max).post('/user_topics', { stream_id: ids['open'], topic, visibility_policy });
    expectSuccess(await set('noise', 1));
    expectSuccess(await set('', 1));
    expectSuccess(await set('news', 3));
    const at = expect.any(Number);
    const topicsFor = (capabilities: string[]) => stateOf(app, max, { capabilities });
    const state = await topicsFor(['empty_topic_name']);
    expect(new Set(state.muted_topics)).toEqual(
      new Set([
        ['open', 'noise', at],
        ['open', '', at],
      ]),
    );
    expect(state.user_topics).toEqual(
      expect.arrayContaining([
        { stream_id: ids['open'], topic_name: 'noise', visibility_policy: 1, last_updated: at },
        { stream_id: ids['open'], topic_name: '', visibility_policy: 1, last_updated: at },
        { stream_id: ids['open'], topic_name: 'news', visibility_policy: 3, last_updated: at },
      ]),
    );
    expect(state.user_topics).toHaveLength(3);
    const older = await topicsFor([]);
    expect(older.muted_topics).toContainEqual(['open', 'general chat', at]);
    expect(older.user_topics.map((each: { topic_name: string }) => each.topic_name)).toContain(
      'general chat',
    );
  });

  it('come in the older form unless the client asks for the present one by name', async () => {
    const keys = async (wanted?: string[]) => Object.keys(await stateOf(app, app.cast.max, { wanted }));
    expect(await keys(['muted_topics', 'user_topic'])).toEqual(['user_topics']);
    expect(await keys(['muted_topics'])).toEqual(['muted_topics']);
    expect(await keys()).toEqual(expect.arrayContaining(['muted_topics', 'user_topics']));
    expect(await stateOf(app, null)).toMatchObject({ muted_topics: [], user_topics: [] });
  });
});
