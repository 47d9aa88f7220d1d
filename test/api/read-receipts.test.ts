import { GroupDirectory } from '../../src/features/user-groups/groups/group.directory';
import type { Member } from '../support/cast';
import { createChannel } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { sendDirect, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';

let app: TestApp;
let channels = 0;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

const receipts = (member: Member, id: number) => app.as(member).get(`/messages/${id}/read_receipts`);
const readersOf = async (member: Member, id: number): Promise<number[]> =>
  expectSuccess(await receipts(member, id)).user_ids;
const change = async (member: Member, id: number, op: string, flag: string) =>
  expectSuccess(await app.as(member).post('/messages/flags', { messages: [id], op, flag }));
const read = (member: Member, id: number) => change(member, id, 'add', 'read');

/** A message of Mia's in a new channel that these people are subscribed to as well. */
async function messageFor(members: readonly Member[]): Promise<number> {
  const { mia } = app.cast;
  const principals = [mia, ...members].map(({ id }) => id);
  return sendTo(app, mia, await createChannel(app, mia, `channel ${++channels}`, { principals }), 'soup');
}

const sorted = (...members: Member[]) => members.map(({ id }) => id).sort((a, b) => a - b);

describe('GET /messages/{message_id}/read_receipts', () => {
  it('names who has read the message, bots and the caller included, and not its sender', async () => {
    const { mia, max, mona, robo, olivia } = app.cast;
    const id = await messageFor([max, mona, robo, olivia]);
    await expect(readersOf(max, id)).resolves.toEqual([]);
    for (const member of [max, robo, mia, olivia]) await read(member, id);
    expect(expectSuccess(await receipts(max, id))).toEqual({
      result: 'success',
      msg: '',
      user_ids: sorted(max, robo, olivia),
    });
    await change(olivia, id, 'remove', 'read');
    await expect(readersOf(mia, id)).resolves.toEqual(sorted(max, robo));
    expectSuccess(await app.as(mona).post('/mark_all_as_read'));
    await expect(readersOf(mia, id)).resolves.toEqual(sorted(max, mona, robo));
  });

  it('names who came to the message later, and who is in a conversation', async () => {
    const { mia, max, mona, adam } = app.cast;
    const id = await messageFor([max]);
    await change(mona, id, 'add', 'starred');
    await expect(readersOf(adam, id)).resolves.toEqual([mona.id]);
    const direct = await sendDirect(app, mia, [max, mona]);
    await read(mona, direct);
    await expect(readersOf(max, direct)).resolves.toEqual([mona.id]);
    expectError(await receipts(adam, direct), 'Invalid message(s)');
  });

  it('leaves out who does not want to be named, and who is deactivated', async () => {
    const { mia, max, mona, olivia } = app.cast;
    const id = await messageFor([max, mona]);
    await read(max, id);
    await read(mona, id);
    const setting = async (value: boolean) =>
      expectSuccess(await app.as(max).patch('/settings', { send_read_receipts: value }));
    await setting(false);
    await expect(readersOf(mia, id)).resolves.toEqual([mona.id]);
    await expect(readersOf(max, id)).resolves.toEqual([mona.id]);
    await setting(true);
    await expect(readersOf(mia, id)).resolves.toEqual(sorted(max, mona));
    expectSuccess(await app.as(olivia).delete(`/users/${mona.id}`));
    await expect(readersOf(mia, id)).resolves.toEqual([max.id]);
    expectSuccess(await app.as(olivia).post(`/users/${mona.id}/reactivate`));
    await expect(readersOf(mia, id)).resolves.toEqual(sorted(max, mona));
  });

  it('leaves out whom the caller muted, and who muted the caller', async () => {
    const { mia, max, mona } = app.cast;
    const id = await messageFor([max, mona]);
    await read(max, id);
    await read(mona, id);
    expectSuccess(await app.as(max).post(`/users/me/muted_users/${mona.id}`));
    await expect(readersOf(max, id)).resolves.toEqual([max.id]);
    await expect(readersOf(mona, id)).resolves.toEqual([mona.id]);
    await expect(readersOf(mia, id)).resolves.toEqual(sorted(max, mona));
    expectSuccess(await app.as(max).delete(`/users/me/muted_users/${mona.id}`));
    await expect(readersOf(mona, id)).resolves.toEqual(sorted(max, mona));
  });

  it('leaves out people that a guest may not see', async () => {
    const { max, mona, gus, olivia } = app.cast;
    const id = await messageFor([gus, max]);
    await change(mona, id, 'add', 'starred');
    for (const member of [gus, max]) await read(member, id);
    const group = (name: 'role:members' | 'role:everyone') =>
      app.as(olivia).patch('/realm', {
        can_access_all_users_group: { new: app.get(GroupDirectory).systemGroupId(name) },
      });
    expectSuccess(await group('role:members'));
    await expect(readersOf(gus, id)).resolves.toEqual(sorted(gus, max));
    expectSuccess(await group('role:everyone'));
    await expect(readersOf(gus, id)).resolves.toEqual(sorted(gus, max, mona));
  });

  it('is refused for messages that are unknown or out of reach', async () => {
    const { mia, max } = app.cast;
    const secret = await sendTo(
      app,
      mia,
      await createChannel(app, mia, 'secret', { invite_only: true }),
      'x',
    );
    for (const id of [secret, 0, 2 ** 31, 99_999_999_999_999]) {
      expectError(await receipts(max, id), 'Invalid message(s)');
    }
  });

  it('can be switched off for the organization', async () => {
    const { mia, max, olivia } = app.cast;
    const id = await messageFor([max]);
    const setting = async (value: boolean) =>
      expectSuccess(await app.as(olivia).patch('/realm', { enable_read_receipts: value }));
    await setting(false);
    expectError(await receipts(mia, id), 'Read receipts are disabled in this organization.');
    await setting(true);
    await expect(readersOf(mia, id)).resolves.toEqual([]);
  });
});
