import { AccountSubscriptionsService } from '../../src/features/channels/subscriptions/remove-subscribers.service';
import type { Member } from '../support/cast';
import { channelRecord, createChannel, subscribersOf } from '../support/channel-setup';
import type { CapturedEvent } from '../support/event-capture';
import { expectSuccess } from '../support/expect-answer';
import { TestApp } from '../support/test-app';

let app: TestApp;
let everybody: Member[];
let members: Member[];

beforeAll(async () => {
  app = await TestApp.start({ env: { WEB_PUBLIC_STREAMS_ENABLED: 'true' } });
  everybody = Object.values(app.cast);
  members = everybody.filter((member) => member !== app.cast.gus);
  expectSuccess(await app.as(app.cast.olivia).patch('/realm', { enable_spectator_access: true }));
});

afterAll(() => app.stop());

const idsOf = (people: readonly Member[]) => people.map(({ id }) => id).sort((a, b) => a - b);
const others = (people: readonly Member[], ...left: Member[]) =>
  idsOf(people.filter((member) => !left.includes(member)));

const subscribe =
  (who: Member, names: string[], principals?: Member[], parameters = {}) =>
  () =>
    app.as(who).post('/users/me/subscriptions', {
      subscriptions: names.map((name) => ({ name })),
      principals: principals && idsOf(principals),
      send_new_subscription_messages: false,
      ...parameters,
    });

const unsubscribe = (who: Member, names: string[], principals?: Member[]) => () =>
  app.as(who).delete('/users/me/subscriptions', {
    subscriptions: names,
    principals: principals && idsOf(principals),
  });

/** Type, op and audience of each event, in order. */
const outline = (events: readonly CapturedEvent[]) =>
  events.map(({ event, audience }) => [event.op ? `${event.type}/${event.op}` : event.type, audience]);

describe('subscribing', () => {
  it('to a new public channel shows it to members, then tells the subscriber, then the others', async () => {
    const { mia } = app.cast;
    const events = await app.captureEvents(subscribe(mia, ['Verona']));
    expect(outline(events)).toEqual([
      ['stream/create', idsOf(members)],
      ['subscription/add', [mia.id]],
      ['subscription/peer_add', others(members, mia)],
    ]);
    const id = events[0]?.event.streams[0].stream_id;
    const record = await channelRecord(app, id);
    expect(events[0]?.event).toEqual({
      type: 'stream',
      op: 'create',
      streams: [{ ...record, subscriber_count: 0 }],
    });
    const { subscriptions } = expectSuccess(
      await app.as(mia).get('/users/me/subscriptions', { include_subscribers: true }),
    );
    expect(events[1]?.event).toEqual({ type: 'subscription', op: 'add', subscriptions });
    expect(events[2]?.event).toEqual({
      type: 'subscription',
      op: 'peer_add',
      stream_ids: [id],
      user_ids: [mia.id],
    });
  });

  it('to a new private channel shows it to administrators and the creator, and to others on entering', async () => {
    const { olivia, adam, mia, max, gus } = app.cast;
    const events = await app.captureEvents(
      subscribe(mia, ['Closed'], [mia, max, gus], { invite_only: true }),
    );
    expect(outline(events)).toEqual([
      ['stream/create', idsOf([olivia, adam, mia])],
      ['stream/create', idsOf([max, gus])],
      ['subscription/add', expect.any(Array)],
      ['subscription/add', expect.any(Array)],
      ['subscription/peer_add', idsOf([olivia, adam])],
    ]);
    // Mia has another colour, since her first one is taken by Verona.
    expect([...events[2]!.audience, ...events[3]!.audience].sort((a, b) => a - b)).toEqual(
      idsOf([mia, max, gus]),
    );
    expect(events[4]?.event.user_ids).toEqual(idsOf([mia, max, gus]));
    expect(events[3]?.event.subscriptions[0].subscribers).toEqual(idsOf([mia, max, gus]));
  });

  it('shows a private channel to those who are let in by its permissions', async () => {
    const { olivia, adam, mia, max, gus } = app.cast;
    const events = await app.captureEvents(
      subscribe(mia, ['Let in'], undefined, {
        invite_only: true,
        can_administer_channel_group: { direct_members: [], direct_subgroups: [] },
        can_subscribe_group: { direct_members: idsOf([max, gus]), direct_subgroups: [] },
      }),
    );
    expect(outline(events)).toEqual([
      ['stream/create', idsOf([olivia, adam, max])],
      ['stream/create', [mia.id]],
      ['subscription/add', [mia.id]],
      ['subscription/peer_add', idsOf([olivia, adam, max])],
    ]);
  });

  it('to a web-public channel is told to everybody', async () => {
    const { olivia } = app.cast;
    const events = await app.captureEvents(subscribe(olivia, ['Web'], undefined, { is_web_public: true }));
    expect(outline(events)).toEqual([
      ['stream/create', idsOf(everybody)],
      ['subscription/add', [olivia.id]],
      ['subscription/peer_add', others(everybody, olivia)],
    ]);
  });

  it('to a new default channel replaces the list of defaults', async () => {
    const { adam, olivia } = app.cast;
    const events = await app.captureEvents(
      subscribe(adam, ['Default'], [olivia], { is_default_stream: true }),
    );
    expect(outline(events).slice(0, 2)).toEqual([
      ['stream/create', idsOf(members)],
      ['default_streams', idsOf(members)],
    ]);
    const { streams } = expectSuccess(await app.as(adam).get('/streams', { include_default: true }));
    const defaults = streams.filter((record: { is_default: boolean }) => record.is_default);
    expect(events[1]?.event).toEqual({
      type: 'default_streams',
      default_streams: defaults
        .map((record: { stream_id: number }) => record.stream_id)
        .sort((a: number, b: number) => a - b),
    });
  });

  it('of one person to several public channels is one event for the others', async () => {
    const { mona } = app.cast;
    const first = await createChannel(app, app.cast.max, 'One');
    const second = await createChannel(app, app.cast.max, 'Two');
    const events = await app.captureEvents(subscribe(mona, ['Two', 'One']));
    expect(outline(events)).toEqual([
      ['subscription/add', [mona.id]],
      ['subscription/peer_add', others(members, mona)],
    ]);
    expect(events[0]?.event.subscriptions).toHaveLength(2);
    expect(events[1]?.event).toMatchObject({ stream_ids: [first, second], user_ids: [mona.id] });
  });

  it('of several people is one event for each channel', async () => {
    const { mia, robo } = app.cast;
    const events = await app.captureEvents(subscribe(mia, ['One', 'Two'], [mia, robo]));
    const peers = events.filter(({ event }) => event.op === 'peer_add');
    expect(peers.map(({ event }) => event.stream_ids)).toHaveLength(2);
    expect(peers.map(({ event }) => event.user_ids)).toEqual([idsOf([mia, robo]), idsOf([mia, robo])]);
    expect(peers.map(({ audience }) => audience)).toEqual([
      others(members, mia, robo),
      others(members, mia, robo),
    ]);
  });

  it('of a guest shows the channel to the guest, who then hears of the others there', async () => {
    const { mia, max, gus } = app.cast;
    const events = await app.captureEvents(subscribe(mia, ['One'], [gus]));
    expect(outline(events)).toEqual([
      ['stream/create', [gus.id]],
      ['subscription/add', [gus.id]],
      ['subscription/peer_add', idsOf(members)],
    ]);
    const later = await app.captureEvents(async () => {
      await unsubscribe(max, ['One', 'Two'])();
      await subscribe(max, ['One', 'Two'])();
    });
    const one: number = events[0]?.event.streams[0].stream_id;
    const two: number = (await app.as(mia).get('/get_stream_id', { stream: 'Two' })).body.stream_id;
    const heard = later.filter(({ audience, event }) => audience.includes(gus.id) && event.stream_ids);
    expect(heard.map(({ event }) => [event.op, event.stream_ids])).toEqual([
      ['peer_remove', [one]],
      ['peer_add', [one]],
    ]);
    const ofMembers = later.filter(({ audience, event }) => audience.includes(mia.id) && event.stream_ids);
    expect(ofMembers.map(({ event }) => [event.op, event.stream_ids])).toEqual([
      ['peer_remove', [one, two]],
      ['peer_add', [one, two]],
    ]);
  });
});

describe('unsubscribing', () => {
  it('from a public channel tells the person, then the others', async () => {
    const { mia } = app.cast;
    const id = await createChannel(app, mia, 'Leaving');
    const events = await app.captureEvents(unsubscribe(mia, ['Leaving']));
    expect(outline(events)).toEqual([
      ['subscription/remove', [mia.id]],
      ['subscription/peer_remove', others(members, mia)],
    ]);
    expect(events[0]?.event).toEqual({
      type: 'subscription',
      op: 'remove',
      subscriptions: [{ name: 'Leaving', stream_id: id }],
    });
    expect(events[1]?.event).toEqual({
      type: 'subscription',
      op: 'peer_remove',
      stream_ids: [id],
      user_ids: [mia.id],
    });
  });

  it('takes a private channel, and guests any channel, out of sight', async () => {
    const { olivia, adam, mia, max, gus } = app.cast;
    const closed = await createChannel(app, mia, 'Hidden', {
      invite_only: true,
      principals: idsOf([mia, max, adam, gus]),
    });
    const events = await app.captureEvents(unsubscribe(adam, ['Hidden'], [mia, max, adam, gus]));
    expect(outline(events)).toEqual([
      ['subscription/remove', idsOf([mia, max, adam, gus])],
      // Mia still administers the channel, and Adam the organization.
      ['stream/delete', idsOf([max, gus])],
      ['subscription/peer_remove', idsOf([olivia, adam, mia])],
    ]);
    expect(events[1]?.event).toEqual({
      type: 'stream',
      op: 'delete',
      streams: [{ stream_id: closed }],
      stream_ids: [closed],
    });
    await createChannel(app, mia, 'Guests too', { principals: idsOf([mia, gus]) });
    expect(outline(await app.captureEvents(unsubscribe(gus, ['Guests too'])))).toEqual([
      ['subscription/remove', [gus.id]],
      ['stream/delete', [gus.id]],
      ['subscription/peer_remove', idsOf(members)],
    ]);
  });

  it('from nothing emits nothing', async () => {
    await expect(app.captureEvents(unsubscribe(app.cast.mia, ['Leaving']))).resolves.toEqual([]);
  });
});

describe('an account that is deactivated and reactivated', () => {
  it('leaves its channels for the others, keeps its subscriptions, and comes back', async () => {
    const { mona } = app.cast;
    const id = await createChannel(app, mona, 'Suspended');
    const service = app.get(AccountSubscriptionsService);
    const setActive = (isActive: boolean) => () =>
      app.writeRows(async (tx) => {
        await tx.query('UPDATE account SET is_active = ? WHERE id = ?', [isActive, mona.id]);
        tx.touch('accounts', [mona.id]);
        await (isActive ? service.resume(tx, mona.id) : service.suspend(tx, mona.id));
      });
    const heardBy = (who: Member, events: readonly CapturedEvent[]) =>
      events.filter(({ audience }) => audience.includes(who.id));
    const left = heardBy(app.cast.olivia, await app.captureEvents(setActive(false)));
    expect(left.map(({ event }) => event.op)).toEqual(['peer_remove']);
    expect(left[0]?.event).toMatchObject({ user_ids: [mona.id] });
    expect(left[0]?.event.stream_ids).toContain(id);
    await expect(subscribersOf(app, id)).resolves.toEqual([]);
    expect((await channelRecord(app, id)).subscriber_count).toBe(0);
    const back = heardBy(app.cast.olivia, await app.captureEvents(setActive(true)));
    expect(back.map(({ event }) => event.op)).toEqual(['peer_add']);
    await expect(subscribersOf(app, id)).resolves.toEqual([mona.id]);
  });
});
