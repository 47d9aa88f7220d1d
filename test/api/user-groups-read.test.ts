import { expectError, expectSuccess } from '../support/expect-answer';
import { idsOf } from '../support/event-outline';
import { deactivateGroup, groupRecord, makeGroup, peopleAlone, systemGroupId } from '../support/group-setup';
import { TestApp } from '../support/test-app';

let app: TestApp;
let inner: number;
let outer: number;

beforeAll(async () => {
  app = await TestApp.start();
  const { mia, max, mona, robo } = app.cast;
  inner = await makeGroup(app, mia, 'inner', { members: [max.id, robo.id] });
  outer = await makeGroup(app, mia, 'outer', { members: [mona.id], subgroups: [inner] });
});

afterAll(() => app.stop());

const list = async (parameters = {}) =>
  expectSuccess(await app.as(app.cast.mia).get('/user_groups', parameters)).user_groups as {
    id: number;
    name: string;
    deactivated: boolean;
  }[];

const reader = () => app.as(app.cast.mia);

describe('the list of groups', () => {
  it('has exactly the keys of the record, system groups included [EP15-response, GROUP-deactivated, GROUP-is_system_group, GSV-system]', async () => {
    const groups = await list();
    expect(groups.map(({ name }) => name)).toEqual([
      'role:nobody',
      'role:owners',
      'role:administrators',
      'role:moderators',
      'role:fullmembers',
      'role:members',
      'role:everyone',
      'role:internet',
      'inner',
      'outer',
    ]);
    for (const group of groups) {
      expect(Object.keys(group)).toEqual([
        'id',
        'name',
        'creator_id',
        'date_created',
        'description',
        'members',
        'direct_subgroup_ids',
        'is_system_group',
        'can_add_members_group',
        'can_join_group',
        'can_leave_group',
        'can_manage_group',
        'can_mention_group',
        'can_remove_members_group',
        'deactivated',
      ]);
    }
    expect(groups.map(({ id }) => id)).toEqual(groups.map(({ id }) => id).sort((a, b) => a - b));
  });

  it('shows system groups without creator and date, managed by nobody [GROUP-creator_id, GROUP-date_created]', async () => {
    const { mona } = app.cast;
    const nobody = systemGroupId(app, 'role:nobody');
    const record = await groupRecord(app, systemGroupId(app, 'role:moderators'));
    expect(record).toEqual({
      id: systemGroupId(app, 'role:moderators'),
      name: 'role:moderators',
      creator_id: null,
      date_created: null,
      description: 'Moderators of this organization, including administrators',
      members: [mona.id],
      direct_subgroup_ids: [systemGroupId(app, 'role:administrators')],
      is_system_group: true,
      can_add_members_group: nobody,
      can_join_group: nobody,
      can_leave_group: nobody,
      can_manage_group: nobody,
      can_mention_group: nobody,
      can_remove_members_group: nobody,
      deactivated: false,
    });
  });

  it('leaves deactivated groups out unless asked for them [EP15-include_deactivated_groups]', async () => {
    const id = await makeGroup(app, app.cast.mia, 'retired');
    await deactivateGroup(app, id);
    expect((await list()).map((group) => group.id)).not.toContain(id);
    const found = (await list({ include_deactivated_groups: true })).find((group) => group.id === id);
    expect(found).toMatchObject({ name: 'retired', deactivated: true });
  });

  it('is open to bots and closed to guests [EP15-bots, AUTH-9, VER-496]', async () => {
    expectSuccess(await app.as(app.cast.robo).get('/user_groups'));
    expectError(await app.as(app.cast.gus).get('/user_groups'), 'Not allowed for guest users');
  });

  it('shows active people only, in members and in permissions, at once [GROUP-members, GSV-deactivated, VER-303]', async () => {
    const { mia, max, olivia } = app.cast;
    const id = await makeGroup(app, mia, 'shifting', {
      members: [mia.id, max.id],
      can_join_group: peopleAlone(max),
    });
    expect(await groupRecord(app, id)).toMatchObject({
      members: idsOf(mia, max),
      can_join_group: peopleAlone(max),
    });
    expectSuccess(await app.as(olivia).delete(`/users/${max.id}`));
    expect(await groupRecord(app, id)).toMatchObject({
      members: [mia.id],
      can_join_group: { direct_members: [], direct_subgroups: [] },
    });
    expectSuccess(await app.as(olivia).post(`/users/${max.id}/reactivate`));
    expect(await groupRecord(app, id)).toMatchObject({
      members: idsOf(mia, max),
      can_join_group: peopleAlone(max),
    });
  });
});

describe('the members of a group', () => {
  it('are listed at any depth, or the direct ones', async () => {
    const { max, mona, robo } = app.cast;
    expect(expectSuccess(await reader().get(`/user_groups/${outer}/members`)).members).toEqual(
      idsOf(max, mona, robo),
    );
    expect(
      expectSuccess(await reader().get(`/user_groups/${outer}/members`, { direct_member_only: true }))
        .members,
    ).toEqual([mona.id]);
    const everybody = await reader().get(`/user_groups/${systemGroupId(app, 'role:internet')}/members`);
    expect(expectSuccess(everybody).members).toEqual(idsOf(...Object.values(app.cast)));
  });

  it('are asked for one by one, at any depth or directly', async () => {
    const { max, mona, gus, robo } = app.cast;
    const isMember = async (id: number, direct: boolean) =>
      expectSuccess(await reader().get(`/user_groups/${outer}/members/${id}`, { direct_member_only: direct }))
        .is_user_group_member;
    await expect(isMember(mona.id, true)).resolves.toBe(true);
    await expect(isMember(max.id, true)).resolves.toBe(false);
    await expect(isMember(max.id, false)).resolves.toBe(true);
    await expect(isMember(robo.id, false)).resolves.toBe(true);
    await expect(isMember(gus.id, false)).resolves.toBe(false);
  });

  it('are people who exist and are active', async () => {
    const { max, olivia } = app.cast;
    const ask = (userId: number) => reader().get(`/user_groups/${outer}/members/${userId}`);
    expectError(await ask(99_999), 'No such user');
    expectSuccess(await app.as(olivia).delete(`/users/${max.id}`));
    expectError(await ask(max.id), 'User is deactivated');
    expect(expectSuccess(await reader().get(`/user_groups/${inner}/members`)).members).toEqual([
      app.cast.robo.id,
    ]);
    expectSuccess(await app.as(olivia).post(`/users/${max.id}/reactivate`));
  });
});

it('the subgroups of a group are listed at any depth, or the direct ones', async () => {
  const top = await makeGroup(app, app.cast.mia, 'top', { subgroups: [outer] });
  const subgroups = async (parameters = {}) =>
    expectSuccess(await reader().get(`/user_groups/${top}/subgroups`, parameters)).subgroups;
  await expect(subgroups()).resolves.toEqual([inner, outer]);
  await expect(subgroups({ direct_subgroup_only: true })).resolves.toEqual([outer]);
});

describe('members and subgroups of a group', () => {
  const paths = (id: number) => [
    `/user_groups/${id}/members`,
    `/user_groups/${id}/members/${app.cast.mia.id}`,
    `/user_groups/${id}/subgroups`,
  ];

  it('are not shown of groups that do not exist, are deactivated or only stand behind a setting', async () => {
    const id = await makeGroup(app, app.cast.mia, 'gone');
    await deactivateGroup(app, id);
    for (const path of paths(id)) expectError(await reader().get(path), 'User group is deactivated.');
    for (const unknown of [99_999, id - 1]) {
      for (const path of paths(unknown)) expectError(await reader().get(path), 'Invalid user group');
    }
  });

  it('are open to bots and closed to guests [AUTH-9, VER-496]', async () => {
    for (const path of paths(outer)) {
      expectSuccess(await app.as(app.cast.robo).get(path));
      expectError(await app.as(app.cast.gus).get(path), 'Not allowed for guest users');
    }
  });
});
