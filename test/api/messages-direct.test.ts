import { GroupDirectory } from '../../src/features/user-groups/groups/group.directory';
import type { Parameters } from '../support/api-client';
import { changeAccount } from '../support/account-setup';
import type { Member } from '../support/cast';
import { expectError, expectSuccess } from '../support/expect-answer';
import { fetchMessage, sendDirect } from '../support/message-setup';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

const send = (who: Member, to: unknown, parameters: Parameters = {}) =>
  app.as(who).post('/messages', { type: 'direct', to, content: 'hello', ...parameters });

/** Sets a permission of the organization. */
const permit = async (setting: string, value: unknown) =>
  expectSuccess(await app.as(app.cast.olivia).patch('/realm', { [setting]: { new: value } }));

const people = (message: { display_recipient: { id: number }[] }) =>
  message.display_recipient.map(({ id }) => id);

const only = (...members: Member[]) => ({
  direct_members: members.map(({ id }) => id),
  direct_subgroups: [],
});

describe('addressing people', () => {
  it.each<[string, (max: Member) => unknown]>([
    ['a list of IDs', (max) => [max.id]],
    ['a list of addresses', (max) => [max.email, ` ${max.email} `]],
    ['addresses joined by commas', (max) => `${max.email}, mia@example.com`],
    ['one JSON-quoted address', (max) => JSON.stringify(max.email)],
    ['the sender among them', (max) => [max.id, app.cast.mia.id]],
    ['an address in another case', (max) => max.email.toUpperCase()],
  ])('accepts %s', async (_, to) => {
    const { mia, max } = app.cast;
    const { id } = expectSuccess(await send(mia, to(max)));
    const message = await fetchMessage(app, max, id);
    expect(message).toMatchObject({ type: 'private', subject: '', topic_links: [] });
    expect(message).not.toHaveProperty('stream_id');
    expect(people(message)).toEqual([max.id, mia.id]);
  });

  it('accepts both words for the type', async () => {
    expectSuccess(await send(app.cast.mia, [app.cast.max.id], { type: 'private' }));
  });

  it.each([
    ['7', 'Invalid data type for recipients'],
    ['[1, "a@example.com"]', 'Recipient lists may contain emails or user IDs, but not both.'],
    ['[]', 'Message must have recipients'],
    ['', 'Message must have recipients'],
    [undefined, 'Message must have recipients'],
    ['nobody@example.com', "Invalid email 'nobody@example.com'"],
    ['[99999]', 'Invalid user ID 99999'],
  ])('refuses %j', async (to, message) => {
    expectError(await send(app.cast.mia, to), message);
  });

  it('finds people by their placeholder addresses, and by real ones only where these may be seen', async () => {
    const { mia, mona } = app.cast;
    await changeAccount(app, mona, { emailVisibility: 3 });
    const placeholder = `user${mona.id}@example.com`;
    const { email } = expectSuccess(await app.as(mia).get(`/users/${mona.id}`)).user;
    expect(email).toMatch(new RegExp(`^${placeholder.split('@')[0]}@`));
    const { id } = expectSuccess(await send(mia, email));
    expect(people(await fetchMessage(app, mona, id))).toEqual([mona.id, mia.id].sort((a, b) => a - b));
    expectError(await send(mia, mona.email), `Invalid email '${mona.email}'`);
    expectSuccess(await send(app.cast.adam, mona.email));
    await changeAccount(app, mona, { emailVisibility: 1 });
  });
});

describe('a conversation', () => {
  it('of two shows both directions under one recipient ID, and is for those two only', async () => {
    const { mia, max, adam } = app.cast;
    const there = await fetchMessage(app, max, await sendDirect(app, mia, [max]));
    const back = await fetchMessage(app, max, await sendDirect(app, max, [mia]));
    expect(back.recipient_id).toBe(there.recipient_id);
    expectError(await app.as(adam).get(`/messages/${there.id}`), 'Invalid message(s)');
  });

  it('of several is the same for the same people, whoever sends', async () => {
    const { mia, max, mona, adam } = app.cast;
    const first = await fetchMessage(app, mona, await sendDirect(app, mia, [max, mona]));
    const second = await fetchMessage(app, mona, await sendDirect(app, mona, [mia, max]));
    const other = await fetchMessage(app, mona, await sendDirect(app, mona, [mia, max, adam]));
    expect(second.recipient_id).toBe(first.recipient_id);
    expect(other.recipient_id).not.toBe(first.recipient_id);
    expect(first.display_recipient).toEqual(
      [max, mia, mona]
        .sort((a, b) => a.id - b.id)
        .map(({ id, email, fullName }) => ({ id, email, full_name: fullName, is_mirror_dummy: false })),
    );
  });

  it('with oneself is a place for notes', async () => {
    const { mia } = app.cast;
    const message = await fetchMessage(app, mia, await sendDirect(app, mia, [mia]));
    expect(people(message)).toEqual([mia.id]);
  });

  it('may have hundreds of people', async () => {
    const { mia } = app.cast;
    const everybody: Pick<Member, 'id'>[] = [];
    for (let i = 0; i < 150; i++) {
      const account = { deliveryEmail: `many${i}@example.com`, fullName: `Many ${i}`, role: 400 as const };
      everybody.push(await app.addAccount(account));
    }
    const one = await fetchMessage(app, mia, await sendDirect(app, mia, everybody));
    const two = await fetchMessage(app, mia, await sendDirect(app, mia, [...everybody].reverse()));
    expect(one.display_recipient).toHaveLength(151);
    expect(two.recipient_id).toBe(one.recipient_id);
  });

  it('tells its members, the sender included, and nobody else', async () => {
    const { mia, max, robo } = app.cast;
    const events = await app.captureEvents(() => sendDirect(app, mia, [max, robo], 'psst @**Max Member**'));
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      audience: [max.id, mia.id, robo.id].sort((a, b) => a - b),
      event: { type: 'message', flags: [], message: { type: 'private', sender_id: mia.id } },
      options: { personal: new Map([[max.id, { flags: ['mentioned'] }]]) },
    });
  });

  it('can be had with bots, the system bots included', async () => {
    const { mia, robo } = app.cast;
    expectSuccess(await send(mia, [robo.id]));
    expectSuccess(await send(robo, [mia.id]));
  });

  it('cannot be had with somebody who left', async () => {
    const { mia } = app.cast;
    const account = { deliveryEmail: 'gone@example.com', fullName: 'Gone Girl', role: 400 as const };
    const gone = await app.addAccount(account);
    await changeAccount(app, gone, { isActive: false });
    expectError(await send(mia, [gone.id, app.cast.max.id]), "'gone@example.com' is no longer using Zulip.");
  });
});

describe('the organization', () => {
  it('may switch direct messages off, but not those with bots', async () => {
    const { mia, max, robo } = app.cast;
    await permit('direct_message_permission_group', app.get(GroupDirectory).systemGroupId('role:nobody'));
    expectError(await send(mia, [max.id]), 'Direct messages are disabled in this organization.');
    expectSuccess(await send(mia, [robo.id]));
    expectSuccess(await send(mia, [mia.id]));
    expectSuccess(await send(robo, [max.id]));
    await permit('direct_message_permission_group', app.get(GroupDirectory).systemGroupId('role:everyone'));
  });

  it('may ask for somebody who authorizes the conversation', async () => {
    const { mia, max, mona } = app.cast;
    await permit('direct_message_permission_group', only(mona));
    expectError(
      await send(mia, [max.id]),
      'This conversation does not include any users who can authorize it.',
    );
    expectSuccess(await send(mia, [max.id, mona.id]));
    await permit('direct_message_permission_group', app.get(GroupDirectory).systemGroupId('role:everyone'));
  });

  it('may say who starts conversations; others can only go on with them', async () => {
    const { mia, max, adam, gus } = app.cast;
    await permit('direct_message_initiator_group', only(adam));
    expectError(
      await send(mia, [gus.id]),
      'You do not have permission to initiate direct message conversations.',
    );
    expectSuccess(await send(mia, [max.id]));
    expectSuccess(await send(adam, [gus.id]));
    expectSuccess(await send(gus, [adam.id]));
    await permit('direct_message_initiator_group', app.get(GroupDirectory).systemGroupId('role:everyone'));
  });

  it('may keep people out of the sight of guests', async () => {
    const { gus, mona } = app.cast;
    await permit('can_access_all_users_group', app.get(GroupDirectory).systemGroupId('role:members'));
    expectError(await send(gus, [mona.id]), 'You do not have permission to access some of the recipients.');
    expectSuccess(await send(mona, [gus.id]));
    expectSuccess(await send(gus, [mona.id]));
    await permit('can_access_all_users_group', app.get(GroupDirectory).systemGroupId('role:everyone'));
  });
});
