import { Role } from '../../src/platform/actor';
import { AccountDirectory } from '../../src/features/users/accounts/account.directory';
import { apiKeyOf, changeAccount } from '../support/account-setup';
import { addAccount, PASSWORD, type Member } from '../support/cast';
import { createChannel } from '../support/channel-setup';
import type { CompanionClient } from '../support/companion-client';
import { expectSuccess } from '../support/expect-answer';
import { makeGroup, peopleAlone, systemGroupId } from '../support/group-setup';
import { TestApp } from '../support/test-app';

const STRONG = 'seven green umbrellas';

let app: TestApp;
let owner: CompanionClient;
let administrator: CompanionClient;
let counter = 0;

beforeEach(async () => {
  app = await TestApp.start();
  owner = await app.companionAs(app.cast.olivia);
  administrator = await app.companionAs(app.cast.adam);
});

afterEach(() => app.stop());

const person = (role: Role = Role.member) =>
  addAccount(app.nest, {
    deliveryEmail: `person${++counter}@example.com`,
    fullName: `Person ${counter}`,
    role,
  });
const account = ({ id }: Pick<Member, 'id'>) => app.get(AccountDirectory).byId(id);
const change = (client: CompanionClient, { id }: Pick<Member, 'id'>, body: object) =>
  client.patch(`/auth/users/${id}`, body);

describe('Changing people', () => {
  it('changes name, role, rights and password at once [COMP-users-change]', async () => {
    const { max } = app.cast;
    const key = apiKeyOf(app, max);
    const session = await app.companionAs(max);
    const answer = await app.expectLaw(() =>
      change(owner, max, {
        full_name: ' Maximilian ',
        role: ' Admin',
        can_create_users: true,
        password: STRONG,
      }),
    );
    expect(answer).toMatchObject({
      status: 200,
      body: { full_name: 'Maximilian', role: 'administrator', can_create_users: true, is_active: true },
    });
    expect((await session.get('/auth/me')).status).toBe(401);
    expect((await app.companion().post('/auth/login', { email: max.email, password: PASSWORD })).status).toBe(
      401,
    );
    const again = await app.companion().signIn(max.email, STRONG);
    expect((await again.get('/auth/users')).status).toBe(200);
    expect(apiKeyOf(app, max)).toBe(key);
    expectSuccess(await app.as(max).get('/users/me'));
  });

  it('changes nothing where one thing is refused [COMP-users-change]', async () => {
    const { max, adam } = app.cast;
    const before = account(max);
    const refused = [
      [administrator, { full_name: 'Else', role: 'owner' }, 403],
      [administrator, { full_name: 'Else', can_create_users: true }, 403],
      [owner, { role: 'guest', password: 'password' }, 400],
      [owner, { role: 'guest', full_name: '<*>' }, 400],
      [owner, { role: 'guest', email: 'x@example.com' }, 422],
      [owner, { role: 'guest', is_active: 'no' }, 422],
    ] as const;
    for (const [client, body, status] of refused) {
      expect(await change(client, max, body)).toMatchObject({ status, body: { detail: expect.anything() } });
    }
    expect(account(max)).toBe(before);
    expect(account(adam)).toMatchObject({ role: Role.administrator });
    expect(await change(owner, max, {})).toMatchObject({ status: 200, body: { full_name: 'Max Member' } });
  });

  it('leaves owners to owners [COMP-users-owners]', async () => {
    const otto = await person(Role.owner);
    const changes = [{ full_name: 'X' }, { role: 'member' }, { is_active: false }, { password: STRONG }, {}];
    for (const body of changes) {
      expect(await change(administrator, otto, body)).toMatchObject({
        status: 403,
        body: { detail: 'Must be an organization owner' },
      });
    }
    expect((await administrator.delete(`/auth/users/${otto.id}`)).status).toBe(403);
    expect(await change(administrator, app.cast.mia, { role: 'owner' })).toMatchObject({ status: 403 });
    expect(await change(owner, otto, { role: 'member' })).toMatchObject({ status: 200 });
    expect(await change(administrator, otto, { role: 'moderator' })).toMatchObject({ status: 200 });
    expect(account(otto)).toMatchObject({ role: Role.moderator, fullName: otto.fullName });
  });

  it('lets nobody lock themselves out [COMP-users-lockout]', async () => {
    const { adam } = app.cast;
    for (const body of [{ is_active: false }, { role: 'member' }, { role: 'moderator' }]) {
      expect(await change(administrator, adam, body)).toMatchObject({
        status: 409,
        body: { detail: expect.stringContaining('would lock you out') },
      });
    }
    expect(await administrator.delete(`/auth/users/${adam.id}`)).toMatchObject({ status: 409 });
    expect(await change(administrator, adam, { password: STRONG })).toMatchObject({ status: 403 });
    expect(await change(administrator, adam, { full_name: 'Adam A.', role: 'admin' })).toMatchObject({
      status: 200,
    });
    expect((await administrator.get('/auth/users')).status).toBe(200);
  });

  it('leaves the last owner [COMP-users-lockout]', async () => {
    const { olivia } = app.cast;
    const detail = 'The owner permission cannot be removed from the only organization owner.';
    expect(await change(owner, olivia, { role: 'admin' })).toMatchObject({ status: 409, body: { detail } });
    expect(await change(owner, olivia, { is_active: false })).toMatchObject({
      status: 409,
      body: { detail: 'Cannot deactivate the only organization owner' },
    });
    expect((await owner.delete(`/auth/users/${olivia.id}`)).status).toBe(409);
    const otto = await person(Role.owner);
    await changeAccount(app, otto, { isActive: false });
    expect((await change(owner, olivia, { role: 'admin' })).status).toBe(409);
    expect((await change(owner, otto, { is_active: true })).status).toBe(200);
    expect(await change(owner, olivia, { role: 'admin' })).toMatchObject({ status: 200 });
    expect(account(olivia)).toMatchObject({ role: Role.administrator });
  });

  it('deactivates and brings back, as the main interface does [COMP-users-change]', async () => {
    const paula = await person(Role.moderator);
    expect((await change(owner, paula, { password: STRONG })).status).toBe(200);
    await createChannel(app, app.cast.mia, 'place', { principals: [app.cast.mia.id, paula.id] });
    const session = await app.companion().signIn(paula.email, STRONG);
    expectSuccess(await app.as(paula).post('/users/me/status', { status_text: 'here' }));
    await app.expectLaw(async () => {
      expect(await change(administrator, paula, { is_active: false })).toMatchObject({
        status: 200,
        body: { is_active: false },
      });
      expect((await change(administrator, paula, { is_active: false })).status).toBe(200);
    });
    expect((await session.get('/auth/me')).status).toBe(401);
    expect((await app.as(paula).get('/users/me')).status).toBe(401);
    await app.expectLaw(async () => {
      expect(await change(administrator, paula, { is_active: true, role: 'guest' })).toMatchObject({
        status: 200,
        body: { is_active: true, role: 'guest' },
      });
    });
    expectSuccess(await app.as(paula).get('/users/me'));
    await app.expectLaw(async () => {
      expect((await change(administrator, paula, { is_active: false, role: 'admin' })).status).toBe(200);
    });
    expect(account(paula)).toMatchObject({ isActive: false, role: Role.administrator });
  });
});

describe('Bots of a person who comes back', () => {
  it('are named where they are still deactivated, and come back on request', async () => {
    const paula = await person(Role.member);
    const bot = (name: string) =>
      app
        .as(paula)
        .post('/bots', { full_name: name, short_name: name.toLowerCase() })
        .then(({ body }) => body.user_id);
    const [one, two] = [await bot('Onebot'), await bot('Twobot')];
    expectSuccess(await app.as(app.cast.adam).delete(`/users/${paula.id}`));
    expect([app.isActive({ id: one }), app.isActive({ id: two })]).toEqual([false, false]);
    expect(await change(administrator, paula, { is_active: true })).toMatchObject({
      status: 200,
      body: {
        is_active: true,
        inactive_bots: [
          { user_id: one, full_name: 'Onebot' },
          { user_id: two, full_name: 'Twobot' },
        ],
      },
    });
    expect(app.isActive({ id: one })).toBe(false);
    // While another bot has the name, this one cannot come back; the other one does.
    await changeAccount(app, { id: two }, { fullName: 'Robo Bot' });
    await app.expectLaw(async () => {
      expect(await change(administrator, paula, { is_active: true, with_bots: true })).toMatchObject({
        status: 200,
        body: { inactive_bots: [{ user_id: two, full_name: 'Robo Bot' }] },
      });
    });
    expect([app.isActive({ id: one }), app.isActive({ id: two })]).toEqual([true, false]);
    expect(account({ id: one })?.botOwnerId).toBe(paula.id);
    expect(
      (await change(administrator, paula, { full_name: 'Paula P.' })).body.inactive_bots,
    ).toBeUndefined();
  });
});

describe('What refers to a person', () => {
  it('keeps owners of bots active [COMP-users-references]', async () => {
    const { mia, robo, max } = app.cast;
    const refused = await change(administrator, mia, { is_active: false, full_name: 'X' });
    expect(refused).toMatchObject({
      status: 409,
      body: {
        detail: 'This person owns the bot Robo Bot. Hand that over first.',
        references: { bots: [{ user_id: robo.id, full_name: 'Robo Bot', is_active: true }] },
      },
    });
    expect(Object.keys(refused.body.references)).toEqual(['bots']);
    expect(account(mia)).toMatchObject({ isActive: true, fullName: 'Mia Member' });
    expectSuccess(await app.as(app.cast.adam).patch(`/bots/${robo.id}`, { bot_owner_id: max.id }), {
      ignored: undefined,
    });
    expect((await change(administrator, mia, { is_active: false })).status).toBe(200);
  });

  it('keeps who alone holds permissions of channels, groups and the organization [COMP-users-references]', async () => {
    const { mia, max, olivia } = app.cast;
    const team = await makeGroup(app, olivia, 'team', { members: [max.id] });
    const circle = await makeGroup(app, olivia, 'circle', { can_manage_group: peopleAlone(max) });
    const channel = await createChannel(app, olivia, 'place', { principals: [olivia.id, max.id, mia.id] });
    expectSuccess(
      await app.as(olivia).patch(`/streams/${channel}`, {
        can_send_message_group: { new: team },
        can_administer_channel_group: { new: peopleAlone(max, mia) },
      }),
    );
    expectSuccess(
      await app.as(olivia).patch('/realm', { can_mention_many_users_group: { new: peopleAlone(max) } }),
    );
    const references = {
      channels: [{ channel_id: channel, name: 'place', settings: ['can_send_message_group'] }],
      user_groups: [{ group_id: circle, name: 'circle', settings: ['can_manage_group'] }],
      organization: { settings: ['can_mention_many_users_group'] },
    };
    expect(await change(administrator, max, { is_active: false })).toMatchObject({
      status: 409,
      body: {
        detail:
          'This person alone holds permissions of the channel place (can_send_message_group), and alone holds ' +
          'permissions of the user group circle (can_manage_group), and alone holds permissions of the ' +
          'organization (can_mention_many_users_group). Hand that over first.',
        references,
      },
    });
    // Guests can post where they are let, and never manage groups.
    const demoted = await change(administrator, max, { role: 'guest' });
    expect(demoted.status).toBe(409);
    expect(demoted.body.references).toEqual({ user_groups: references.user_groups });
    expect((await change(administrator, max, { role: 'moderator' })).status).toBe(200);

    // Who is deactivated holds nothing for others.
    expectSuccess(await app.as(olivia).post(`/user_groups/${team}/members`, { add: [app.cast.mona.id] }));
    expectSuccess(
      await app.as(olivia).patch(`/user_groups/${circle}`, {
        can_manage_group: { new: systemGroupId(app, 'role:moderators') },
      }),
    );
    expectSuccess(
      await app.as(olivia).patch('/realm', { can_mention_many_users_group: { new: peopleAlone(max, mia) } }),
    );
    await changeAccount(app, app.cast.mona, { isActive: false });
    const left = await change(administrator, max, { is_active: false });
    expect(left.body.references).toEqual({ channels: references.channels });
    await changeAccount(app, app.cast.mona, { isActive: true });
    expect((await change(administrator, max, { is_active: false })).status).toBe(200);
  });
});
