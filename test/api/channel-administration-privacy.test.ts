import { GroupDirectory } from '../../src/features/user-groups/groups/group.directory';
import type { Parameters } from '../support/api-client';
import type { Member } from '../support/cast';
import { channelRecord, createChannel } from '../support/channel-setup';
import { idsOf, outline } from '../support/event-outline';
import { expectError, expectSuccess } from '../support/expect-answer';
import { TestApp } from '../support/test-app';

type Person = keyof TestApp['cast'];

let app: TestApp;
let everybody: Member[];
let members: Member[];
let count = 0;

beforeAll(async () => {
  app = await TestApp.start({ env: { WEB_PUBLIC_STREAMS_ENABLED: 'true' } });
  everybody = Object.values(app.cast);
  members = everybody.filter((member) => member !== app.cast.gus);
});

afterAll(() => app.stop());

/** A channel of Mia's, who administers it. */
const make = (options: Parameters = {}) => createChannel(app, app.cast.mia, `Channel ${++count}`, options);

const update = (who: Person, id: number, changes: Parameters) =>
  app.as(app.cast[who]).patch(`/streams/${id}`, changes);

const others = (people: readonly Member[], ...left: Member[]) =>
  idsOf(...people.filter((member) => !left.includes(member)));

const privacyOf = async (id: number) => {
  const { invite_only, is_web_public, history_public_to_subscribers } = await channelRecord(app, id);
  return [invite_only, is_web_public, history_public_to_subscribers];
};

const setOrganization = async (settings: Parameters) =>
  expectSuccess(await app.as(app.cast.olivia).patch('/realm', settings));

const systemGroup = (name: 'role:members' | 'role:nobody') => app.get(GroupDirectory).systemGroupId(name);

describe('making a channel private', () => {
  it('protects its history and takes it from those who have no part in it [CHAN-invite_only, CHAN-history_public_to_subscribers]', async () => {
    const { olivia, adam, mia, gus } = app.cast;
    const id = await make({ principals: [mia.id, gus.id] });
    const { name } = await channelRecord(app, id);
    const events = await app.captureEvents(async () =>
      expectSuccess(await update('mia', id, { is_private: true })),
    );
    expect(outline(events)).toEqual([
      ['stream/update/invite_only', idsOf(olivia, adam, mia, gus)],
      ['stream/delete', others(members, olivia, adam, mia)],
    ]);
    expect(events.map(({ event }) => event)).toEqual([
      {
        type: 'stream',
        op: 'update',
        property: 'invite_only',
        value: true,
        history_public_to_subscribers: false,
        is_web_public: false,
        stream_id: id,
        name,
      },
      { type: 'stream', op: 'delete', streams: [{ stream_id: id }], stream_ids: [id] },
    ]);
    await expect(privacyOf(id)).resolves.toEqual([true, false, false]);
    expectError(await app.as(app.cast.max).get(`/streams/${id}`), 'Invalid channel ID');
  });

  it('can share its history, then and later', async () => {
    const id = await make();
    expectSuccess(await update('mia', id, { is_private: true, history_public_to_subscribers: true }));
    await expect(privacyOf(id)).resolves.toEqual([true, false, true]);
    expectSuccess(await update('mia', id, { history_public_to_subscribers: false }));
    await expect(privacyOf(id)).resolves.toEqual([true, false, false]);
  });

  it('that is one needs no access to its content', async () => {
    const id = await make({ invite_only: true });
    expectSuccess(await update('adam', id, { is_private: true }));
  });

  it('goes only with the permission to create such channels', async () => {
    const id = await make();
    await setOrganization({ can_create_private_channel_group: { new: systemGroup('role:nobody') } });
    expectError(await update('mia', id, { is_private: true }), 'Insufficient permission');
    await setOrganization({
      can_create_private_channel_group: { new: systemGroup('role:members') },
      can_create_public_channel_group: { new: systemGroup('role:nobody') },
    });
    expectSuccess(await update('mia', id, { is_private: true }));
    expectError(await update('mia', id, { is_private: false }), 'Insufficient permission');
    await setOrganization({ can_create_public_channel_group: { new: systemGroup('role:members') } });
  });
});

describe('making a channel public', () => {
  it('shows it, and who is in it, to those who did not see it', async () => {
    const { olivia, adam, mia, gus } = app.cast;
    const id = await make({ principals: [mia.id, gus.id], invite_only: true });
    const events = await app.captureEvents(async () =>
      expectSuccess(await update('mia', id, { is_private: false })),
    );
    const gained = others(members, olivia, adam, mia);
    expect(outline(events)).toEqual([
      ['stream/create', gained],
      ['subscription/peer_add', gained],
      ['stream/update/invite_only', idsOf(olivia, adam, mia, gus)],
    ]);
    expect(events[0]?.event.streams).toEqual([await channelRecord(app, id)]);
    expect(events[1]?.event).toMatchObject({ stream_ids: [id], user_ids: idsOf(mia, gus) });
    expect(events[2]?.event).toMatchObject({ value: false, history_public_to_subscribers: true });
  });

  it('is not possible with protected history', async () => {
    expectError(
      await update('mia', await make({ invite_only: true }), {
        is_private: false,
        history_public_to_subscribers: false,
      }),
      'Invalid parameters',
    );
    expectError(
      await update('mia', await make(), { history_public_to_subscribers: false }),
      'Invalid parameters',
    );
  });

  it('takes content access, which being an administrator does not give', async () => {
    const id = await make({ invite_only: true });
    const before = await privacyOf(id);
    for (const change of [{ is_private: false }, { history_public_to_subscribers: true }]) {
      expectError(await update('adam', id, change), 'Channel content access is required.');
    }
    await expect(privacyOf(id)).resolves.toEqual(before);
    expectSuccess(await update('adam', id, { is_private: true, description: 'As before' }));
  });
});

describe('making a channel web-public', () => {
  it('asks for what creating one asks for [CHAN-is_web_public]', async () => {
    const { gus } = app.cast;
    const id = await make({ principals: [app.cast.olivia.id] });
    expectError(await update('olivia', id, { is_web_public: true }), 'Web-public channels are not enabled.');
    await setOrganization({ enable_spectator_access: true });
    expectError(await update('adam', id, { is_web_public: true }), 'Insufficient permission');
    const events = await app.captureEvents(async () =>
      expectSuccess(await update('olivia', id, { is_web_public: true })),
    );
    expect(outline(events)).toEqual([
      ['stream/create', idsOf(gus)],
      ['subscription/peer_add', idsOf(gus)],
      ['stream/update/invite_only', idsOf(...members)],
    ]);
    expect(events[2]?.event).toMatchObject({ value: false, is_web_public: true });
    await expect(privacyOf(id)).resolves.toEqual([false, true, true]);
    expectError(await update('olivia', id, { is_private: true }), 'Invalid parameters');
    expectSuccess(await update('olivia', id, { is_private: true, is_web_public: false }));
  });

  it('is not possible for private ones', async () => {
    const id = await make({ invite_only: true });
    expectError(await update('mia', id, { is_web_public: true }), 'Invalid parameters');
    expectError(await update('mia', id, { is_web_public: true, is_private: true }), 'Invalid parameters');
  });
});
