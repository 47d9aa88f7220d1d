import { Role } from '../../src/platform/actor';
import { AccountDirectory } from '../../src/features/users/accounts/account.directory';
import { changeAccount } from '../support/account-setup';
import type { Member } from '../support/cast';
import { createChannel, subscribersOf } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { TestApp } from '../support/test-app';

let app: TestApp;

const startApp = async () => {
  app = await TestApp.start();
};
const stopApp = () => app.stop();

const everybody = () => [...app.get(AccountDirectory).active.ids()];
const isActive = (member: Pick<Member, 'id'>) => app.get(AccountDirectory).byId(member.id)?.isActive;
const person = (name: string, role: Role = Role.member) =>
  app.addAccount({ deliveryEmail: `${name}@example.com`, fullName: `${name} name`, role });
const botOf = (owner: Member, name: string) =>
  app.addAccount({
    deliveryEmail: `${name}-bot@example.com`,
    fullName: `${name} bot`,
    role: Role.member,
    isBot: true,
    botType: 1,
    botOwnerId: owner.id,
  });

const LAST_OWNER = {
  code: 'CANNOT_DEACTIVATE_LAST_USER',
  data: { is_last_owner: true, entity: 'organization owner' },
};

describe('Leaving', () => {
  beforeAll(startApp);
  afterAll(stopApp);

  it('deactivates oneself, and one’s bots before [EP11-parameters, EP11-response, STATE-user-deactivate, USER-is_active]', async () => {
    const { mia, robo, max } = app.cast;
    const channel = await createChannel(app, mia, 'mias place');
    expectSuccess(
      await app.as(mia).post('/users/me/subscriptions', {
        subscriptions: [{ name: 'mias place' }],
        principals: [max.id, robo.id],
      }),
    );
    const client = app.as(mia);
    const before = everybody();
    const events = await app.captureEvents(async () => {
      const answer = await client.delete('/users/me', { reason: 'x' });
      expect(expectSuccess(answer, { ignored: ['reason'] })).toEqual({
        result: 'success',
        msg: '',
        ignored_parameters_unsupported: ['reason'],
      });
    });
    expect([isActive(mia), isActive(robo)]).toEqual([false, false]);
    expectError(await client.get('/users/me'), 'Account is deactivated', {
      status: 401,
      code: 'UNAUTHORIZED',
    });
    await expect(subscribersOf(app, channel)).resolves.toEqual([max.id]);
    const { user } = expectSuccess(await app.as(max).get(`/users/${mia.id}`));
    expect(user).toMatchObject({ is_active: false, full_name: 'Mia Member' });

    const told = events.map(({ event, audience }) => [event, audience]);
    for (const { id } of [robo, mia]) {
      expect(told).toContainEqual([
        { type: 'subscription', op: 'peer_remove', stream_ids: [channel], user_ids: [id] },
        expect.arrayContaining([max.id]),
      ]);
    }
    // Clients take both out of their groups by themselves.
    expect(events.filter(({ event }) => event.type === 'user_group')).toEqual([]);
    expect(told.filter(([event]) => (event as { type: string }).type === 'realm_user')).toEqual([
      [{ type: 'realm_user', op: 'update', person: { user_id: robo.id, is_active: false } }, before],
      [{ type: 'realm_user', op: 'update', person: { user_id: mia.id, is_active: false } }, before],
    ]);
  });

  it('is open to bots', async () => {
    const bot = await botOf(app.cast.max, 'leaving');
    expectSuccess(await app.as(bot).delete('/users/me'));
    expect([isActive(bot), isActive(app.cast.max)]).toEqual([false, true]);
  });
});

describe('Leaving as one of the last', () => {
  beforeEach(startApp);
  afterEach(stopApp);

  it('is refused to the only owner [EP11-R1, STATE-user-last, ERR-CANNOT_DEACTIVATE_LAST_USER]', async () => {
    const { olivia } = app.cast;
    expectError(
      await app.as(olivia).delete('/users/me'),
      'Cannot deactivate the only organization owner.',
      LAST_OWNER,
    );
    expect(isActive(olivia)).toBe(true);
  });

  it('is refused to the only user [EP11-R2, STATE-user-last, ERR-CANNOT_DEACTIVATE_LAST_USER]', async () => {
    const { olivia } = app.cast;
    for (const member of Object.values(app.cast)) {
      if (member.id !== olivia.id) await changeAccount(app, member, { isActive: false });
    }
    expectError(await app.as(olivia).delete('/users/me'), 'Cannot deactivate the only user.', {
      code: 'CANNOT_DEACTIVATE_LAST_USER',
      data: { is_last_owner: false, entity: 'user' },
    });
    expect(isActive(olivia)).toBe(true);
  });

  it('counts bots as users, but not as owners [EP11-R1]', async () => {
    const { olivia, robo } = app.cast;
    await changeAccount(app, robo, { role: Role.owner });
    for (const member of Object.values(app.cast)) {
      if (![olivia.id, robo.id].includes(member.id)) await changeAccount(app, member, { isActive: false });
    }
    expectError(
      await app.as(olivia).delete('/users/me'),
      'Cannot deactivate the only organization owner.',
      LAST_OWNER,
    );
  });

  it('lets one of two owners go, also when both leave at the same instant [STATE-user-last]', async () => {
    const owners = [app.cast.olivia, await person('otto', Role.owner), await person('oda', Role.owner)];
    const clients = owners.map((owner) => app.as(owner));
    const answers = await Promise.all(clients.map((client) => client.delete('/users/me')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 400]);
    expect(owners.filter(isActive)).toHaveLength(1);
  });

  it('lets one of two owners go when each deactivates the other [STATE-user-last]', async () => {
    const owners = [app.cast.olivia, await person('otto', Role.owner)] as const;
    const clients = owners.map((owner) => app.as(owner));
    await Promise.all([
      clients[0]?.delete(`/users/${owners[1].id}`),
      clients[1]?.delete(`/users/${owners[0].id}`),
    ]);
    expect(owners.filter(isActive)).toHaveLength(1);
  });
});

describe('Deactivating others', () => {
  beforeAll(startApp);
  afterAll(stopApp);

  it('is for administrators, and of owners for owners', async () => {
    const { adam, olivia, mia, max, mona } = app.cast;
    const otto = await person('otto', Role.owner);
    expectError(await app.as(mona).delete(`/users/${max.id}`), 'Insufficient permission');
    expectError(await app.as(max).delete(`/users/${max.id}`), 'Insufficient permission');
    expectError(await app.as(adam).delete(`/users/${otto.id}`), 'Must be an organization owner', {
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
    expectSuccess(await app.as(olivia).delete(`/users/${otto.id}`));
    expectSuccess(await app.as(adam).delete(`/users/${mia.id}`));
    expect([isActive(otto), isActive(mia), isActive(app.cast.robo)]).toEqual([false, false, false]);
    expectError(await app.as(adam).delete(`/users/${mia.id}`), 'User is deactivated');
    expectError(await app.as(adam).delete(`/users/${app.cast.robo.id}`), 'No such user');
    expectError(await app.as(adam).delete('/users/999999'), 'No such user');
    expectError(
      await app.as(olivia).delete(`/users/${olivia.id}`),
      'Cannot deactivate the only organization owner',
    );
  });
});

describe('Deactivating with a wish to delete', () => {
  beforeAll(startApp);
  afterAll(stopApp);

  it('is refused, as nothing would be deleted', async () => {
    const { adam, max } = app.cast;
    for (const action of [
      'delete_profile',
      'delete_public_channel_messages',
      'delete_private_channel_messages',
      'delete_direct_messages',
    ]) {
      expectError(
        await app.as(adam).delete(`/users/${max.id}`, { actions: { [action]: true } }),
        `Deactivating a user deletes nothing. ${action} is not supported.`,
      );
    }
    for (const value of [true, false]) {
      expectError(
        await app.as(adam).delete(`/users/${max.id}`, { actions: { delete_messages: value } }),
        'Argument "delete_messages" at actions["delete_messages"] is unexpected',
      );
    }
    expect(isActive(max)).toBe(true);
    expectSuccess(await app.as(adam).delete(`/users/${max.id}`, { actions: { delete_profile: false } }));
    expect(isActive(max)).toBe(false);
  });
});

describe('Coming back', () => {
  beforeAll(startApp);
  afterAll(stopApp);

  const reactivate = (actor: Member, target: Pick<Member, 'id'>) =>
    app.as(actor).post(`/users/${target.id}/reactivate`);

  it('restores groups and subscriptions [STATE-user-reactivate]', async () => {
    const { adam, mia } = app.cast;
    const paul = await person('paul');
    const channel = await createChannel(app, mia, 'place', { principals: [mia.id, paul.id] });
    expectSuccess(await app.as(adam).delete(`/users/${paul.id}`));
    await expect(subscribersOf(app, channel)).resolves.toEqual([mia.id]);
    const events = await app.captureEvents(async () => {
      expectSuccess(await reactivate(adam, paul));
      expectSuccess(await reactivate(adam, paul));
    });
    await expect(subscribersOf(app, channel)).resolves.toEqual([mia.id, paul.id]);
    expect(events.map(({ event }) => event)).toEqual(
      expect.arrayContaining([
        { type: 'realm_user', op: 'update', person: { user_id: paul.id, is_active: true } },
        { type: 'subscription', op: 'peer_add', stream_ids: [channel], user_ids: [paul.id] },
        expect.objectContaining({ type: 'user_group', op: 'add_members', user_ids: [paul.id] }),
      ]),
    );
    expect(events.filter(({ event }) => event.type === 'realm_user')).toHaveLength(1);
    expectSuccess(await app.as(paul).get('/users/me'));
  });

  it('is for administrators, and for owners of bots', async () => {
    const { adam, mia, mona, robo, max } = app.cast;
    const pia = await person('pia');
    expectSuccess(await app.as(mia).delete(`/bots/${robo.id}`));
    expectError(await reactivate(max, robo), 'Insufficient permission');
    expectSuccess(await reactivate(mia, robo));
    expectSuccess(await app.as(adam).delete(`/users/${pia.id}`));
    expectError(await reactivate(mona, pia), 'Insufficient permission');
    expectError(await reactivate(adam, { id: 999_999 }), 'No such user');
  });

  it('is of owners for owners, bots that are one among them, which their makers cannot bring back either', async () => {
    const { adam, olivia, mia } = app.cast;
    const otto = await person('otto', Role.owner);
    const bot = await botOf(mia, 'ruling');
    expectSuccess(await app.as(olivia).patch(`/bots/${bot.id}`, { role: Role.owner }));
    expectSuccess(await app.as(olivia).delete(`/bots/${bot.id}`));
    expectSuccess(await app.as(olivia).delete(`/users/${otto.id}`));
    const refusal = { code: 'UNAUTHORIZED_PRINCIPAL' };
    expectError(await reactivate(adam, otto), 'Must be an organization owner', refusal);
    expectError(await reactivate(adam, bot), 'Must be an organization owner', refusal);
    expectError(await reactivate(mia, bot), 'Must be an organization owner', refusal);
    expect([isActive(otto), isActive(bot)]).toEqual([false, false]);
    expectSuccess(await reactivate(olivia, otto));
    expectSuccess(await reactivate(olivia, bot));
  });

  it('ends the key and the registrations from before', async () => {
    const { adam } = app.cast;
    const kim = await person('kim');
    const bot = await botOf(kim, 'kims');
    const before = [app.as(kim), app.as(bot)] as const;
    expectSuccess(await before[0].post('/users/me/android_gcm_reg_id', { token: 'stolen' }));
    expectSuccess(await app.as(adam).delete(`/users/${kim.id}`));
    expectError(await before[0].get('/users/me'), 'Account is deactivated', {
      status: 401,
      code: 'UNAUTHORIZED',
    });
    expectSuccess(await reactivate(adam, kim));
    expectSuccess(await reactivate(adam, bot));
    for (const client of before) {
      expectError(await client.get('/users/me'), 'Invalid API key', { status: 401, code: 'UNAUTHORIZED' });
    }
    expectSuccess(await app.as(kim).get('/users/me'));
    expectError(
      await app.as(kim).delete('/users/me/android_gcm_reg_id', { token: 'stolen' }),
      'Token does not exist',
    );
  });

  it('gives an orphaned bot to whoever brings it back', async () => {
    const { adam } = app.cast;
    const owner = await person('owner');
    const orphan = await botOf(owner, 'orphan');
    expectSuccess(await app.as(owner).delete('/users/me'));
    const events = await app.captureEvents(async () => {
      expectSuccess(await reactivate(adam, orphan));
    });
    expect(events.map(({ event }) => event)).toContainEqual({
      type: 'realm_user',
      op: 'update',
      person: { user_id: orphan.id, bot_owner_id: adam.id },
    });
    const { user } = expectSuccess(await app.as(adam).get(`/users/${orphan.id}`));
    expect(user).toMatchObject({ is_active: true, bot_owner_id: adam.id });
  });

  it('is refused to a bot whose name is taken, and to whoever was removed for good', async () => {
    const { adam, max } = app.cast;
    const bot = await botOf(max, 'twin');
    expectSuccess(await app.as(max).delete(`/bots/${bot.id}`));
    expectSuccess(await app.as(max).post('/bots', { full_name: bot.fullName, short_name: 'other' }));
    expect((await reactivate(max, bot)).body.msg).toMatch(/^There is already an active bot named "twin bot"/);
    const gone = await person('gone');
    await changeAccount(app, gone, { isActive: false, isDeleted: true });
    expectError(await reactivate(adam, gone), 'User is deleted');
  });
});

describe('Leaving with bots', () => {
  beforeAll(startApp);
  afterAll(stopApp);

  it('takes all of them out of the permissions that are given one by one', async () => {
    const { adam, max, olivia } = app.cast;
    const pia = await person('pia');
    const bots = [await botOf(pia, 'first'), await botOf(pia, 'second')];
    const holders = { direct_members: [max, pia, ...bots].map(({ id }) => id), direct_subgroups: [] };
    expectSuccess(await app.as(olivia).patch('/realm', { can_create_groups: { new: holders } }));
    await app.expectLaw(async () => expectSuccess(await app.as(adam).delete(`/users/${pia.id}`)));
    expect(bots.map(isActive)).toEqual([false, false]);
  });
});
