import { Role } from '../../src/platform/actor';
import { AccountDirectory } from '../../src/features/users/accounts/account.directory';
import type { Member } from '../support/cast';
import { createChannelWith, subscribersOf } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { peopleAlone } from '../support/group-setup';
import { fetchIds, fetchMessages, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';

/** What a bot loses together with the person who owns it. */

let app: TestApp;
let bots = 0;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

const roleOf = ({ id }: Member) => app.get(AccountDirectory).byId(id)?.role;
const narrowTo = (channel: number) => [{ operator: 'channel', operand: channel }];

/** A new bot of somebody's. */
function botOf(owner: Member, role: Role = Role.member): Promise<Member> {
  const name = `helper ${++bots}`;
  return app.addAccount({
    deliveryEmail: `helper${bots}-bot@example.com`,
    fullName: name,
    isBot: true,
    botType: 1,
    botOwnerId: owner.id,
    role,
  });
}

describe('A bot in a private channel', () => {
  const remove = (by: Member, name: string, who: readonly Member[]) =>
    app.as(by).delete('/users/me/subscriptions', {
      subscriptions: [name],
      principals: who.map(({ id }) => id),
    });

  it('leaves it with its owner, who could go on reading by its key', async () => {
    const { mia, max } = app.cast;
    const [own, foreign] = [await botOf(max), await botOf(mia)];
    const channel = await createChannelWith(app, mia, [max, own, foreign], 'team', { invite_only: true });
    const message = await sendTo(app, mia, channel, 'a');
    await expect(fetchIds(app, own, narrowTo(channel))).resolves.toContain(message);
    const answer = expectSuccess(await remove(app.cast.olivia, 'team', [max]));
    expect(answer).toMatchObject({ removed: ['team'], not_removed: [] });
    await expect(subscribersOf(app, channel)).resolves.toEqual([mia.id, foreign.id]);
    expect((await fetchMessages(app, own, narrowTo(channel))).body.code).toBe('BAD_NARROW');
    expectError(await app.as(own).get(`/messages/${message}`), 'Invalid message(s)');
  });

  it('leaves it with an owner who leaves, too, and comes back by somebody who is in it', async () => {
    const { mia, max } = app.cast;
    const bot = await botOf(max);
    const channel = await createChannelWith(app, mia, [max, bot], 'project', { invite_only: true });
    const left = await app.as(max).delete('/users/me/subscriptions', { subscriptions: ['project'] });
    expect(expectSuccess(left).removed).toEqual(['project']);
    await expect(subscribersOf(app, channel)).resolves.toEqual([mia.id]);
    const subscriptions = [{ name: 'project' }];
    expectSuccess(await app.as(mia).post('/users/me/subscriptions', { subscriptions, principals: [bot.id] }));
    await expect(subscribersOf(app, channel)).resolves.toEqual([mia.id, bot.id]);
    expectSuccess(await remove(mia, 'project', [mia]));
    await expect(subscribersOf(app, channel)).resolves.toEqual([bot.id]);
  });

  it('does not come back to it with its account', async () => {
    const { mia, max, olivia } = app.cast;
    const bot = await botOf(max);
    const channel = await createChannelWith(app, mia, [max, bot], 'plans', { invite_only: true });
    expectSuccess(await app.as(max).delete(`/bots/${bot.id}`));
    expectSuccess(await remove(olivia, 'plans', [max]));
    expectSuccess(await app.as(olivia).post(`/users/${bot.id}/reactivate`));
    await expect(subscribersOf(app, channel)).resolves.toEqual([mia.id]);
  });

  it('stays where its owner can still read, and in public channels', async () => {
    const { mia, max, olivia } = app.cast;
    const bot = await botOf(max);
    const options = { invite_only: true, can_subscribe_group: peopleAlone(max) };
    const half = await createChannelWith(app, mia, [max, bot], 'half open', options);
    const open = await createChannelWith(app, mia, [max, bot], 'open');
    const closed = await createChannelWith(app, mia, [max, bot], 'closed', { invite_only: true });
    const subscriptions = ['half open', 'open', 'closed'];
    const parameters = { subscriptions, principals: [max.id] };
    expectSuccess(await app.as(olivia).delete('/users/me/subscriptions', parameters));
    await expect(subscribersOf(app, half)).resolves.toEqual([mia.id, bot.id]);
    await expect(subscribersOf(app, open)).resolves.toEqual([mia.id, bot.id]);
    await expect(subscribersOf(app, closed)).resolves.toEqual([mia.id]);
  });
});

describe('The role of a bot', () => {
  const setRole = (by: Member, who: Member, role: Role) => app.as(by).patch(`/users/${who.id}`, { role });

  it('comes down with that of its owner, and does not go up with it', async () => {
    const { olivia, adam, mia } = app.cast;
    const person = await app.addAccount({
      deliveryEmail: 'p1@example.com',
      fullName: 'Person One',
      role: Role.member,
    });
    const [plain, strong] = [await botOf(person), await botOf(person, Role.administrator)];
    const channel = await createChannelWith(app, mia, [], 'for members');
    expectSuccess(await fetchMessages(app, plain, narrowTo(channel)));
    const events = await app.captureEvents(async () => {
      expectSuccess(await setRole(adam, person, Role.guest));
    });
    const roles = events.flatMap(({ event: { person: changed } }) => (changed?.role ? [changed] : []));
    expect(roles).toEqual([person, plain, strong].map(({ id }) => ({ user_id: id, role: Role.guest })));
    expect([plain, strong].map(roleOf)).toEqual([Role.guest, Role.guest]);
    expect((await fetchMessages(app, plain, narrowTo(channel))).body.code).toBe('BAD_NARROW');
    expectSuccess(await setRole(olivia, person, Role.administrator));
    expect([plain, strong].map(roleOf)).toEqual([Role.guest, Role.guest]);
    expectSuccess(await app.as(adam).patch(`/bots/${strong.id}`, { role: Role.moderator }));
    expectSuccess(await setRole(olivia, person, Role.moderator));
    expectSuccess(await setRole(adam, person, Role.member));
    expect(roleOf(strong)).toBe(Role.member);
  });

  it('is that of no owner any more once its owner is none', async () => {
    const { olivia, adam } = app.cast;
    const person = await app.addAccount({
      deliveryEmail: 'p2@example.com',
      fullName: 'Person Two',
      role: Role.owner,
    });
    const bot = await botOf(person, Role.owner);
    expectSuccess(await setRole(olivia, person, Role.administrator));
    expect(roleOf(bot)).toBe(Role.administrator);
    expectSuccess(await app.as(olivia).patch(`/bots/${bot.id}`, { role: Role.owner }));
    expectSuccess(await setRole(adam, person, Role.member));
    expect(roleOf(bot)).toBe(Role.owner);
    expectSuccess(await app.as(olivia).patch(`/bots/${bot.id}`, { role: Role.member }));
  });

  it('comes down for a new owner, unless the request says what it is to be', async () => {
    const { max, adam, gus } = app.cast;
    const bot = await botOf(max);
    expectSuccess(await app.as(max).patch(`/bots/${bot.id}`, { bot_owner_id: gus.id }));
    expect(roleOf(bot)).toBe(Role.guest);
    const back = { bot_owner_id: max.id, role: Role.moderator };
    expectSuccess(await app.as(adam).patch(`/bots/${bot.id}`, back));
    expect(roleOf(bot)).toBe(Role.moderator);
  });
});
