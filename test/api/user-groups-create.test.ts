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
import { TestApp } from '../support/test-app';

const SETTINGS = [
  'can_add_members_group',
  'can_join_group',
  'can_leave_group',
  'can_manage_group',
  'can_mention_group',
  'can_remove_members_group',
] as const;

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

const create = (who: keyof TestApp['cast'], parameters: Parameters) =>
  app.as(app.cast[who]).post('/user_groups/create', { description: '', members: [], ...parameters });

describe('creating a group', () => {
  it('answers its ID, stores what was sent and tells everybody [EP14-name, EP14-description, EP14-members, EP14-response, GROUP-id, GROUP-name, GROUP-description, GROUP-members, GROUP-creator_id, GROUP-is_system_group, GROUP-date_created]', async () => {
    const { mia, max } = app.cast;
    const before = Math.floor(Date.now() / 1000);
    let id = 0;
    const events = await app.captureEvents(async () => {
      id = await makeGroup(app, mia, ' Cooks ', {
        description: 'Who **cooks**',
        members: [mia.id, max.id, max.id],
      });
    });
    const record = await groupRecord(app, id);
    const creatorAlone = peopleAlone(mia);
    expect(record).toEqual({
      id,
      name: 'Cooks',
      creator_id: mia.id,
      date_created: expect.any(Number),
      description: 'Who **cooks**',
      members: idsOf(mia, max),
      direct_subgroup_ids: [],
      is_system_group: false,
      can_add_members_group: creatorAlone,
      can_join_group: systemGroupId(app, 'role:nobody'),
      can_leave_group: systemGroupId(app, 'role:everyone'),
      can_manage_group: creatorAlone,
      can_mention_group: systemGroupId(app, 'role:everyone'),
      can_remove_members_group: systemGroupId(app, 'role:nobody'),
      deactivated: false,
    });
    expect(Math.abs((record?.['date_created'] as number) - before)).toBeLessThan(60);
    expect(outline(events)).toEqual([['user_group/add', idsOf(...Object.values(app.cast))]]);
    expect(events[0]?.event).toEqual({ type: 'user_group', op: 'add', group: record });
  });

  it('tells nobody by message that they are members from the start', async () => {
    const events = await app.captureEvents(() =>
      makeGroup(app, app.cast.mia, 'Quiet', { members: [app.cast.max.id] }),
    );
    expect(events.map(({ event }) => event.type)).toEqual(['user_group']);
  });

  it('nests subgroups, system groups included, in an event of their own [EP14-subgroups, GROUP-direct_subgroup_ids, VER-311]', async () => {
    const inner = await makeGroup(app, app.cast.adam, 'Inner');
    const moderators = systemGroupId(app, 'role:moderators');
    let id = 0;
    const events = await app.captureEvents(async () => {
      id = await makeGroup(app, app.cast.mia, 'Outer', { subgroups: [inner, moderators] });
    });
    const subgroups = [inner, moderators].sort((a, b) => a - b);
    expect((await groupRecord(app, id))?.['direct_subgroup_ids']).toEqual(subgroups);
    expect(events.map(({ event }) => event)).toEqual([
      { type: 'user_group', op: 'add', group: expect.objectContaining({ id, direct_subgroup_ids: [] }) },
      { type: 'user_group', op: 'add_subgroups', group_id: id, direct_subgroup_ids: subgroups },
    ]);
  });

  it('takes all permissions as groups and as people [EP14-can_add_members_group, EP14-can_join_group, EP14-can_leave_group, EP14-can_manage_group, EP14-can_mention_group, EP14-can_remove_members_group, GROUP-can_add_members_group, GROUP-can_join_group, GROUP-can_leave_group, GROUP-can_manage_group, GROUP-can_mention_group, GROUP-can_remove_members_group, VER-283, VER-301, VER-305, VER-308, VER-324]', async () => {
    const members = systemGroupId(app, 'role:members');
    const anonymous = { direct_members: idsOf(app.cast.max, app.cast.gus), direct_subgroups: [members] };
    for (const value of [members, anonymous]) {
      const chosen = Object.fromEntries(SETTINGS.map((setting) => [setting, value]));
      const id = await makeGroup(app, app.cast.mia, `Chosen ${JSON.stringify(value)}`, chosen);
      expect(await groupRecord(app, id)).toMatchObject(chosen);
    }
  });

  it('takes one group in an object as that group, and an empty object as nobody', async () => {
    const moderators = systemGroupId(app, 'role:moderators');
    const id = await makeGroup(app, app.cast.mia, 'Collapsed', {
      can_join_group: { direct_members: [], direct_subgroups: [moderators] },
      can_leave_group: { direct_members: [], direct_subgroups: [] },
    });
    expect(await groupRecord(app, id)).toMatchObject({
      can_join_group: moderators,
      can_leave_group: systemGroupId(app, 'role:nobody'),
    });
  });
});

describe('creating a group is refused', () => {
  it('to guests, and to whom the organization does not let; bots may [EP14-bots, AUTH-9, VER-496]', async () => {
    expectError(await create('gus', { name: 'Guests' }), 'Not allowed for guest users');
    expectSuccess(await create('robo', { name: 'Robots' }));
    const can_create_groups = (value: number) => ({ can_create_groups: { new: value } });
    expectSuccess(
      await app
        .as(app.cast.olivia)
        .patch('/realm', can_create_groups(systemGroupId(app, 'role:administrators'))),
    );
    expectError(await create('mia', { name: 'Mine' }), 'Insufficient permission');
    expectSuccess(await create('adam', { name: 'Mine' }));
    expectSuccess(
      await app.as(app.cast.olivia).patch('/realm', can_create_groups(systemGroupId(app, 'role:members'))),
    );
  });

  it.each(['name', 'description', 'members'])('without %s', async (missing) => {
    const { [missing]: _, ...others } = { name: 'Whole', description: '', members: [] as number[] } as Record<
      string,
      unknown
    >;
    expectError(
      await app.as(app.cast.mia).post('/user_groups/create', others),
      `Missing '${missing}' argument`,
      { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: missing } },
    );
  });

  it.each([
    ['  ', "User group name can't be empty!"],
    ['x'.repeat(101), 'User group name cannot exceed 100 characters.'],
    ['@cooks', "User group name cannot start with '@'."],
    ['role:cooks', "User group name cannot start with 'role:'."],
    ['user:cooks', "User group name cannot start with 'user:'."],
    ['stream:cooks', "User group name cannot start with 'stream:'."],
    ['channel:cooks', "User group name cannot start with 'channel:'."],
  ])('for the name %j', async (name, message) => {
    expectError(await create('mia', { name }), message);
  });

  it('for a name in use, also by a deactivated group, but not in another case', async () => {
    const id = await makeGroup(app, app.cast.mia, 'Taken');
    expectError(await create('max', { name: 'Taken' }), "User group 'Taken' already exists.");
    await deactivateGroup(app, id);
    expectError(await create('max', { name: 'Taken' }), "User group 'Taken' already exists.");
    expectSuccess(await create('max', { name: 'taken' }));
  });

  it('for members who do not exist or are deactivated, naming the first [EP14-members-invalid, ERR-BAD_REQUEST-group_member]', async () => {
    const { mia, max } = app.cast;
    expectError(
      await create('mia', { name: '', members: [mia.id, 99_999, 88_888] }),
      'Invalid user ID: 99999',
    );
    expectError(await create('mia', { name: 'M', members: [2 ** 40] }), 'Invalid user ID: 1099511627776');
    expectSuccess(await app.as(app.cast.olivia).delete(`/users/${max.id}`));
    expectError(await create('mia', { name: 'M', members: [max.id] }), `Invalid user ID: ${max.id}`);
    expectSuccess(await app.as(app.cast.olivia).post(`/users/${max.id}/reactivate`));
  });

  it('for subgroups that do not exist, are deactivated or only stand behind a setting', async () => {
    const { mia } = app.cast;
    const id = await makeGroup(app, mia, 'Sleeping');
    await deactivateGroup(app, id);
    expectError(await create('mia', { name: 'S', subgroups: [99_999] }), 'Invalid user group ID: 99999');
    expectError(await create('mia', { name: 'S', subgroups: [id] }), 'User group is deactivated.');
    const anonymousId = id - 1;
    expectError(
      await create('mia', { name: 'S', subgroups: [anonymousId] }),
      `Invalid user group ID: ${anonymousId}`,
    );
  });

  it.each([
    ['can_manage_group', 'role:internet'],
    ['can_manage_group', 'role:everyone'],
    ['can_mention_group', 'role:internet'],
    ['can_mention_group', 'role:owners'],
    ['can_add_members_group', 'role:everyone'],
    ['can_add_members_group', 'role:internet'],
    ['can_join_group', 'role:everyone'],
    ['can_join_group', 'role:internet'],
    ['can_leave_group', 'role:internet'],
    ['can_remove_members_group', 'role:everyone'],
    ['can_remove_members_group', 'role:internet'],
  ] as const)(
    'for %s as %s [EP14-can_manage_group-refused, EP14-can_mention_group-refused]',
    async (setting, group) => {
      expectWrongGroup(
        await create('mia', { name: 'Refused', [setting]: systemGroupId(app, group) }),
        `'${setting}' setting cannot be set to '${group}' group.`,
      );
    },
  );

  it('for values that name nobody and nothing there is', async () => {
    const invalid = (value: unknown) => create('mia', { name: 'Invalid', can_join_group: value });
    expectWrongGroup(await invalid(99_999), 'Invalid user group');
    expectError(
      await invalid({ direct_members: [99_999], direct_subgroups: [88_888] }),
      'Invalid user ID: 99999',
    );
    expectError(
      await invalid({ direct_members: [app.cast.mia.id], direct_subgroups: [88_888] }),
      'Invalid user group ID: 88888',
    );
    const sleeping = await makeGroup(app, app.cast.mia, 'Sleeping too');
    await deactivateGroup(app, sleeping);
    expectError(await invalid(sleeping), 'User group is deactivated.');
    expectWrongGroup(await invalid('true'), 'can_join_group["int"] is not an integer');
    expectWrongGroup(await invalid({ direct_members: [] }), 'can_join_group["int"] is not an integer');
  });

  it('without a trace', async () => {
    const events = await app.captureEvents(() =>
      create('mia', { name: 'Half', can_join_group: peopleAlone(app.cast.max), subgroups: [99_999] }),
    );
    expect(events).toEqual([]);
    expectSuccess(await create('mia', { name: 'Half' }));
  });
});
