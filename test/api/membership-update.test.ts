import { Role } from '../../src/platform/actor';
import { AccountDirectory } from '../../src/features/users/accounts/account.directory';
import { GroupDirectory } from '../../src/features/user-groups/groups/group.directory';
import { apiKeyOf, changeAccount } from '../support/account-setup';
import type { Member } from '../support/cast';
import { createChannel } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

const everybody = () => [...app.get(AccountDirectory).active.ids()];
const roleOf = (member: Member) => app.get(AccountDirectory).byId(member.id)?.role;
const groupId = (name: 'role:members' | 'role:fullmembers' | 'role:moderators') =>
  app.get(GroupDirectory).systemGroupId(name);
const update = (actor: Member, target: Member, parameters: object) =>
  app.as(actor).patch(`/users/${target.id}`, { ...parameters });

const MUST_BE_OWNER = ['Must be an organization owner', { code: 'UNAUTHORIZED_PRINCIPAL' }] as const;
const MUST_BE_ADMINISTRATOR = [
  'Must be an organization administrator',
  { code: 'UNAUTHORIZED_PRINCIPAL' },
] as const;

describe('A role', () => {
  it('changes with the groups that go with it, which everybody hears [USER-role]', async () => {
    const { adam, max } = app.cast;
    const events = await app.captureEvents(async () => {
      expectSuccess(await update(adam, max, { role: 300 }));
      expectSuccess(await update(adam, max, { role: 300 }));
    });
    const membership = (op: string, group_id: number) => ({
      event: { type: 'user_group', op, group_id, user_ids: [max.id] },
    });
    expect(events).toMatchObject([
      {
        event: { type: 'realm_user', op: 'update', person: { user_id: max.id, role: 300 } },
        audience: everybody(),
      },
      membership('remove_members', groupId('role:fullmembers')),
      membership('remove_members', groupId('role:members')),
      membership('add_members', groupId('role:moderators')),
    ]);
    expect(app.get(GroupDirectory).isMember(max.id, groupId('role:moderators'))).toBe(true);
    expectSuccess(await update(adam, max, { role: 400 }));
  });

  it('is for administrators to change, that of owners for owners', async () => {
    const { olivia, adam, mona, max } = app.cast;
    expectError(await update(mona, max, { role: 300 }), 'Insufficient permission');
    expectError(await update(max, max, { role: 200 }), ...MUST_BE_ADMINISTRATOR);
    expectError(await update(max, max, { role: 100 }), ...MUST_BE_OWNER);
    expectError(await update(adam, max, { role: 100 }), ...MUST_BE_OWNER);
    expectError(await update(adam, olivia, { role: 200 }), ...MUST_BE_OWNER);
    expectSuccess(await update(olivia, max, { role: 100 }));
    expectError(await update(adam, max, { role: 400 }), ...MUST_BE_OWNER);
    expectSuccess(await update(olivia, max, { role: 400 }));
    const unlisted = 'Invalid role: Value error, Not in the list of possible values';
    expectError(await update(adam, max, { role: 500 }), unlisted);
    expectError(await update(adam, max, { role: '"400"' }), 'role is not an integer');
  });

  it('decides which channels one sees, which the person hears', async () => {
    const { adam, mia, gus, max } = app.cast;
    const open = await createChannel(app, mia, 'open');
    const closed = await createChannel(app, mia, 'closed', { invite_only: true });
    const alike = await createChannel(app, mia, 'closed as well', { invite_only: true });
    const principals = [mia.id, adam.id];
    const other = await createChannel(app, mia, 'with others', { invite_only: true, principals });
    const heard = async (member: Member, role: number) => {
      const events = await app.captureEvents(async () => {
        expectSuccess(await update(adam, member, { role }));
      });
      const channels = events.filter(({ event }) => ['stream', 'subscription'].includes(event.type));
      for (const { audience } of channels) expect(audience).toEqual([member.id]);
      return channels.map(({ event }) => [event.op, ...idsOf(event)]);
    };
    const idsOf = ({
      op,
      streams,
      stream_ids,
    }: {
      op: string;
      streams: { stream_id: number }[];
      stream_ids: number[];
    }) => (op === 'create' ? streams.map(({ stream_id }) => stream_id) : stream_ids);
    const forMember = await heard(gus, 400);
    expect(forMember[0]?.[0]).toBe('create');
    expect(forMember[0]).toContain(open);
    expect(forMember[0]).not.toContain(closed);
    expect(forMember).toContainEqual(['peer_add', open]);
    const forGuest = await heard(gus, 600);
    expect(forGuest).toEqual([['delete', ...(forMember[0] ?? []).slice(1)]]);
    await expect(heard(max, 200)).resolves.toEqual([
      ['create', closed, alike, other],
      // Those with the same subscribers share a list of them.
      ['peer_add', closed, alike],
      ['peer_add', other],
    ]);
    await expect(heard(max, 400)).resolves.toEqual([['delete', closed, alike, other]]);
  });

  it('of owner stays with the last one, also when two give it up at the same instant', async () => {
    const { olivia, mia } = app.cast;
    const refusal = 'The owner permission cannot be removed from the only organization owner.';
    expectError(await update(olivia, olivia, { role: 200 }), refusal);
    expectSuccess(await update(olivia, mia, { role: 100 }));
    const answers = await Promise.all([olivia, mia].map((owner) => update(owner, owner, { role: 200 })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    const owner = roleOf(olivia) === Role.owner ? olivia : mia;
    expectSuccess(await update(owner, olivia, { role: 100 }));
    expectSuccess(await update(olivia, mia, { role: 400 }));
  });
});

describe('An account', () => {
  it('is renamed by administrators, by its owner and by the owner of the bot', async () => {
    const { adam, mona, mia, max, robo } = app.cast;
    const events = await app.captureEvents(async () => {
      expectSuccess(await update(adam, max, { full_name: ' Max M. ' }));
      expectSuccess(await update(adam, max, { full_name: '  ' }));
      expectSuccess(await update(max, max, { full_name: 'Max Member' }));
      expectSuccess(await update(mia, robo, { full_name: 'Robo the Bot' }));
    });
    expect(events.map(({ event }) => event.person)).toEqual([
      { user_id: max.id, full_name: 'Max M.' },
      { user_id: max.id, full_name: 'Max Member' },
      { user_id: robo.id, full_name: 'Robo the Bot' },
    ]);
    expectError(await update(mona, max, { full_name: 'Other' }), 'Insufficient permission');
    expectError(await update(adam, max, { full_name: 'M' }), 'Name too short!');
  });

  it('of an owner, or of a bot that is one, is for owners alone, on every way', async () => {
    const { olivia, adam, mia, max, robo } = app.cast;
    await changeAccount(app, robo, { role: Role.owner });
    const changes = { full_name: 'Somebody Else' };
    expectError(await update(adam, olivia, changes), ...MUST_BE_OWNER);
    expectError(await update(adam, olivia, { profile_data: [] }), ...MUST_BE_OWNER);
    expectError(await app.as(adam).patch(`/users/${olivia.email}`, changes), ...MUST_BE_OWNER);
    expectError(await update(adam, robo, changes), ...MUST_BE_OWNER);
    expectError(await update(mia, robo, changes), ...MUST_BE_OWNER);
    expectError(await update(max, olivia, changes), 'Insufficient permission');
    expectSuccess(await update(olivia, robo, { full_name: 'Robo the Bot' }));
    await changeAccount(app, robo, { role: Role.member, canCreateUsers: true });
    expectError(await update(adam, robo, changes), ...MUST_BE_OWNER);
    await changeAccount(app, robo, { canCreateUsers: false });
    await changeAccount(app, max, { canCreateUsers: true });
    expectSuccess(await update(adam, max, { full_name: 'Max Member' }));
    await changeAccount(app, max, { canCreateUsers: false });
    expectSuccess(await update(olivia, olivia, { full_name: 'Olivia Owner' }));
  });

  it('keeps its name where the organization says so, but for administrators', async () => {
    const { adam, max } = app.cast;
    expectSuccess(await app.as(adam).patch('/realm', { name_changes_disabled: true }));
    expectError(await update(max, max, { full_name: 'Other Name' }), 'Insufficient permission');
    expectSuccess(await update(adam, max, { full_name: 'Other Name' }));
    expectSuccess(await update(adam, max, { full_name: 'Max Member' }));
    expectSuccess(await app.as(adam).patch('/realm', { name_changes_disabled: false }));
  });

  it('gets another address only from owners who may change addresses', async () => {
    const { olivia, adam, max } = app.cast;
    expectError(await update(adam, max, { new_email: 'maxi@example.com' }), ...MUST_BE_OWNER);
    expectError(await update(olivia, max, { new_email: 'nonsense' }), 'Enter a valid email address.');
    expectError(await update(olivia, max, { new_email: 'mia@example.com' }), 'Email is already in use.');
    expectSuccess(await update(olivia, max, { new_email: 'maxi@example.com' }));
    expectSuccess(
      await app.client({ email: 'maxi@example.com', apiKey: apiKeyOf(app, max) }).get('/users/me'),
    );
    expectSuccess(await update(olivia, max, { new_email: 'max@example.com' }));
    await changeAccount(app, adam, { role: Role.owner });
    expectError(
      await update(adam, max, { new_email: 'maxi@example.com' }),
      'User not authorized to change user emails',
    );
    await changeAccount(app, adam, { canCreateUsers: true });
    expectSuccess(await update(adam, max, { new_email: 'maxi@example.com' }));
    expectSuccess(await update(adam, max, { new_email: 'max@example.com' }));
    await changeAccount(app, adam, { role: Role.administrator, canCreateUsers: false });
  });

  it('is found by its address as well, where that is visible', async () => {
    const { adam, max, mia } = app.cast;
    await changeAccount(app, max, { emailVisibility: 4 });
    expectError(await app.as(adam).patch('/users/max@example.com', { full_name: 'Other' }), 'No such user');
    const placeholder = `/users/user${max.id}@chat.example.com`;
    expectSuccess(await app.as(adam).patch(placeholder, { full_name: 'Max M.' }));
    await changeAccount(app, max, { emailVisibility: 1 });
    expectSuccess(await app.as(adam).patch('/users/max@example.com', { full_name: 'Max Member' }));
    expectError(await app.as(mia).patch('/users/max@example.com', {}), 'Insufficient permission');
  });

  it('changes as a whole or not at all', async () => {
    const { olivia, max } = app.cast;
    const parameters = { role: 300, full_name: 'Half Done', new_email: 'mia@example.com' };
    expectError(await update(olivia, max, parameters), 'Email is already in use.');
    expect(app.get(AccountDirectory).byId(max.id)).toMatchObject({ role: 400, fullName: 'Max Member' });
  });

  it('can be deactivated and still be changed', async () => {
    const { adam } = app.cast;
    const gone = await app.addAccount({
      deliveryEmail: 'left@example.com',
      fullName: 'Left Us',
      role: Role.member,
    });
    await changeAccount(app, gone, { isActive: false });
    expectSuccess(await update(adam, gone, { full_name: 'Left Long Ago' }));
  });

  it('has to be there', async () => {
    expectError(await app.as(app.cast.adam).patch('/users/999999', { role: 400 }), 'No such user');
  });
});
