import type { Parameters } from '../support/api-client';
import type { Member } from '../support/cast';
import { idsOf, outline } from '../support/event-outline';
import { expectError, expectSuccess } from '../support/expect-answer';
import { deactivateGroup, groupRecord, makeGroup, peopleAlone, systemGroupId } from '../support/group-setup';
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

const change = (who: Member, id: number, changes: Parameters) =>
  app.as(who).post(`/user_groups/${id}/members`, changes);

const nest = (who: Member, id: number, changes: Parameters) =>
  app.as(who).post(`/user_groups/${id}/subgroups`, changes);

const membersOf = async (id: number) => (await groupRecord(app, id))?.['members'];

const subgroupsOf = async (id: number) => (await groupRecord(app, id))?.['direct_subgroup_ids'];

describe('members', () => {
  it('are added and removed, and everybody hears of it [EP16-user_group_id, EP16-add, EP16-delete, EP16-response]', async () => {
    const { mia, robo } = app.cast;
    const id = await make();
    const added = await app.captureEvents(async () => {
      const body = expectSuccess(await change(mia, id, { add: [robo.id, mia.id, robo.id] }));
      expect(Object.keys(body).sort()).toEqual(['msg', 'result']);
    });
    expect(outline(added)).toEqual([['user_group/add_members', everybody]]);
    expect(added[0]?.event).toEqual({
      type: 'user_group',
      op: 'add_members',
      group_id: id,
      user_ids: idsOf(mia, robo),
    });
    await expect(membersOf(id)).resolves.toEqual(idsOf(mia, robo));
    const removed = await app.captureEvents(async () =>
      expectSuccess(await change(mia, id, { delete: [robo.id] })),
    );
    expect(removed.map(({ event }) => event)).toEqual([
      { type: 'user_group', op: 'remove_members', group_id: id, user_ids: [robo.id] },
    ]);
    await expect(membersOf(id)).resolves.toEqual([mia.id]);
  });

  it('are told by the notification bot, but for bots and whoever did it', async () => {
    const { mia, max, robo } = app.cast;
    const id = await make();
    const { name } = (await groupRecord(app, id)) as { name: string };
    const told = async (changes: Parameters) => {
      const events = await app.captureEvents(async () => expectSuccess(await change(mia, id, changes)));
      return events
        .filter(({ event }) => event.type === 'message')
        .map(({ event, audience }) => [event.message.content, audience.filter((who) => who !== bot(event))]);
    };
    const bot = (event: { message: { sender_id: number } }) => event.message.sender_id;
    const people = [mia.id, max.id, robo.id];
    const [added] = await told({ add: people });
    expect(added?.[1]).toEqual([max.id]);
    expect(added?.[0]).toContain('added you to the group');
    expect(added?.[0]).toContain(
      `<span class="user-group-mention silent" data-user-group-id="${id}">${name}`,
    );
    const removed = await told({ delete: people });
    expect(removed.map(([, audience]) => audience)).toEqual([[max.id]]);
    expect(removed[0]?.[0]).toContain('removed you from the group');
  });

  it('must be active users, and come and go once', async () => {
    const { mia, max, mona, olivia } = app.cast;
    const id = await make({ members: [mona.id] });
    expectError(await change(mia, id, { add: [max.id, 99_999] }), 'Invalid user ID: 99999');
    expectError(await change(mia, id, { delete: [99_999] }), 'Invalid user ID: 99999');
    expectError(
      await change(mia, id, { add: [max.id, mona.id] }),
      `User ${mona.id} is already a member of this group`,
    );
    expectError(
      await change(mia, id, { delete: [mona.id, max.id] }),
      `There is no member '${max.id}' in this user group`,
    );
    expectSuccess(await app.as(olivia).delete(`/users/${mona.id}`));
    expectError(await change(mia, id, { add: [mona.id] }), `Invalid user ID: ${mona.id}`);
    expectError(await change(mia, id, { delete: [mona.id] }), `Invalid user ID: ${mona.id}`);
    expectSuccess(await app.as(olivia).post(`/users/${mona.id}/reactivate`));
    await expect(membersOf(id)).resolves.toEqual([mona.id]);
  });

  it('change together with subgroups, all or nothing, additions first [EP16-add_subgroups, EP16-delete_subgroups, VER-311]', async () => {
    const { mia, max, robo } = app.cast;
    const [first, second] = [await make(), await make()];
    const id = await make({ members: [robo.id], subgroups: [first] });
    const events = await app.captureEvents(async () =>
      expectSuccess(
        await change(mia, id, {
          add: [mia.id],
          delete: [robo.id],
          add_subgroups: [second],
          delete_subgroups: [first],
        }),
      ),
    );
    expect(events.map(({ event: { type: _, ...event } }) => event)).toEqual([
      { op: 'add_members', group_id: id, user_ids: [mia.id] },
      { op: 'remove_members', group_id: id, user_ids: [robo.id] },
      { op: 'add_subgroups', group_id: id, direct_subgroup_ids: [second] },
      { op: 'remove_subgroups', group_id: id, direct_subgroup_ids: [first] },
    ]);
    expect(await groupRecord(app, id)).toMatchObject({ members: [mia.id], direct_subgroup_ids: [second] });
    const failed = await app.captureEvents(async () =>
      expectError(
        await change(mia, id, { add: [max.id], delete_subgroups: [first] }),
        `User group ${first} is not a subgroup of this group.`,
      ),
    );
    expect(failed).toEqual([]);
    await expect(membersOf(id)).resolves.toEqual([mia.id]);
    expectSuccess(await change(mia, id, { add: [robo.id], delete: [robo.id] }));
    await expect(membersOf(id)).resolves.toEqual([mia.id]);
  });

  it('do not change without anything to do', async () => {
    const id = await make();
    const message =
      'Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or "delete_subgroups".';
    expectError(await change(app.cast.mia, id, {}), message);
    expectError(await change(app.cast.mia, id, { add: [], delete: [] }), message);
  });

  it('of deactivated groups change as well, for those who know them [STATE-user_group-members, VER-391]', async () => {
    const { mia, robo } = app.cast;
    const [id, subgroup] = [await make(), await make()];
    await deactivateGroup(app, id);
    const events = await app.captureEvents(async () => {
      expectSuccess(await change(mia, id, { add: [robo.id, mia.id] }));
      expectSuccess(await change(mia, id, { delete: [robo.id] }));
      expectSuccess(await nest(mia, id, { add: [subgroup] }));
      expectSuccess(await nest(mia, id, { delete: [subgroup] }));
    });
    expect(outline(events)).toEqual(
      ['add_members', 'remove_members', 'add_subgroups', 'remove_subgroups'].map((op) => [
        `user_group/${op}`,
        everybody,
        '+include_deactivated_groups',
      ]),
    );
    expect(await groupRecord(app, id)).toMatchObject({ deactivated: true, members: [mia.id] });
  });

  it('can be many in one request, and count at once', async () => {
    const { mia, olivia } = app.cast;
    const id = await make();
    expectSuccess(await change(mia, id, { add: everybody.filter((userId) => userId !== olivia.id) }));
    await expect(membersOf(id)).resolves.toEqual(everybody.filter((userId) => userId !== olivia.id));
  });
});

describe('who changes members', () => {
  const refused = 'Insufficient permission';

  it.each([
    ['can_join_group', 'add', true, false],
    ['can_add_members_group', 'add', true, true],
    ['can_leave_group', 'delete', true, false],
    ['can_remove_members_group', 'delete', true, true],
    ['can_manage_group', 'add', true, true],
    ['can_manage_group', 'delete', true, true],
    ['can_mention_group', 'add', false, false],
    ['can_mention_group', 'delete', false, false],
  ] as const)('%s lets one %s oneself: %s, others: %s', async (setting, operation, oneself, others) => {
    const { max, robo, mona } = app.cast;
    const nobody = systemGroupId(app, 'role:nobody');
    const id = await make({
      can_leave_group: nobody,
      can_mention_group: nobody,
      [setting]: peopleAlone(max),
      members: operation === 'delete' ? [max.id, mona.id, robo.id] : [],
    });
    const attempt = async (userIds: number[], allowed: boolean) => {
      const answer = await change(max, id, { [operation]: userIds });
      if (allowed) expectSuccess(answer);
      else expectError(answer, refused);
    };
    await attempt([max.id], oneself);
    await attempt([mona.id], others);
    if (oneself && !others) await attempt([max.id, robo.id], false);
  });

  it('is, for subgroups, who may add members; only managers take them out', async () => {
    const { max, mia } = app.cast;
    const subgroup = await make();
    const id = await make({
      can_manage_group: peopleAlone(mia),
      can_add_members_group: peopleAlone(max),
      can_remove_members_group: peopleAlone(max),
    });
    expectSuccess(await nest(max, id, { add: [subgroup] }));
    expectError(await nest(max, id, { delete: [subgroup] }), refused);
    expectError(await change(max, id, { delete_subgroups: [subgroup] }), refused);
    expectSuccess(await nest(mia, id, { delete: [subgroup] }));
  });

  it('is no guest, may be a bot, and may manage all groups [EP16-bots, EP17-bots, AUTH-9, VER-496, AUTH-groups]', async () => {
    const { gus, robo, olivia, adam, mia } = app.cast;
    const [id, subgroup] = [await make(), await make()];
    expectError(await change(gus, id, { add: [gus.id] }), 'Not allowed for guest users');
    expectError(await nest(gus, id, { add: [subgroup] }), 'Not allowed for guest users');
    expectError(await change(adam, id, { add: [adam.id] }), refused);
    expectError(await change(robo, id, { add: [robo.id] }), refused);
    expectSuccess(
      await app.as(mia).patch(`/user_groups/${id}`, { can_add_members_group: { new: peopleAlone(robo) } }),
    );
    expectSuccess(await change(robo, id, { add: [robo.id] }));
    expectSuccess(await nest(robo, id, { add: [subgroup] }));
    expectSuccess(await change(olivia, id, { delete: [robo.id] }));
  });

  it('is nobody for system groups, and no one for groups there are not', async () => {
    const { olivia, gus } = app.cast;
    const members = systemGroupId(app, 'role:members');
    expectError(await change(olivia, members, { add: [gus.id] }), refused);
    expectError(await nest(olivia, members, { add: [await make()] }), refused);
    expectError(await change(olivia, 99_999, { add: [88_888] }), 'Invalid user group');
    expectError(await change(olivia, 99_999, { delete: [88_888] }), 'Invalid user ID: 88888');
  });

  it('is asked before people who are added, and after people who are removed', async () => {
    const { max } = app.cast;
    const id = await make();
    expectError(await change(max, id, { add: [99_999] }), refused);
    expectError(await change(max, id, { delete: [99_999] }), 'Invalid user ID: 99999');
  });
});

describe('subgroups', () => {
  it('are added and removed, and everybody hears of it [EP17-user_group_id, EP17-add, EP17-delete, EP17-response, VER-127]', async () => {
    const { mia } = app.cast;
    const [id, first, second] = [await make(), await make(), await make()];
    const events = await app.captureEvents(async () => {
      const body = expectSuccess(await nest(mia, id, { add: [second, first] }));
      expect(Object.keys(body).sort()).toEqual(['msg', 'result']);
      expectSuccess(await nest(mia, id, { delete: [first] }));
    });
    expect(outline(events)).toEqual([
      ['user_group/add_subgroups', everybody],
      ['user_group/remove_subgroups', everybody],
    ]);
    expect(events.map(({ event }) => event.direct_subgroup_ids)).toEqual([[first, second], [first]]);
    await expect(subgroupsOf(id)).resolves.toEqual([second]);
  });

  it('must exist, be active, and come and go once', async () => {
    const { mia } = app.cast;
    const [first, second, sleeping] = [await make(), await make(), await make()];
    const id = await make({ subgroups: [first, sleeping] });
    expectError(await nest(mia, id, { add: [99_999] }), 'Invalid user group ID: 99999');
    expectError(
      await nest(mia, id, { add: [second, first] }),
      `User group ${first} is already a subgroup of this group.`,
    );
    expectError(
      await nest(mia, id, { delete: [first, second] }),
      `User group ${second} is not a subgroup of this group.`,
    );
    await deactivateGroup(app, second);
    expectError(await nest(mia, id, { add: [second] }), 'User group is deactivated.');
    expectError(await nest(mia, id, { delete: [second] }), 'User group is deactivated.');
  });

  it('never form a circle', async () => {
    const { mia } = app.cast;
    const bottom = await make();
    const middle = await make({ subgroups: [bottom] });
    const top = await make({ subgroups: [middle] });
    const message = `User group ${bottom} is already a subgroup of one of the passed subgroups.`;
    for (const wanted of [bottom, middle, top]) {
      expectError(await nest(mia, bottom, { add: [wanted] }), message);
    }
    expectError(await change(mia, bottom, { add_subgroups: [top] }), message);
    expectSuccess(await nest(mia, top, { delete: [middle] }));
    expectSuccess(await nest(mia, bottom, { add: [top] }));
  });

  it('do not form a circle either when two requests race', async () => {
    const { mia } = app.cast;
    const [first, second] = [await make(), await make()];
    const answers = await Promise.all([
      nest(mia, first, { add: [second] }),
      nest(mia, second, { add: [first] }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('do not change without anything to do', async () => {
    expectError(
      await nest(app.cast.mia, await make(), {}),
      'Nothing to do. Specify at least one of "add" or "delete".',
    );
  });
});
