import { expectError, expectSuccess } from '../support/expect-answer';
import { idsOf, outline } from '../support/event-outline';
import {
  deactivateGroup,
  expectWrongGroup,
  groupRecord,
  makeGroup,
  peopleAlone,
  systemGroupId,
} from '../support/group-setup';
import type { Parameters } from '../support/api-client';
import type { Member } from '../support/cast';
import { TestApp } from '../support/test-app';

let app: TestApp;
let everybody: number[];
let count = 0;

beforeAll(async () => {
  app = await TestApp.start();
  everybody = idsOf(...Object.values(app.cast));
});

afterAll(() => app.stop());

/** A group of Mia's, who manages it. */
const make = (options: Parameters = {}) => makeGroup(app, app.cast.mia, `Group ${++count}`, options);

const update = (who: Member, id: number, changes: Parameters) =>
  app.as(who).patch(`/user_groups/${id}`, changes);

describe('a group', () => {
  it('gets another name, description and permissions, one event for each', async () => {
    const { mia, max } = app.cast;
    const id = await make();
    const changes = { name: 'Bakers', description: 'Bread' };
    const events = await app.captureEvents(async () =>
      expectSuccess(
        await update(mia, id, {
          ...changes,
          can_mention_group: { new: peopleAlone(max) },
          can_join_group: { new: systemGroupId(app, 'role:members') },
        }),
      ),
    );
    const data = [
      { name: 'Bakers' },
      { description: 'Bread' },
      { can_join_group: systemGroupId(app, 'role:members') },
      { can_mention_group: peopleAlone(max) },
    ];
    expect(events.map(({ event }) => event)).toEqual(
      data.map((changed) => ({ type: 'user_group', op: 'update', group_id: id, data: changed })),
    );
    expect(outline(events)).toEqual(data.map(() => ['user_group/update', everybody]));
    expect(await groupRecord(app, id)).toMatchObject(Object.assign({}, ...data));
  });

  it('stays as it is where nothing is new', async () => {
    const { mia } = app.cast;
    const id = await make({ description: 'Same' });
    const { name, can_manage_group } = (await groupRecord(app, id)) as Record<string, unknown>;
    const events = await app.captureEvents(async () =>
      expectSuccess(
        await update(mia, id, {
          name,
          description: 'Same',
          deactivated: false,
          can_manage_group: { new: can_manage_group, old: can_manage_group },
        }),
      ),
    );
    expect(events).toEqual([]);
    const asked = await app.captureEvents(async () =>
      expectSuccess(await update(mia, id, { deactivated: true })),
    );
    expect(asked).toEqual([]);
    expect(await groupRecord(app, id)).toMatchObject({ deactivated: false });
  });

  it('changes as a whole or not at all', async () => {
    const id = await make();
    const before = await groupRecord(app, id);
    const events = await app.captureEvents(async () =>
      expectWrongGroup(
        await update(app.cast.mia, id, {
          name: 'Half way',
          can_join_group: { new: peopleAlone(app.cast.max) },
          can_manage_group: { new: systemGroupId(app, 'role:everyone') },
        }),
        "'can_manage_group' setting cannot be set to 'role:everyone' group.",
      ),
    );
    expect(events).toEqual([]);
    expect(await groupRecord(app, id)).toEqual(before);
  });

  it('compares old with what is shown, before anything else is looked at', async () => {
    const { mia, max, olivia } = app.cast;
    const id = await make({ can_join_group: peopleAlone(mia, max) });
    const change = (old: unknown, value: unknown = systemGroupId(app, 'role:nobody')) =>
      update(mia, id, { can_join_group: { new: value, old } });
    const mismatch = "'old' value does not match the expected value.";
    const details = { code: 'EXPECTATION_MISMATCH', data: { field_name: 'old' } };
    expectError(await change(peopleAlone(mia), 99_999), mismatch, details);
    expectError(await change(systemGroupId(app, 'role:nobody')), mismatch, details);
    expectSuccess(await app.as(olivia).delete(`/users/${max.id}`));
    expectSuccess(await change(peopleAlone(mia)));
    expectSuccess(await app.as(olivia).post(`/users/${max.id}/reactivate`));
    expect(await groupRecord(app, id)).toMatchObject({ can_join_group: systemGroupId(app, 'role:nobody') });
  });

  it('takes its permissions in the form {new, old} only', async () => {
    const id = await make();
    expectWrongGroup(
      await update(app.cast.mia, id, { can_join_group: 5 }),
      'can_join_group does not have the expected format',
    );
    expectWrongGroup(
      await update(app.cast.mia, id, { can_join_group: { old: 5 } }),
      'can_join_group["new"] field is missing: Field required',
    );
    expectWrongGroup(
      await update(app.cast.mia, id, { can_join_group: { new: 'all' } }),
      'can_join_group["new"]["int"] is not an integer',
    );
  });

  it('says what a right change looks like where one is wrong', async () => {
    const answer = await update(app.cast.mia, await make(), { can_join_group: 5 });
    expect(answer.body.expected).toMatch(/^\{"new":11\} or \{"new":\{"direct_members":\[8,9\],/);
  });

  it('may give its permissions to itself, and these hold at once', async () => {
    const { mia, max, olivia } = app.cast;
    const id = await make({ members: [max.id] });
    expectError(await update(max, id, { description: 'Ours' }), 'Insufficient permission');
    expectSuccess(await update(mia, id, { can_manage_group: { new: id } }));
    expectSuccess(await update(max, id, { description: 'Ours' }));
    expectError(await update(mia, id, { description: 'Mine' }), 'Insufficient permission');
    expectSuccess(await app.as(olivia).post(`/user_groups/${id}/members`, { delete: [max.id] }));
    expectError(await update(max, id, { description: 'Still ours' }), 'Insufficient permission');
  });

  it('cannot be renamed to what no group may be called', async () => {
    const { mia } = app.cast;
    await makeGroup(app, mia, 'Bees');
    const id = await make();
    expectError(await update(mia, id, { name: 'Bees' }), "User group 'Bees' already exists.");
    expectError(await update(mia, id, { name: ' ' }), "User group name can't be empty!");
    expectError(await update(mia, id, { name: 'role:x' }), "User group name cannot start with 'role:'.");
    expectError(
      await update(mia, id, { name: 'x'.repeat(101) }),
      'User group name cannot exceed 100 characters.',
    );
  });

  it('does not change without anything to change', async () => {
    expectError(await update(app.cast.mia, await make(), {}), 'No new data supplied');
    expectError(await update(app.cast.mia, 99_999, {}), 'No new data supplied');
  });
});

describe('changing a group', () => {
  it('is for those who manage it or all groups; bots among them, guests not [AUTH-9, VER-496]', async () => {
    const { olivia, adam, mia, max, robo, gus } = app.cast;
    const id = await make({ can_manage_group: peopleAlone(mia, robo, gus) });
    for (const who of [olivia, mia, robo]) {
      expectSuccess(await update(who, id, { description: `By ${who.fullName}` }));
    }
    for (const who of [adam, max]) {
      expectError(await update(who, id, { description: 'Mine' }), 'Insufficient permission');
    }
    expectError(await update(gus, id, { description: 'Mine' }), 'Not allowed for guest users');
    const everyManager = (value: number) => ({ can_manage_all_groups: { new: value } });
    expectSuccess(
      await app.as(olivia).patch('/realm', everyManager(systemGroupId(app, 'role:administrators'))),
    );
    expectSuccess(await update(adam, id, { description: 'Managed' }));
    expectSuccess(await app.as(olivia).patch('/realm', everyManager(systemGroupId(app, 'role:owners'))));
  });

  it('is refused for groups that do not exist, and for system groups even to owners', async () => {
    const { olivia } = app.cast;
    expectError(await update(olivia, 99_999, { description: 'x' }), 'Invalid user group');
    expectError(
      await update(olivia, systemGroupId(app, 'role:members'), { description: 'x' }),
      'Insufficient permission',
    );
  });
});

describe('a deactivated group', () => {
  it('is deactivated for those who know such groups, gone for the others, and keeps what it has [STATE-user_group-transitions]', async () => {
    const { mia, max } = app.cast;
    const id = await make({ members: [max.id] });
    const events = await app.captureEvents(async () =>
      expectSuccess(await app.as(mia).post(`/user_groups/${id}/deactivate`)),
    );
    expect(outline(events)).toEqual([
      ['user_group/update', everybody, '+include_deactivated_groups'],
      ['user_group/remove', everybody, '-include_deactivated_groups'],
    ]);
    expect(events.map(({ event }) => event)).toEqual([
      { type: 'user_group', op: 'update', group_id: id, data: { deactivated: true } },
      { type: 'user_group', op: 'remove', group_id: id },
    ]);
    expect(await groupRecord(app, id)).toMatchObject({ deactivated: true, members: [max.id] });
    expectError(await app.as(mia).post(`/user_groups/${id}/deactivate`), 'User group is deactivated.');
  });

  it('is renamed for those who know it, and comes back with all it has [STATE-user_group-transitions]', async () => {
    const { mia } = app.cast;
    const id = await make();
    await deactivateGroup(app, id);
    const renamed = await app.captureEvents(async () =>
      expectSuccess(await update(mia, id, { name: 'Sleepers' })),
    );
    expect(outline(renamed)).toEqual([['user_group/update', everybody, '+include_deactivated_groups']]);
    const events = await app.captureEvents(async () =>
      expectSuccess(
        await update(mia, id, {
          description: 'Awake',
          deactivated: false,
          can_join_group: { new: systemGroupId(app, 'role:members') },
        }),
      ),
    );
    expect(outline(events)).toEqual([
      ['user_group/update', everybody, '+include_deactivated_groups'],
      ['user_group/update', everybody, '+include_deactivated_groups'],
      ['user_group/add', everybody, '-include_deactivated_groups'],
      ['user_group/update', everybody],
    ]);
    expect(events[1]?.event.data).toEqual({ deactivated: false });
    expect(events[2]?.event.group).toEqual({
      ...(await groupRecord(app, id)),
      can_join_group: systemGroupId(app, 'role:nobody'),
    });
    expect(await groupRecord(app, id)).toMatchObject({ name: 'Sleepers', deactivated: false });
  });
});

describe('deactivating a group', () => {
  const deactivate = (who: Member, id: number) => app.as(who).post(`/user_groups/${id}/deactivate`);

  it('is for those who manage it', async () => {
    const { max, gus, olivia } = app.cast;
    const id = await make({ members: [gus.id, max.id], can_add_members_group: peopleAlone(max) });
    for (const who of [max, gus]) expectError(await deactivate(who, id), 'Insufficient permission');
    expectError(await deactivate(olivia, systemGroupId(app, 'role:members')), 'Insufficient permission');
    expectError(await deactivate(gus, 99_999), 'Invalid user group');
    expectSuccess(await deactivate(olivia, id));
  });

  it('is refused while anything rests on the group, which is told', async () => {
    const { olivia, mia } = app.cast;
    const id = await make();
    const holder = await make({ subgroups: [id] });
    const other = await make({ can_join_group: id });
    expectSuccess(await update(mia, id, { can_leave_group: { new: id } }));
    const mixed = { direct_members: [mia.id], direct_subgroups: [id] };
    expectSuccess(
      await app.as(mia).post('/users/me/subscriptions', {
        subscriptions: [{ name: 'resting' }],
        can_send_message_group: id,
        can_remove_subscribers_group: mixed,
      }),
    );
    const { stream_id } = expectSuccess(await app.as(mia).get('/get_stream_id', { stream: 'resting' }));
    expectSuccess(
      await app.as(olivia).patch('/realm', {
        can_create_groups: { new: { direct_members: [mia.id, olivia.id], direct_subgroups: [id] } },
      }),
    );
    expectError(await deactivate(mia, id), 'Cannot deactivate user group in use.', {
      code: 'CANNOT_DEACTIVATE_GROUP_IN_USE',
      data: {
        objections: [
          { type: 'subgroup', supergroup_ids: [holder] },
          {
            type: 'channel',
            channel_id: stream_id,
            settings: ['can_remove_subscribers_group', 'can_send_message_group'],
          },
          { type: 'user_group', group_id: id, settings: ['can_leave_group'] },
          { type: 'user_group', group_id: other, settings: ['can_join_group'] },
          { type: 'realm', settings: ['can_create_groups'] },
        ],
      },
    });
    expectSuccess(
      await app
        .as(olivia)
        .patch('/realm', { can_create_groups: { new: systemGroupId(app, 'role:members') } }),
    );
    expectSuccess(await app.as(app.cast.adam).delete(`/streams/${stream_id}`));
    expectSuccess(await deactivate(mia, other));
    expectSuccess(await deactivate(mia, holder));
    expectSuccess(await update(mia, id, { can_leave_group: { new: systemGroupId(app, 'role:nobody') } }));
    expectSuccess(await deactivate(mia, id));
  });
});
