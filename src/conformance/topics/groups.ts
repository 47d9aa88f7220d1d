import { check, topicOf } from '../check';
import { boolean, expectThat, list, listWith, listWithout, number, object, text } from '../expectations';
import type { Scene } from '../scene';

/** The group of a role. */
async function roleGroup({ owner }: Scene, role: string): Promise<number> {
  const { user_groups: groups } = await owner.client.ok('GET /user_groups');
  return (groups as { id: number; name: string }[]).find(({ name }) => name === role)?.id ?? 0;
}

/** User groups and permissions. */
export const GROUPS = topicOf(
  'groups and permissions',
  check('lists groups', 'Those of the roles are among them.', async ({ owner }) => {
    const { user_groups: groups } = await owner.client.ok('GET /user_groups');
    for (const name of [
      'role:owners',
      'role:administrators',
      'role:moderators',
      'role:members',
      'role:everyone',
      'role:nobody',
    ])
      expectThat('user_groups', groups, listWith({ name, is_system_group: true }));
  }),
  check('has what clients show in each record', 'A client reads each of these.', async ({ owner }) => {
    const { user_groups: groups } = await owner.client.ok('GET /user_groups');
    for (const group of groups as object[])
      expectThat('a group', group, {
        id: number,
        name: text,
        description: text,
        members: list,
        direct_subgroup_ids: list,
        is_system_group: boolean,
      });
  }),
  check('makes a group', 'Its members are those that were named.', async (scene) => {
    const { id } = await scene.makeGroup([scene.owner.id]);
    expectThat(
      'user_groups',
      (await scene.owner.client.ok('GET /user_groups'))['user_groups'],
      listWith({ id, members: listWith(scene.owner.id), is_system_group: false }),
    );
  }),
  check('sends events about new groups', 'Clients complete their names.', async (scene) => {
    const queue = await scene.listen(['user_group']);
    const { id, name } = await scene.makeGroup([scene.owner.id]);
    await queue.next({ type: 'user_group', op: 'add', group: { id, name } });
    await queue.end();
  }),
  check('refuses the name of another group', 'Names are unique.', async (scene) => {
    const { name } = await scene.makeGroup([scene.owner.id]);
    await scene.owner.client.refused('POST /user_groups/create', { name, description: '', members: [] });
  }),
  check('renames a group, and sends an event', 'Clients follow.', async (scene) => {
    const { id } = await scene.makeGroup([scene.owner.id]);
    const queue = await scene.listen(['user_group']);
    const name = scene.word();
    await scene.owner.client.ok(`PATCH /user_groups/${id}`, { name });
    await queue.next({ type: 'user_group', op: 'update', group_id: id, data: { name } });
    await queue.end();
  }),
  check('adds members, and sends an event', 'Clients keep the lists up to date.', async (scene) => {
    const { id } = await scene.makeGroup([scene.owner.id]);
    const queue = await scene.listen(['user_group']);
    await scene.owner.client.ok(`POST /user_groups/${id}/members`, { add: [scene.bot.id] });
    await queue.next({
      type: 'user_group',
      op: 'add_members',
      group_id: id,
      user_ids: listWith(scene.bot.id),
    });
    await queue.end();
  }),
  check('removes members, and sends an event', 'Clients keep the lists up to date.', async (scene) => {
    const { id } = await scene.makeGroup([scene.owner.id, scene.bot.id]);
    const queue = await scene.listen(['user_group']);
    await scene.owner.client.ok(`POST /user_groups/${id}/members`, { delete: [scene.bot.id] });
    await queue.next({
      type: 'user_group',
      op: 'remove_members',
      group_id: id,
      user_ids: listWith(scene.bot.id),
    });
    await queue.end();
  }),
  check('refuses to add a member twice', 'It is an error of the request.', async (scene) => {
    const { id } = await scene.makeGroup([scene.owner.id]);
    await scene.owner.client.refused(`POST /user_groups/${id}/members`, { add: [scene.owner.id] });
  }),
  check('lists the members of a group', 'Those of its subgroups too.', async (scene) => {
    const [outer, inner] = [await scene.makeGroup([scene.owner.id]), await scene.makeGroup([scene.bot.id])];
    await scene.owner.client.ok(`POST /user_groups/${outer.id}/subgroups`, { add: [inner.id] });
    const { members } = await scene.owner.client.ok(`GET /user_groups/${outer.id}/members`);
    expectThat('members', members, listWith(scene.bot.id));
    const { members: direct } = await scene.owner.client.ok(`GET /user_groups/${outer.id}/members`, {
      direct_member_only: true,
    });
    expectThat('direct members', direct, listWithout(scene.bot.id));
  }),
  check('says whether a user is a member', 'Clients check one user.', async (scene) => {
    for (const isMember of [true, false]) {
      const { id } = await scene.makeGroup(isMember ? [scene.owner.id] : []);
      expectThat(
        'GET /user_groups/…/members/…',
        await scene.owner.client.ok(`GET /user_groups/${id}/members/${scene.owner.id}`),
        { is_user_group_member: isMember },
      );
    }
  }),
  check('lists the subgroups of a group', 'By ID.', async (scene) => {
    const [outer, inner] = [await scene.makeGroup([]), await scene.makeGroup([])];
    await scene.owner.client.ok(`POST /user_groups/${outer.id}/subgroups`, { add: [inner.id] });
    expectThat(
      'subgroups',
      (await scene.owner.client.ok(`GET /user_groups/${outer.id}/subgroups`))['subgroups'],
      listWith(inner.id),
    );
  }),
  check('sends events about subgroups', 'Clients work out who is in a group.', async (scene) => {
    const [outer, inner] = [await scene.makeGroup([]), await scene.makeGroup([])];
    const queue = await scene.listen(['user_group']);
    for (const change of ['add', 'delete']) {
      await scene.owner.client.ok(`POST /user_groups/${outer.id}/subgroups`, { [change]: [inner.id] });
      await queue.next({
        type: 'user_group',
        op: change === 'add' ? 'add_subgroups' : 'remove_subgroups',
        group_id: outer.id,
        direct_subgroup_ids: listWith(inner.id),
      });
    }
    await queue.end();
  }),
  check('refuses unknown members', 'No user is added by mistake.', async (scene) => {
    const { id } = await scene.makeGroup([]);
    await scene.owner.client.refused(`POST /user_groups/${id}/members`, { add: [2_000_000_000] });
  }),
  check('refuses a group that there is not', 'It is an error of the request.', async ({ owner }) => {
    await owner.client.refused('PATCH /user_groups/2000000000', { name: 'x' }, 400, 'BAD_REQUEST');
  }),
  check(
    'deactivates a group, and sends an event',
    'Clients offer it no more.',
    async (scene) => {
      const { id } = await scene.makeGroup([scene.owner.id]);
      const queue = await scene.listen(['user_group'], scene.owner, {
        client_capabilities: { notification_settings_null: true, include_deactivated_groups: true },
      });
      await scene.owner.client.ok(`POST /user_groups/${id}/deactivate`);
      await queue.next({ type: 'user_group', op: 'update', group_id: id, data: { deactivated: true } });
      await queue.end();
      const listed = async (more = {}) =>
        (await scene.owner.client.ok('GET /user_groups', more))['user_groups'];
      expectThat('user_groups', await listed(), listWithout({ id }));
      expectThat(
        'user_groups with those',
        await listed({ include_deactivated_groups: true }),
        listWith({ id, deactivated: true }),
      );
    },
    { since: 294 },
  ),
  check(
    'lets only those change a group whom it names',
    'The setting of a group is a group.',
    async (scene) => {
      const { id } = await scene.makeGroup([scene.person.id]);
      await scene.person.client.refused(`PATCH /user_groups/${id}`, { description: 'Mine' });
      const everybody = await roleGroup(scene, 'role:members');
      await scene.owner.client.ok(`PATCH /user_groups/${id}`, { can_manage_group: { new: everybody } });
      await scene.person.client.ok(`PATCH /user_groups/${id}`, { description: 'Ours' });
      expectThat(
        'user_groups',
        (await scene.owner.client.ok('GET /user_groups'))['user_groups'],
        listWith({ id, description: 'Ours' }),
      );
    },
    { since: 310 },
  ),
  check('refuses circles of groups', 'No group is in itself.', async (scene) => {
    const [outer, inner] = [await scene.makeGroup([]), await scene.makeGroup([])];
    await scene.owner.client.ok(`POST /user_groups/${outer.id}/subgroups`, { add: [inner.id] });
    await scene.owner.client.refused(`POST /user_groups/${inner.id}/subgroups`, { add: [outer.id] });
  }),
  check('refuses changes to the system groups', 'They follow from the roles.', async (scene) => {
    const id = await roleGroup(scene, 'role:members');
    await scene.owner.client.refused(`POST /user_groups/${id}/members`, { add: [scene.bot.id] });
  }),
  check(
    'lets only the group post where a group is set',
    'The answer says so.',
    async (scene) => {
      const owners = await roleGroup(scene, 'role:owners');
      const { id, name } = await scene.makeChannel({ principals: [scene.owner.id, scene.person.id] });
      await scene.owner.client.ok(`PATCH /streams/${id}`, { can_send_message_group: { new: owners } });
      const message = { type: 'stream', to: name, topic: 'x', content: 'x' };
      await scene.owner.client.ok('POST /messages', message);
      await scene.person.client.refused('POST /messages', message);
    },
    { since: 333 },
  ),
  check('lets no member change the organization', 'That is for administrators.', async ({ person }) => {
    await person.client.refused('PATCH /realm', { name: 'Mine' });
  }),
  check('lets no member change channels of others', 'Only channel administrators may.', async (scene) => {
    await scene.person.client.refused(`PATCH /streams/${scene.channel.id}`, { description: 'Mine' });
  }),
  check('says what settings name groups', 'Clients draw their forms from it.', async (scene) => {
    const { client } = scene.owner;
    const state = await client.ok('POST /register', { event_types: ['realm'] });
    await client.ask('DELETE /events', { queue_id: state['queue_id'] });
    expectThat('server_supported_permission_settings', state['server_supported_permission_settings'], {
      realm: object,
      stream: object,
      group: object,
    });
  }),
);
