import { setTimeout as pause } from 'node:timers/promises';
import { isOwner, Role } from '../../src/platform/actor';
import { Database } from '../../src/platform/database/database.service';
import { TransactionService } from '../../src/platform/database/transaction.service';
import { Passwords } from '../../src/platform/secrets/passwords';
import { AccountDirectory } from '../../src/features/users/accounts/account.directory';
import { addAccount, PASSWORD, type Member } from '../support/cast';
import { createChannel } from '../support/channel-setup';
import type { CompanionClient } from '../support/companion-client';
import { expectError, expectSuccess } from '../support/expect-answer';
import { fetchIds, sendDirect, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';
import { untilWritesWait } from '../support/waiting-writes';

/** What people may be told who are in each other's way. */
const EXPECTED = [200, 204, 401, 403, 409];

let app: TestApp;
let passwordHash: string;
let counter = 0;

beforeEach(async () => {
  app = await TestApp.start();
  passwordHash = await app.get(Passwords).hash(PASSWORD);
});

afterEach(() => app.stop());

const person = (role: Role = Role.member) =>
  addAccount(app.nest, {
    deliveryEmail: `person${++counter}@example.com`,
    fullName: `Person ${counter}`,
    role,
    passwordHash,
  });
const activeOwners = () =>
  app
    .get(AccountDirectory)
    .all()
    .filter((account) => account.isActive && !account.isBot && isOwner(account));
const fifty = <T>(work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: 50 }, (_, i) => work(i)));

/** Some owners, and a signed-in client of each. */
async function owners(count: number): Promise<{ member: Member; client: CompanionClient }[]> {
  const members = [app.cast.olivia];
  while (members.length < count) members.push(await person(Role.owner));
  return Promise.all(members.map(async (member) => ({ member, client: await app.companionAs(member) })));
}

// SQLite has one writer, so no statement waits for another transaction.
const onPostgres = process.env.TEST_ENGINE === 'postgres' ? it : it.skip;

describe('Fifty callers at the same instant', () => {
  it('leave one of two owners who demote one another [COMP-users-lockout]', async () => {
    const [one, other] = await owners(2);
    const answers = await fifty((i) => {
      const [by, of] = i % 2 ? [one, other] : [other, one];
      return by!.client.patch(`/auth/users/${of!.member.id}`, { role: 'administrator' });
    });
    expect(activeOwners()).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    for (const { status } of answers) expect(EXPECTED).toContain(status);
  });

  it('leave an owner, however they go about it [COMP-users-lockout]', async () => {
    const all = await owners(5);
    const answers = await fifty((i) => {
      const { client } = all[i % 5]!;
      // Each of the five tries to be rid of each of them, themselves included.
      const path = `/auth/users/${all[Math.floor(i / 5) % 5]!.member.id}`;
      const ways = [
        () => client.delete(path),
        () => client.patch(path, { role: 'member' }),
        () => client.patch(path, { is_active: false }),
      ];
      return ways[i % 3]!();
    });
    expect(activeOwners()).toHaveLength(1);
    for (const { status } of answers) expect(EXPECTED).toContain(status);
  });

  it('delete somebody once [COMP-users-delete]', async () => {
    const gone = await person();
    const client = await app.companionAs(app.cast.adam);
    const answers = await fifty(() => client.delete(`/auth/users/${gone.id}`));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 204)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(49);
  });

  it('delete nobody who is sending meanwhile, or what they send is refused [COMP-users-references]', async () => {
    const { mia, olivia } = app.cast;
    const talkers = await Promise.all(Array.from({ length: 10 }, () => person()));
    const channel = await createChannel(app, mia, 'place', { principals: talkers.map(({ id }) => id) });
    const administrator = await app.companionAs(olivia);
    const clients = talkers.map((talker) => app.as(talker));
    const answers = await Promise.all(
      talkers.flatMap(({ id }, i) => [
        ...Array.from({ length: 4 }, () =>
          clients[i]!.post('/messages', { type: 'channel', to: channel, topic: 'a', content: 'hi' }),
        ),
        administrator.delete(`/auth/users/${id}`),
      ]),
    );
    for (const { status } of answers) expect(status).toBeLessThan(500);
    const rows = await app
      .get(Database)
      .read.query<{ id: number }>(
        'SELECT DISTINCT a.id FROM message m JOIN account a ON a.id = m.sender_id WHERE a.is_deleted = ?',
        [true],
      );
    expect(rows).toEqual([]);
  });

  onPostgres('delete somebody whose message was checked already and is refused then', async () => {
    const { olivia, mia } = app.cast;
    const talker = await person();
    const channel = await createChannel(app, mia, 'square');
    await sendTo(app, mia, channel, 'lunch');
    const administrator = await app.companionAs(olivia);
    const { sent, deleted } = await app.get(TransactionService).run(async (tx) => {
      // Behind its checks, the message waits for its topic.
      await tx.query('UPDATE topic SET name = name WHERE channel_id = ?', [channel]);
      const message = { type: 'channel', to: channel, topic: 'lunch', content: 'hi' };
      const sent = app.as(talker).post('/messages', message);
      await untilWritesWait(app);
      return { sent, deleted: await administrator.delete(`/auth/users/${talker.id}`) };
    });
    expect(deleted.status).toBe(204);
    expectError(await sent, 'Account is deactivated', { status: 401, code: 'UNAUTHORIZED' });
    await expect(fetchIds(app, mia, [['channel', 'square']])).resolves.toHaveLength(1);
  });

  onPostgres('delete somebody whose direct message was checked already and is refused then', async () => {
    const { olivia, mia } = app.cast;
    const talker = await person();
    await sendDirect(app, mia, [talker]);
    const administrator = await app.companionAs(olivia);
    const { sent, deleted } = await app.get(TransactionService).run(async (tx) => {
      // Behind its checks, the message waits for its conversation.
      await tx.query('SELECT id FROM direct_conversation WHERE members_key LIKE ? FOR UPDATE', [
        `%${talker.id}`,
      ]);
      const message = { type: 'direct', to: [mia.id], content: 'hi' };
      const sent = app.as(talker).post('/messages', message);
      await untilWritesWait(app);
      return { sent, deleted: await administrator.delete(`/auth/users/${talker.id}`) };
    });
    expect(deleted.status).toBe(204);
    expectError(await sent, 'Account is deactivated', { status: 401, code: 'UNAUTHORIZED' });
    await expect(fetchIds(app, mia, [['is', 'dm']])).resolves.toHaveLength(1);
  });

  onPostgres('let a message go first that is being sent to a channel of whoever they delete', async () => {
    const { olivia, mia } = app.cast;
    const talker = await person();
    const channel = await createChannel(app, mia, 'hall', { principals: [mia.id, talker.id] });
    await sendTo(app, mia, channel, 'lunch');
    const administrator = await app.companionAs(olivia);
    const answers = await app.get(TransactionService).run(async (tx) => {
      await tx.query('UPDATE topic SET name = name WHERE channel_id = ?', [channel]);
      const message = { type: 'channel', to: channel, topic: 'lunch', content: 'hi' };
      const sent = app.as(talker).post('/messages', message);
      await untilWritesWait(app);
      const deleted = administrator.delete(`/auth/users/${talker.id}`);
      await untilWritesWait(app, 2);
      // Later than the database looks for deadlocks: one that came about now would undo the message.
      await pause(1_200);
      return { sent, deleted };
    });
    expectSuccess(await answers.sent);
    await expect(answers.deleted).resolves.toMatchObject({ status: 409 });
  });

  it('give and take a permission without its resting on somebody deleted [COMP-users-references]', async () => {
    const { olivia, mia } = app.cast;
    const held = await person();
    const channel = await createChannel(app, olivia, 'place', { principals: [mia.id] });
    const administrator = await app.companionAs(olivia);
    const main = app.as(olivia);
    const grant = { new: { direct_members: [held.id], direct_subgroups: [] } };
    const [deleted, granted] = await Promise.all([
      administrator.delete(`/auth/users/${held.id}`),
      main.patch(`/streams/${channel}`, { can_administer_channel_group: grant }),
    ]);
    expect([deleted.status === 204, granted.status === 200].filter(Boolean)).toHaveLength(1);
  });
});
