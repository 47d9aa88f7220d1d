import { channelChanged, type ChannelChanged } from '../../src/features/channels/channels.module';
import { Hooks } from '../../src/platform/hooks/hooks';
import { OrganizationDirectory } from '../../src/features/organization-settings/organization.directory';
import type { Parameters } from '../support/api-client';
import type { Member } from '../support/cast';
import { channelRecord, createChannel, subscribersOf } from '../support/channel-setup';
import { idsOf, outline } from '../support/event-outline';
import { expectError, expectSuccess } from '../support/expect-answer';
import { TestApp } from '../support/test-app';

type Person = keyof TestApp['cast'];

let app: TestApp;
let everybody: Member[];
let members: Member[];
let count = 0;
/** What observers were told since the start of the test. */
let observed: ChannelChanged[];

beforeAll(async () => {
  app = await TestApp.start();
  everybody = Object.values(app.cast);
  members = everybody.filter((member) => member !== app.cast.gus);
  app.get(Hooks).on(channelChanged, (_, change) => {
    observed.push(change);
    if (change.after.channel.description === 'Refuse me') throw new Error('An observer refuses.');
  });
});

beforeEach(() => {
  observed = [];
});

afterAll(() => app.stop());

/** A channel of Mia's. */
const make = (options: Parameters = {}) => createChannel(app, app.cast.mia, `Channel ${++count}`, options);

const archive = (who: Person, id: number) => app.as(app.cast[who]).delete(`/streams/${id}`);

const bringBack = (who: Person, id: number) =>
  app.as(app.cast[who]).patch(`/streams/${id}`, { is_archived: false });

const others = (people: readonly Member[], ...left: Member[]) =>
  idsOf(...people.filter((member) => !left.includes(member)));

describe('archiving a channel', () => {
  it('is for administrators of the organization, the creator included [EP6-administrator, AUTH-4b]', async () => {
    const id = await make();
    for (const who of ['mia', 'max', 'mona', 'gus', 'robo'] as const) {
      expectError(await archive(who, id), 'Must be an organization administrator', {
        code: 'UNAUTHORIZED_PRINCIPAL',
      });
    }
    await expect(channelRecord(app, id)).resolves.toMatchObject({ is_archived: false });
    expectSuccess(await archive('olivia', await make()));
  });

  it('marks it, and answers with nothing else [STATE-channel-archive, EP6-stream_id, EP6-response, CHAN-is_archived, VER-315]', async () => {
    const id = await make();
    const answer = expectSuccess(await archive('adam', id));
    expect(answer).toEqual({ result: 'success', msg: '' });
    await expect(channelRecord(app, id)).resolves.toMatchObject({ is_archived: true });
  });

  it('reaches private channels that the administrator is not in', async () => {
    expectSuccess(await archive('adam', await make({ invite_only: true })));
  });

  it('needs a channel that exists and is not archived yet [EP6-R1, ERR-BAD_REQUEST-channel]', async () => {
    expectError(await archive('adam', 999_999), 'Invalid channel ID');
    expectError(await archive('adam', Number.MAX_SAFE_INTEGER), 'Invalid channel ID');
    const id = await make();
    expectSuccess(await archive('adam', id));
    expectError(await archive('adam', id), 'Channel is already deactivated');
    expect((await app.as(app.cast.adam).delete('/streams/abc')).status).toBe(404);
  });

  it('is told by what clients know: an update, or that it is gone', async () => {
    const id = await make();
    const { name } = await channelRecord(app, id);
    const events = await app.captureEvents(() => archive('adam', id));
    expect(outline(events)).toEqual([
      ['stream/update/is_archived', idsOf(...members), '+archived_channels'],
      ['stream/delete', idsOf(...members), '-archived_channels'],
    ]);
    expect(events.map(({ event }) => event)).toEqual([
      { type: 'stream', op: 'update', property: 'is_archived', value: true, stream_id: id, name },
      { type: 'stream', op: 'delete', streams: [{ stream_id: id }], stream_ids: [id] },
    ]);
  });

  it('of a private one is told to those who see it', async () => {
    const { olivia, adam, mia } = app.cast;
    const id = await make({ invite_only: true });
    const events = await app.captureEvents(() => archive('adam', id));
    expect(outline(events).map(([, audience]) => audience)).toEqual([
      idsOf(olivia, adam, mia),
      idsOf(olivia, adam, mia),
    ]);
  });

  it('takes it from the default channels and from the settings of the organization', async () => {
    const id = await make();
    const { adam, olivia } = app.cast;
    expectSuccess(await app.as(adam).post('/default_streams', { stream_id: id }));
    expectSuccess(
      await app.as(olivia).patch('/realm', {
        new_stream_announcements_stream_id: id,
        signup_announcements_stream_id: id,
      }),
    );
    const events = await app.captureEvents(() => archive('adam', id));
    expect(outline(events)).toEqual([
      ['realm/update_dict/default', idsOf(...everybody)],
      ['default_streams', idsOf(...members)],
      ['stream/update/is_archived', idsOf(...members), '+archived_channels'],
      ['stream/delete', idsOf(...members), '-archived_channels'],
    ]);
    expect(events[0]?.event.data).toEqual({
      new_stream_announcements_stream_id: -1,
      signup_announcements_stream_id: -1,
    });
    expect(events[1]?.event.default_streams).not.toContain(id);
    expect(app.get(OrganizationDirectory).settings).toMatchObject({
      new_channel_announcements_channel_id: -1,
      signup_announcements_channel_id: -1,
    });
  });

  it('leaves subscriptions and the name, and stops what is sent', async () => {
    const { mia, max } = app.cast;
    const id = await make({ principals: [mia.id, max.id] });
    const { name } = await channelRecord(app, id);
    expectSuccess(await archive('adam', id));
    await expect(subscribersOf(app, id)).resolves.toEqual(idsOf(mia, max));
    expectError(
      await app.as(mia).post('/messages', { type: 'channel', to: id, topic: 'x', content: 'y' }),
      `Not authorized to send to channel '${name}'`,
    );
    expectError(await app.as(mia).get(`/streams/${id}/email_address`), 'Invalid channel ID');
    expectError(
      await app.as(mia).post('/channels/create', { name, subscribers: [] }),
      `Channel '${name}' already exists`,
      { code: 'CHANNEL_ALREADY_EXISTS', status: 409 },
    );
  });
});

describe('bringing an archived channel back', () => {
  it('is for those who administer it [STATE-channel-unarchive]', async () => {
    const id = await make();
    expectSuccess(await archive('adam', id));
    expectError(await bringBack('max', id), 'You do not have permission to administer this channel.');
    expectSuccess(await bringBack('mia', id));
    await expect(channelRecord(app, id)).resolves.toMatchObject({ is_archived: false });
    expectSuccess(
      await app.as(app.cast.mia).post('/messages', { type: 'channel', to: id, topic: 'x', content: 'y' }),
    );
  });

  it('is told by what clients know: an update, or the channel and its subscriptions', async () => {
    const { mia, max } = app.cast;
    const id = await make({ principals: [mia.id, max.id] });
    expectSuccess(
      await app.as(max).patch(`/users/me/subscriptions/${id}`, { property: 'color', value: '#123456' }),
    );
    expectSuccess(await archive('adam', id));
    const events = await app.captureEvents(() => bringBack('adam', id));
    expect(outline(events.slice(0, 3))).toEqual([
      ['stream/update/is_archived', idsOf(...members), '+archived_channels'],
      ['stream/create', idsOf(...members), '-archived_channels'],
      ['subscription/peer_add', others(members, mia, max), '-archived_channels'],
    ]);
    const additions = outline(events.slice(3)).sort(([, [a = 0]], [, [b = 0]]) => a - b);
    expect(additions).toEqual(
      idsOf(mia, max).map((userId) => ['subscription/add', [userId], '-archived_channels']),
    );
    const record = await channelRecord(app, id);
    expect(events[0]?.event).toMatchObject({ value: false, stream_id: id, name: record.name });
    expect(events[1]?.event.streams).toEqual([record]);
    expect(events[2]?.event).toMatchObject({ stream_ids: [id], user_ids: idsOf(mia, max) });
    const own = events.find(({ event, audience }) => event.op === 'add' && audience.includes(max.id));
    expect(own?.event.subscriptions).toEqual(
      expectSuccess(
        await app.as(max).get('/users/me/subscriptions', { include_subscribers: true }),
      ).subscriptions.filter((subscription: { stream_id: number }) => subscription.stream_id === id),
    );
  });

  it('needs an archived channel that somebody is in, if it is private', async () => {
    expectError(await bringBack('adam', await make()), 'Channel is not currently deactivated');
    const id = await make({ invite_only: true });
    const { name } = await channelRecord(app, id);
    expectSuccess(await app.as(app.cast.mia).delete('/users/me/subscriptions', { subscriptions: [name] }));
    expectSuccess(await archive('adam', id));
    expectError(await bringBack('adam', id), 'Channel is private and have no subscribers');
  });

  it('is all that is_archived does: archiving is another endpoint', async () => {
    const id = await make();
    expectSuccess(await app.as(app.cast.adam).patch(`/streams/${id}`, { is_archived: true }));
    await expect(channelRecord(app, id)).resolves.toMatchObject({ is_archived: false });
  });
});

describe('observers of channels', () => {
  it('are told of every change, as it was and as it is', async () => {
    const id = await make();
    const { name } = await channelRecord(app, id);
    expectSuccess(
      await app.as(app.cast.mia).patch(`/streams/${id}`, { new_name: `${name} 2`, is_private: true }),
    );
    expectSuccess(await archive('adam', id));
    expect(observed).toMatchObject([
      {
        actor: { userId: app.cast.mia.id },
        before: { channel: { id, name, isPrivate: false } },
        after: { channel: { id, name: `${name} 2`, isPrivate: true } },
      },
      {
        actor: { userId: app.cast.adam.id },
        before: { channel: { isArchived: false } },
        after: { channel: { isArchived: true } },
      },
    ]);
  });

  it('are part of the change: what fails there undoes it', async () => {
    const id = await make();
    const events = await app.captureEvents(async () => {
      const answer = await app.as(app.cast.mia).patch(`/streams/${id}`, { description: 'Refuse me' });
      expect(answer.status).toBe(500);
    });
    expect(events).toEqual([]);
    await expect(channelRecord(app, id)).resolves.toMatchObject({ description: '' });
  });
});
