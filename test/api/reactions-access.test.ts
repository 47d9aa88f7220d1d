import { MessageRowsService } from '../../src/features/messages/store/message-rows.service';
import { TransactionService } from '../../src/platform/database/transaction.service';
import type { Parameters } from '../support/api-client';
import type { Member } from '../support/cast';
import { changeChannel, createChannel } from '../support/channel-setup';
import { idsOf } from '../support/event-outline';
import { expectError, expectSuccess } from '../support/expect-answer';
import { systemGroupId } from '../support/group-setup';
import { fetchMessage, sendDirect, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';
import { untilWritesWait } from '../support/waiting-writes';

let app: TestApp;
let channels = 0;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

/** A new channel of Mia's, with these people beside her. */
function channelWith(members: readonly Member[], options: Parameters = {}): Promise<number> {
  const { mia } = app.cast;
  const principals = [mia, ...members].map(({ id }) => id);
  return createChannel(app, mia, `channel ${++channels}`, { principals, ...options });
}

const unsubscribe = async (member: Member) =>
  expectSuccess(
    await app.as(member).delete('/users/me/subscriptions', { subscriptions: [`channel ${channels}`] }),
  );

const react = (member: Member, id: number) =>
  app.as(member).post(`/messages/${id}/reactions`, { emoji_name: 'tada' });
const takeBack = (member: Member, id: number) =>
  app.as(member).delete(`/messages/${id}/reactions`, { emoji_name: 'tada' });

/** Mia adds somebody to the channel. */
const subscribe = async ({ id }: Member) =>
  expectSuccess(
    await app.as(app.cast.mia).post('/users/me/subscriptions', {
      subscriptions: [{ name: `channel ${channels}` }],
      principals: [id],
    }),
  );

/** Who of the cast may react; everybody who may not is told the same as for a message that does not exist. */
async function reactorsTo(id: number): Promise<string[]> {
  const reactors: string[] = [];
  for (const [name, member] of Object.entries(app.cast)) {
    const added = await react(member, id);
    if (added.status === 200) {
      expectSuccess(await takeBack(member, id));
      reactors.push(name);
    } else {
      expectError(added, 'Invalid message(s)');
      expectError(await takeBack(member, id), 'Invalid message(s)');
    }
  }
  return reactors;
}

describe('Reacting is for', () => {
  const MEMBERS = ['olivia', 'adam', 'mona', 'max', 'mia', 'robo'];

  it('members in a public channel, and subscribed guests', async () => {
    const { mia, gus } = app.cast;
    await expect(reactorsTo(await sendTo(app, mia, await channelWith([]), 'soup'))).resolves.toEqual(MEMBERS);
    const withGus = await sendTo(app, mia, await channelWith([gus]), 'soup');
    await expect(reactorsTo(withGus)).resolves.toEqual([
      'olivia',
      'adam',
      'mona',
      'max',
      'mia',
      'gus',
      'robo',
    ]);
  });

  it('subscribers in a private channel, as long as they are', async () => {
    const { mia, max, gus } = app.cast;
    const id = await sendTo(app, mia, await channelWith([max, gus], { invite_only: true }), 'soup');
    await expect(reactorsTo(id)).resolves.toEqual(['max', 'mia', 'gus']);
    await unsubscribe(max);
    await expect(reactorsTo(id)).resolves.toEqual(['mia', 'gus']);
  });

  it('those who were there in a channel with protected history', async () => {
    const { mia, max, mona } = app.cast;
    const options = { invite_only: true, history_public_to_subscribers: false };
    const id = await sendTo(app, mia, await channelWith([max], options), 'soup');
    await subscribe(mona);
    await expect(reactorsTo(id)).resolves.toEqual(['max', 'mia']);
  });

  it('both sides of a direct message', async () => {
    const id = await sendDirect(app, app.cast.mia, [app.cast.gus]);
    await expect(reactorsTo(id)).resolves.toEqual(['mia', 'gus']);
  });

  it('nobody in an archived channel', async () => {
    const { mia, max } = app.cast;
    const channel = await channelWith([max]);
    const id = await sendTo(app, mia, channel, 'soup');
    expectSuccess(await react(max, id));
    await changeChannel(app, channel, { is_archived: true });
    expectError(await react(mia, id), 'Invalid message(s)');
    expectError(await takeBack(max, id), 'Invalid message(s)');
    expect((await fetchMessage(app, mia, id)).reactions).toHaveLength(1);
  });

  it('messages that there are', async () => {
    for (const id of [0, 2 ** 31 - 1, '9'.repeat(20)]) {
      expectError(
        await app.as(app.cast.mia).post(`/messages/${id}/reactions`, { emoji_name: 'tada' }),
        'Invalid message(s)',
      );
    }
    const answer = await app.as(app.cast.mia).post('/messages/soup/reactions', { emoji_name: 'tada' });
    expect(answer.status).toBe(404);
  });
});

it.each([
  ['Reacting', react],
  ['Taking a reaction back', takeBack],
])('%s finds no message that is deleted while it waits', async (_name, request) => {
  const { mia, max } = app.cast;
  const channel = await channelWith([max]);
  await sendTo(app, mia, channel, 'soup');
  const id = await sendTo(app, mia, channel, 'soup');
  const [deletion, reaction] = await app.get(TransactionService).run(async (tx) => {
    await app.get(MessageRowsService).lock(tx, id);
    const first = app.as(mia).delete(`/messages/${id}`);
    await untilWritesWait(app);
    const second = request(max, id);
    await untilWritesWait(app, 2);
    return [first, second];
  });
  expectSuccess(await deletion);
  expectError(await reaction, 'Invalid message(s)');
});

describe('A reaction is told to', () => {
  /** Who is told of a reaction of Mia's to the message. */
  async function toldOf(id: number): Promise<readonly number[]> {
    const events = await app.captureEvents(() => react(app.cast.mia, id));
    expect(events.map(({ event }) => event.type)).toEqual(['reaction']);
    return events[0]?.audience ?? [];
  }

  it('subscribers of a public channel, newcomers included, and members who left', async () => {
    const { mia, max, mona, gus, adam } = app.cast;
    const channel = await channelWith([max, gus]);
    const id = await sendTo(app, mia, channel, 'soup');
    await unsubscribe(max);
    await unsubscribe(gus);
    await expect(toldOf(id)).resolves.toEqual([max.id, mia.id]);
    await subscribe(mona);
    await takeBack(mia, id);
    await expect(toldOf(id)).resolves.toEqual([mona.id, max.id, mia.id]);
    const later = await sendTo(app, mia, channel, 'soup');
    await expect(toldOf(later)).resolves.toEqual([mona.id, mia.id]);
    expectSuccess(await react(adam, later));
    await takeBack(mia, later);
    await expect(toldOf(later)).resolves.toEqual([adam.id, mona.id, mia.id]);
  });

  it('all subscribers of a private channel with shared history', async () => {
    const { mia, max, mona } = app.cast;
    const options = { invite_only: true, history_public_to_subscribers: true };
    const id = await sendTo(app, mia, await channelWith([max], options), 'soup');
    await unsubscribe(max);
    await subscribe(mona);
    await expect(toldOf(id)).resolves.toEqual([mona.id, mia.id]);
  });

  it('those subscribers of one with protected history who received the message', async () => {
    const { mia, max, mona, gus } = app.cast;
    const options = { invite_only: true, history_public_to_subscribers: false };
    const id = await sendTo(app, mia, await channelWith([max, gus], options), 'soup');
    await unsubscribe(max);
    await subscribe(mona);
    await expect(toldOf(id)).resolves.toEqual([mia.id, gus.id]);
  });

  it('everybody in a direct message', async () => {
    const { mia, max, gus } = app.cast;
    await expect(toldOf(await sendDirect(app, mia, [max, gus]))).resolves.toEqual([max.id, mia.id, gus.id]);
  });
});

describe('A reaction of somebody out of sight', () => {
  it('has no name for guests whom the organization restricts', async () => {
    const { olivia, mia, gus } = app.cast;
    const zoe = await app.addAccount({ deliveryEmail: 'zoe@example.com', fullName: 'Zoe', role: 400 });
    const id = await sendTo(app, mia, await channelWith([gus]), 'soup');
    const restrict = async (name: 'role:members' | 'role:everyone') =>
      expectSuccess(
        await app
          .as(olivia)
          .patch('/realm', { can_access_all_users_group: { new: systemGroupId(app, name) } }),
      );
    await restrict('role:members');
    const told = await app.captureEvents(async () => {
      expectSuccess(await react(zoe, id));
      expectSuccess(await takeBack(zoe, id));
      expectSuccess(await react(mia, id));
    });
    await restrict('role:everyone');
    const hidden = {
      user_id: zoe.id,
      email: `user${zoe.id}@chat.example.com`,
      full_name: 'Unknown user',
    };
    const seen = told.map(({ event, audience }) => [event.op, event.user, audience]);
    expect(seen).toEqual([
      ['add', person(zoe), idsOf(mia, zoe)],
      ['add', hidden, [gus.id]],
      ['remove', person(zoe), idsOf(mia, zoe)],
      ['remove', hidden, [gus.id]],
      ['add', person(mia), idsOf(mia, gus, zoe)],
    ]);
  });
});

function person({ id, email, fullName }: Member) {
  return { user_id: id, email, full_name: fullName };
}
