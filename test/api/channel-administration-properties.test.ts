import { GroupDirectory } from '../../src/features/user-groups/groups/group.directory';
import type { Parameters } from '../support/api-client';
import { changeChannel, channelRecord, createChannel } from '../support/channel-setup';
import { idsOf, outline } from '../support/event-outline';
import { expectError, expectSuccess } from '../support/expect-answer';
import { expectWrongGroup } from '../support/group-setup';
import { TestApp } from '../support/test-app';

type Person = keyof TestApp['cast'];

let app: TestApp;
let members: number[];
let count = 0;

beforeAll(async () => {
  app = await TestApp.start();
  const { gus, ...others } = app.cast;
  expect(gus.role).toBe(600);
  members = idsOf(...Object.values(others));
});

afterAll(() => app.stop());

/** A channel of Mia's, who administers it. */
const make = (options: Parameters = {}) => createChannel(app, app.cast.mia, `Channel ${++count}`, options);

const update = (who: Person, id: number, changes: Parameters) =>
  app.as(app.cast[who]).patch(`/streams/${id}`, changes);

const systemGroup = (name: 'role:members' | 'role:nobody' | 'role:administrators') =>
  app.get(GroupDirectory).systemGroupId(name);

const setOrganization = async (settings: Parameters) =>
  expectSuccess(await app.as(app.cast.olivia).patch('/realm', settings));

const send = (id: number, topic: string) =>
  app.as(app.cast.mia).post('/messages', { type: 'channel', to: id, topic, content: 'Hello' });

describe('who may change a channel', () => {
  it.each(['mia', 'adam', 'olivia'] as const)('%s, who administers it [AUTH-8c]', async (who) => {
    const id = await make();
    expectSuccess(await update(who, id, { description: 'New' }));
    await expect(channelRecord(app, id)).resolves.toMatchObject({ description: 'New' });
  });

  it.each(['max', 'mona'] as const)('not %s, who sees it', async (who) => {
    const id = await make();
    expectError(
      await update(who, id, { description: 'New' }),
      'You do not have permission to administer this channel.',
    );
  });

  it('nobody learns of channels out of reach [ERR-invalid-channel, ERR-BAD_REQUEST-channel]', async () => {
    const id = await make({ invite_only: true });
    expectError(await update('max', id, { description: 'New' }), 'Invalid channel ID');
    expectError(await update('max', 999_999, { description: 'New' }), 'Invalid channel ID');
    expectError(await update('gus', await make(), { description: 'New' }), 'Invalid channel ID');
  });

  it('administrators also change private channels they do not read [AUTH-8c]', async () => {
    const id = await make({ invite_only: true });
    expectSuccess(await update('adam', id, { new_name: `Renamed ${id}`, description: 'Seen' }));
    await expect(channelRecord(app, id)).resolves.toMatchObject({ name: `Renamed ${id}` });
  });
});

describe('the name', () => {
  it('changes, and is told with the old one [CHAN-name]', async () => {
    const id = await make();
    const { name } = await channelRecord(app, id);
    const events = await app.captureEvents(async () =>
      expectSuccess(await update('mia', id, { new_name: `  ${name} again ` })),
    );
    expect(outline(events)).toEqual([['stream/update/name', members]]);
    expect(events[0]?.event).toEqual({
      type: 'stream',
      op: 'update',
      property: 'name',
      value: `${name} again`,
      stream_id: id,
      name,
    });
    await expect(channelRecord(app, id)).resolves.toMatchObject({ name: `${name} again` });
  });

  it('may change its casing, but has to change', async () => {
    const id = await make();
    const { name } = await channelRecord(app, id);
    expectSuccess(await update('mia', id, { new_name: name.toUpperCase() }));
    expectError(await update('mia', id, { new_name: name.toUpperCase() }), 'Channel already has that name.');
  });

  it('has to be free, archived channels included', async () => {
    const id = await make();
    const taken = await make();
    const { name } = await channelRecord(app, taken);
    expectSuccess(await app.as(app.cast.olivia).delete(`/streams/${taken}`));
    expectError(await update('mia', id, { new_name: name.toUpperCase() }), 'Channel name is already in use.');
  });

  it('goes to one of those who ask for it at the same time', async () => {
    const ids = [await make(), await make(), await make()];
    const answers = await Promise.all(
      ids.flatMap((id) => [
        update('mia', id, { new_name: 'Contested' }),
        update('adam', id, { new_name: 'contested' }),
      ]),
    );
    const names = await Promise.all(ids.map(async (id) => (await channelRecord(app, id)).name));
    expect(names.filter((name) => name.toLowerCase() === 'contested')).toHaveLength(1);
    expect(answers.filter(({ body }) => body.msg === 'Channel name is already in use.')).toHaveLength(4);
  });

  it('keeps the rules of names [LIM-1a]', async () => {
    const id = await make();
    expectError(await update('mia', id, { new_name: ' ' }), "Channel name can't be empty.");
    expectError(
      await update('mia', id, { new_name: 'x'.repeat(61) }),
      'Channel name too long (limit: 60 characters).',
    );
    expectError(
      await update('mia', id, { new_name: 'a\tb' }),
      'Invalid character in channel name, at position 2.',
    );
  });
});

describe('the description', () => {
  it('changes together with its HTML, on one line [CHAN-description, CHAN-rendered_description]', async () => {
    const id = await make();
    const { name } = await channelRecord(app, id);
    const events = await app.captureEvents(async () =>
      expectSuccess(await update('mia', id, { description: 'One\ntwo' })),
    );
    const { description, rendered_description } = await channelRecord(app, id);
    expect(description).toBe('One two');
    expect(rendered_description).toBe('<p>One two</p>');
    expect(events[0]?.event).toEqual({
      type: 'stream',
      op: 'update',
      property: 'description',
      value: 'One two',
      rendered_description,
      stream_id: id,
      name,
    });
  });

  it('has a longest, and may be empty [LIM-1b]', async () => {
    const id = await make();
    expectError(
      await update('mia', id, { description: 'x'.repeat(1025) }),
      'description is too long (limit: 1024 characters)',
    );
    expectSuccess(await update('mia', id, { description: '' }));
    await expect(channelRecord(app, id)).resolves.toMatchObject({ rendered_description: '' });
  });
});

describe('retention', () => {
  it('is for owners [CHAN-message_retention_days, LIM-5, VER-91]', async () => {
    const id = await make();
    expectError(await update('adam', id, { message_retention_days: 30 }), 'Must be an organization owner', {
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
    const retention = async (value: unknown) => {
      const events = await app.captureEvents(async () =>
        expectSuccess(await update('olivia', id, { message_retention_days: value })),
      );
      const { message_retention_days: stored } = await channelRecord(app, id);
      expect(events.map(({ event }) => [event.property, event.value])).toEqual([
        ['message_retention_days', stored],
      ]);
      return stored;
    };
    await expect(retention(30)).resolves.toBe(30);
    await expect(retention('unlimited')).resolves.toBe(-1);
    await expect(retention('"realm_default"')).resolves.toBeNull();
    expectError(
      await update('olivia', id, { message_retention_days: '"forever"' }),
      "Bad value for 'message_retention_days': forever",
      {
        code: 'REQUEST_VARIABLE_INVALID',
        data: { var_name: 'message_retention_days', bad_value: 'forever' },
      },
    );
  });
});

describe('the topics policy', () => {
  it('decides which topics messages may go to [TPOL-allow_empty_topic, TPOL-disable_empty_topic, TPOL-empty_topic_only, CHAN-topics_policy, VER-392, VER-404]', async () => {
    const id = await make();
    expectSuccess(await update('mia', id, { topics_policy: 'disable_empty_topic' }));
    expectError(await send(id, ''), 'Sending messages to the general chat is not allowed in this channel.', {
      data: { empty_topic_display_name: 'general chat' },
    });
    const open = await make();
    expectSuccess(await update('mia', open, { topics_policy: '"allow_empty_topic"' }));
    expectSuccess(await send(open, ''));
    expectSuccess(await send(open, 'named'));
    const flat = await make();
    const events = await app.captureEvents(async () =>
      expectSuccess(await update('mia', flat, { topics_policy: 'empty_topic_only' })),
    );
    expect(events.map(({ event }) => [event.property, event.value])).toEqual([
      ['topics_policy', 'empty_topic_only'],
    ]);
    expectSuccess(await send(flat, ''));
    expectError(await send(flat, 'named'), 'Only the general chat topic is allowed in this channel.', {
      data: { empty_topic_display_name: 'general chat' },
    });
    expectError(await update('mia', flat, { topics_policy: 'other' }), 'topics_policy is not valid JSON');
    expectError(await update('mia', flat, { topics_policy: '"other"' }), 'Invalid topics_policy');
  });

  it('leaves the empty topic to the organization [TPOL-inherit]', async () => {
    const id = await make();
    await setOrganization({ topics_policy: 'disable_empty_topic' });
    expect((await send(id, '')).body.result).toBe('error');
    expectSuccess(await send(id, 'named'));
    await setOrganization({ topics_policy: 'allow_empty_topic' });
    expectSuccess(await send(id, ''));
  });

  it('cannot be the empty topic alone while messages are elsewhere [TPOL-empty_topic_only-existing]', async () => {
    const id = await make();
    expectSuccess(await send(id, 'named'));
    expectError(
      await update('mia', id, { topics_policy: 'empty_topic_only' }),
      'Every message in the channel must be in the general chat topic.',
      { data: { empty_topic_display_name: 'general chat' } },
    );
    const flat = await make();
    expectSuccess(await send(flat, ''));
    expectSuccess(await update('mia', flat, { topics_policy: 'empty_topic_only' }));
  });

  it('is for those whom the organization lets, but for going back to inherit', async () => {
    const id = await make({ topics_policy: 'disable_empty_topic' });
    await setOrganization({ can_set_topics_policy_group: { new: systemGroup('role:administrators') } });
    expectError(await update('mia', id, { topics_policy: 'allow_empty_topic' }), 'Insufficient permission');
    expectSuccess(await update('mia', id, { topics_policy: 'inherit' }));
    expectSuccess(await update('adam', id, { topics_policy: 'allow_empty_topic' }));
    await setOrganization({ can_set_topics_policy_group: { new: systemGroup('role:members') } });
  });
});

describe('the folder', () => {
  it('is any that exists, or none [CHAN-folder_id]', async () => {
    const id = await make();
    const { channel_folder_id: folder } = expectSuccess(
      await app.as(app.cast.adam).post('/channel_folders/create', { name: 'Projects', description: '' }),
    );
    const events = await app.captureEvents(async () => {
      expectSuccess(await update('mia', id, { folder_id: folder }));
      await expect(channelRecord(app, id)).resolves.toMatchObject({ folder_id: folder });
      expectSuccess(await update('mia', id, { folder_id: null }));
    });
    await expect(channelRecord(app, id)).resolves.toMatchObject({ folder_id: null });
    expect(events.map(({ event }) => [event.property, event.value])).toEqual([
      ['folder_id', folder],
      ['folder_id', null],
    ]);
    expectError(await update('mia', id, { folder_id: 999_999_999_999 }), 'Invalid channel folder ID');
  });
});

describe('a default channel', () => {
  it('is made one by administrators', async () => {
    const id = await make();
    expectError(
      await update('mia', id, { is_default_stream: true }),
      'You do not have permission to change default channels.',
    );
    const events = await app.captureEvents(async () =>
      expectSuccess(await update('adam', id, { is_default_stream: true })),
    );
    expect(outline(events)).toEqual([['default_streams', members]]);
    expect(events[0]?.event.default_streams).toContain(id);
    expectSuccess(await update('adam', id, { is_default_stream: false }));
  });

  it('is neither private nor archived', async () => {
    const id = await make();
    expectError(
      await update('adam', id, { is_default_stream: true, is_private: true }),
      'A default channel cannot be private.',
    );
    expectSuccess(await update('adam', id, { is_default_stream: true }));
    expectError(await update('adam', id, { is_private: true }), 'A default channel cannot be private.');
    expectSuccess(await app.as(app.cast.adam).delete(`/streams/${id}`));
    expectError(
      await update('adam', id, { is_default_stream: true }),
      'Archived channels cannot be made default.',
    );
  });
});

describe('several changes', () => {
  it('are all told, the new name last', async () => {
    const id = await make();
    const before = await channelRecord(app, id);
    const events = await app.captureEvents(async () =>
      expectSuccess(
        await update('mia', id, {
          new_name: `Many ${id}`,
          description: 'Changed',
          topics_policy: 'allow_empty_topic',
        }),
      ),
    );
    expect(outline(events).map(([kind]) => kind)).toEqual([
      'stream/update/description',
      'stream/update/topics_policy',
      'stream/update/name',
    ]);
    expect(new Set(events.map(({ event }) => event.name))).toEqual(new Set([before.name]));
  });

  it('are made together or not at all', async () => {
    const id = await make();
    const before = await channelRecord(app, id);
    const events = await app.captureEvents(async () =>
      expectWrongGroup(
        await update('mia', id, {
          description: 'Changed',
          is_private: true,
          new_name: 'Half',
          can_send_message_group: { new: 999_999 },
        }),
        'Invalid user group',
      ),
    );
    expect(events).toEqual([]);
    await expect(channelRecord(app, id)).resolves.toEqual(before);
  });

  it('that are none are no error and tell nothing', async () => {
    const id = await make();
    const { description, folder_id } = await channelRecord(app, id);
    const events = await app.captureEvents(async () => {
      expectSuccess(await update('mia', id, {}));
      expectSuccess(await update('mia', id, { description, folder_id, topics_policy: 'inherit' }));
    });
    expect(events).toEqual([]);
  });

  it('of old clients are named as not supported', async () => {
    expectSuccess(await update('mia', await make(), { stream_post_policy: 2, is_announcement_only: true }), {
      ignored: ['is_announcement_only', 'stream_post_policy'],
    });
  });

  it('also reach archived channels', async () => {
    const id = await make();
    await changeChannel(app, id, { is_archived: true });
    const events = await app.captureEvents(async () =>
      expectSuccess(await update('mia', id, { description: 'Put away' })),
    );
    expect(outline(events)).toEqual([['stream/update/description', members, '+archived_channels']]);
  });
});
