import { GroupDirectory } from '../../src/features/user-groups/groups/group.directory';
import type { Parameters } from '../support/api-client';
import type { Member } from '../support/cast';
import { channelRecord, createChannel, createGroup } from '../support/channel-setup';
import { idsOf, outline } from '../support/event-outline';
import { expectError, expectSuccess } from '../support/expect-answer';
import { expectWrongGroup } from '../support/group-setup';
import { TestApp } from '../support/test-app';

type Person = keyof TestApp['cast'];

const OPENING = ['can_add_subscribers_group', 'can_subscribe_group'];
const OTHERS = [
  'can_administer_channel_group',
  'can_create_topic_group',
  'can_delete_any_message_group',
  'can_delete_own_message_group',
  'can_move_messages_out_of_channel_group',
  'can_move_messages_within_channel_group',
  'can_remove_subscribers_group',
  'can_resolve_topics_group',
  'can_send_message_group',
];

let app: TestApp;
let members: Member[];
/** IDs of the system groups by name. */
let groups: Record<string, number>;
let count = 0;

beforeAll(async () => {
  app = await TestApp.start();
  members = Object.values(app.cast).filter((member) => member !== app.cast.gus);
  const named = app.get(GroupDirectory).named();
  groups = Object.fromEntries(named.map(({ id, name }) => [name, id]));
});

afterAll(() => app.stop());

/** A channel of Mia's, who administers it. */
const make = (options: Parameters = {}) => createChannel(app, app.cast.mia, `Channel ${++count}`, options);

const update = (who: Person, id: number, changes: Parameters) =>
  app.as(app.cast[who]).patch(`/streams/${id}`, changes);

const people = (...named: Member[]) => ({ direct_members: idsOf(...named), direct_subgroups: [] });

describe('a permission', () => {
  it.each([...OPENING, ...OTHERS])(
    '%s changes for those who administer and read the channel',
    async (setting) => {
      const id = await make();
      const { name, [setting]: old } = await channelRecord(app, id);
      const value = { direct_members: idsOf(app.cast.max, app.cast.mia), direct_subgroups: [] };
      const who = setting.includes('delete') ? 'adam' : 'mia';
      const events = await app.captureEvents(async () =>
        expectSuccess(await update(who, id, { [setting]: { new: value, old } })),
      );
      expect(outline(events)).toEqual([[`stream/update/${setting}`, idsOf(...members)]]);
      expect(events[0]?.event).toEqual({
        type: 'stream',
        op: 'update',
        property: setting,
        value,
        stream_id: id,
        name,
      });
      await expect(channelRecord(app, id)).resolves.toMatchObject({ [setting]: value });
      expectError(
        await update('max', await make(), { [setting]: { new: value } }),
        'You do not have permission to administer this channel.',
      );
    },
  );

  it.each(OPENING)(
    '%s asks for content access, because it gives content access [AUTH-8a, EP1-can_add_subscribers_group-change]',
    async (setting) => {
      const id = await make({ invite_only: true });
      const change = { [setting]: { new: groups['role:moderators'] } };
      expectError(await update('adam', id, change), 'Channel content access is required.');
      expectError(await update('max', id, change), 'Invalid channel ID');
      expectSuccess(await update('mia', id, change));
      await expect(channelRecord(app, id)).resolves.toMatchObject({ [setting]: groups['role:moderators'] });
    },
  );

  it.each(OTHERS)('%s asks for metadata access only [AUTH-8b, AUTH-8c]', async (setting) => {
    const id = await make({ invite_only: true, history_public_to_subscribers: true });
    expectSuccess(await update('adam', id, { [setting]: { new: groups['role:moderators'] } }));
    await expect(channelRecord(app, id)).resolves.toMatchObject({ [setting]: groups['role:moderators'] });
  });

  it('can_administer_channel_group hands over the administration, by a group as well [AUTH-8b, VER-325]', async () => {
    const { max } = app.cast;
    const id = await make({ invite_only: true });
    const group = await createGroup(app, 'Gardeners', [max.id]);
    expectSuccess(await update('adam', id, { can_administer_channel_group: { new: group } }));
    expectSuccess(await update('max', id, { description: 'Tended' }));
    expectError(
      await update('max', id, { can_subscribe_group: { new: group } }),
      'Channel content access is required.',
    );
    expectError(
      await update('mia', id, { description: 'Mine' }),
      'You do not have permission to administer this channel.',
    );
  });
});

describe('a new value', () => {
  it('is compared with the old one the caller believes in [VER-333]', async () => {
    const id = await make();
    expectError(
      await update('mia', id, {
        can_send_message_group: { new: groups['role:members'], old: groups['role:moderators'] },
      }),
      "'old' value does not match the expected value.",
      { code: 'EXPECTATION_MISMATCH', data: { field_name: 'old' } },
    );
    expectSuccess(
      await update('mia', id, {
        can_send_message_group: { new: groups['role:members'], old: groups['role:everyone'] },
      }),
    );
  });

  it('is checked like that of a new channel', async () => {
    const id = await make();
    expectWrongGroup(
      await update('mia', id, { can_add_subscribers_group: { new: groups['role:everyone'] } }),
      "'can_add_subscribers_group' setting cannot be set to 'role:everyone' group.",
    );
    expectWrongGroup(
      await update('mia', id, { can_send_message_group: { new: groups['role:internet'] } }),
      "'can_send_message_group' setting cannot be set to 'role:internet' group.",
    );
    expectError(
      await update('mia', id, {
        can_send_message_group: { new: { direct_members: [999_999], direct_subgroups: [] } },
      }),
      'Invalid user ID: 999999',
    );
    expectWrongGroup(
      await update('mia', id, { can_send_message_group: groups['role:members'] }),
      'can_send_message_group does not have the expected format',
    );
  });

  it('that is the current one changes nothing, whoever asks and in whatever form', async () => {
    const id = await make({ invite_only: true });
    const events = await app.captureEvents(async () => {
      expectSuccess(
        await update('adam', id, {
          can_subscribe_group: { new: { direct_members: [], direct_subgroups: [] } },
          can_administer_channel_group: { new: people(app.cast.mia) },
        }),
      );
    });
    expect(events).toEqual([]);
  });

  it('replaces people by people, and people by a group', async () => {
    const { max, mia } = app.cast;
    const id = await make();
    const read = async () => (await channelRecord(app, id)).can_remove_subscribers_group;
    for (const value of [people(max), people(max, mia), groups['role:members'], people(mia)]) {
      expectSuccess(await update('mia', id, { can_remove_subscribers_group: { new: value } }));
      await expect(read()).resolves.toEqual(value);
    }
  });
});

describe('who posts', () => {
  it('is told in the older forms as well, where those change [CHAN-stream_post_policy, CHAN-is_announcement_only]', async () => {
    const id = await make();
    const properties = async (value: unknown) => {
      const events = await app.captureEvents(async () =>
        expectSuccess(await update('mia', id, { can_send_message_group: { new: value } })),
      );
      return events.map(({ event }) => [event.property, event.value]);
    };
    await expect(properties(groups['role:administrators'])).resolves.toEqual([
      ['can_send_message_group', groups['role:administrators']],
      ['stream_post_policy', 2],
      ['is_announcement_only', true],
    ]);
    await expect(properties(groups['role:moderators'])).resolves.toEqual([
      ['can_send_message_group', groups['role:moderators']],
      ['stream_post_policy', 4],
      ['is_announcement_only', false],
    ]);
    await expect(properties(people(app.cast.max))).resolves.toEqual([
      ['can_send_message_group', people(app.cast.max)],
      ['stream_post_policy', 1],
      ['is_announcement_only', false],
    ]);
    await expect(properties(groups['role:members'])).resolves.toEqual([
      ['can_send_message_group', groups['role:members']],
    ]);
  });

  it('is obeyed at once', async () => {
    const id = await make();
    expectSuccess(await update('mia', id, { can_send_message_group: { new: groups['role:nobody'] } }));
    expectError(
      await app.as(app.cast.max).post('/messages', { type: 'channel', to: id, topic: 'x', content: 'y' }),
      'You do not have permission to post in this channel.',
    );
  });
});

describe('a permission that opens a private channel', () => {
  it('shows it to those who gain it and takes it from those who lose it', async () => {
    const { olivia, adam, mia, max, mona } = app.cast;
    const id = await make({ invite_only: true });
    const given = await app.captureEvents(async () =>
      expectSuccess(await update('mia', id, { can_subscribe_group: { new: people(max, mona) } })),
    );
    expect(outline(given)).toEqual([
      ['stream/create', idsOf(max, mona)],
      ['subscription/peer_add', idsOf(max, mona)],
      ['stream/update/can_subscribe_group', idsOf(olivia, adam, mia)],
    ]);
    expect(given[0]?.event.streams).toEqual([await channelRecord(app, id)]);
    expect(given[1]?.event).toMatchObject({ stream_ids: [id], user_ids: [mia.id] });
    const taken = await app.captureEvents(async () =>
      expectSuccess(await update('mia', id, { can_subscribe_group: { new: people(mona) } })),
    );
    expect(outline(taken)).toEqual([
      ['stream/update/can_subscribe_group', idsOf(olivia, adam, mia, mona)],
      ['stream/delete', idsOf(max)],
    ]);
  });

  it('never shows it to guests', async () => {
    const id = await make({ invite_only: true });
    const events = await app.captureEvents(async () =>
      expectSuccess(await update('mia', id, { can_add_subscribers_group: { new: people(app.cast.gus) } })),
    );
    expect(outline(events).map(([kind]) => kind)).toEqual(['stream/update/can_add_subscribers_group']);
    expectError(await app.as(app.cast.gus).get(`/streams/${id}`), 'Invalid channel ID');
  });
});

describe('who deletes messages', () => {
  it('is for those to say whom the organization lets [VER-407]', async () => {
    const id = await make();
    for (const setting of ['can_delete_any_message_group', 'can_delete_own_message_group']) {
      const change = { [setting]: { new: groups['role:members'] } };
      expectError(await update('mia', id, change), 'Insufficient permission');
      expectSuccess(await update('adam', id, change));
      expectError(
        await update('mia', id, { [setting]: { new: groups['role:nobody'] } }),
        'Insufficient permission',
      );
    }
  });
});

describe('who starts topics', () => {
  it('is everybody where history is protected', async () => {
    const refusal =
      'Unsupported parameter combination: history_public_to_subscribers, can_create_topic_group';
    const options = { data: { parameters: 'history_public_to_subscribers, can_create_topic_group' } };
    const id = await make();
    const change = { can_create_topic_group: { new: groups['role:members'] } };
    expectError(await update('mia', id, { ...change, is_private: true }), refusal, options);
    expectSuccess(await update('mia', id, change));
    expectError(await update('mia', id, { is_private: true }), refusal, options);
    expectSuccess(
      await update('mia', id, { is_private: true, can_create_topic_group: { new: groups['role:everyone'] } }),
    );
    expectError(await update('mia', id, change), refusal, options);
  });
});
