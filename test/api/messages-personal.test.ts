import { GroupDirectory } from '../../src/features/user-groups/groups/group.directory';
import { ReadStateService } from '../../src/features/messages/readers/read-state.service';
import type { Member } from '../support/cast';
import { createChannel } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { fetchIds, fetchMessage, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

const STARRED = 2;
const HISTORICAL = 1024;

/** Stores what starring does: a row of one's own, which makes a message that was never received `historical`. */
const star = (who: Member, messageId: number, flags: number) =>
  app.writeRows(async (tx) => {
    await tx.query('INSERT INTO message_flag (user_id, message_id, flags) VALUES (?, ?, ?)', [
      who.id,
      messageId,
      flags,
    ]);
    if (flags & HISTORICAL) await app.get(ReadStateService).mark(tx, who.id, [messageId], 'read');
  });

/** Stores what moving a message to another channel does. */
const move = (messageId: number, from: number, to: number) =>
  app.writeRows(async (tx) => {
    const [topic] = await tx.query<{ id: number }>(
      `INSERT INTO topic (channel_id, name, name_key, max_message_id, message_count)
       VALUES (?, 'moved', 'moved', ?, 1) RETURNING id`,
      [to, messageId],
    );
    await tx.query('UPDATE message SET channel_id = ?, sent_channel_id = ?, topic_id = ? WHERE id = ?', [
      to,
      from,
      (topic as { id: number }).id,
      messageId,
    ]);
  });

const channelTerm = (id: number) => [{ operator: 'channel', operand: id }];

describe('a row of one’s own', () => {
  it('brings a message into the history of somebody who never got it', async () => {
    const { mia, max } = app.cast;
    const id = await sendTo(app, mia, await createChannel(app, mia, 'sky'), 'a');
    await star(max, id, STARRED | HISTORICAL);
    await expect(fetchMessage(app, max, id)).resolves.toMatchObject({
      flags: ['read', 'starred', 'historical'],
    });
    await expect(fetchIds(app, max, [['is', 'starred']])).resolves.toEqual([id]);
    await expect(fetchIds(app, max, [])).resolves.toContain(id);
    await expect(fetchIds(app, max, [['is', 'unread']])).resolves.not.toContain(id);
  });

  it('does not open a channel that was left', async () => {
    const { mia, max } = app.cast;
    const channel = await createChannel(app, mia, 'cave', {
      invite_only: true,
      principals: [mia.id, max.id],
    });
    const id = await sendTo(app, mia, channel, 'a');
    await star(max, id, STARRED);
    await expect(fetchIds(app, max, [['is', 'starred']])).resolves.toContain(id);
    expectSuccess(await app.as(max).delete('/users/me/subscriptions', { subscriptions: ['cave'] }));
    await expect(fetchIds(app, max, [['is', 'starred']])).resolves.not.toContain(id);
    expectError(await app.as(max).get(`/messages/${id}`), 'Invalid message(s)');
  });

  it('does not make a wildcard or a group of those who were there', async () => {
    const { mia, max } = app.cast;
    const id = await sendTo(app, mia, await createChannel(app, mia, 'sea'), 'a', '@**all** @**topic**');
    await star(max, id, STARRED | HISTORICAL);
    await expect(fetchMessage(app, max, id)).resolves.toMatchObject({
      flags: ['read', 'starred', 'historical'],
    });
    await expect(fetchIds(app, max, [['is', 'mentioned']])).resolves.not.toContain(id);
  });
});

describe('a message that was moved', () => {
  it('was received where it was sent, and is in reach where it is now', async () => {
    const { mia, max, mona } = app.cast;
    const from = await createChannel(app, mia, 'origin', { principals: [mia.id, max.id] });
    const to = await createChannel(app, mia, 'target', { principals: [mia.id, mona.id] });
    const id = await sendTo(app, mia, from, 'a');
    await move(id, from, to);
    await expect(fetchIds(app, max, channelTerm(from))).resolves.toEqual([]);
    await expect(fetchIds(app, max, channelTerm(to))).resolves.toEqual([id]);
    await expect(fetchIds(app, max, [])).resolves.not.toContain(id);
    await expect(fetchMessage(app, max, id)).resolves.toMatchObject({
      display_recipient: 'target',
      flags: [],
    });
    await expect(fetchMessage(app, mona, id)).resolves.toMatchObject({ flags: ['read', 'historical'] });
    await expect(fetchIds(app, mona, [])).resolves.not.toContain(id);
  });

  it('does not reveal the channel it went to, nor does that one open what came to it', async () => {
    const { mia, max, mona } = app.cast;
    const from = await createChannel(app, mia, 'inside', {
      invite_only: true,
      principals: [mia.id, max.id, mona.id],
    });
    const to = await createChannel(app, mia, 'deeper inside', {
      invite_only: true,
      principals: [mia.id, mona.id],
    });
    const own = await sendTo(app, mia, to, 'a');
    const id = await sendTo(app, mia, from, 'a');
    await move(id, from, to);
    expectError(await app.as(max).get(`/messages/${id}`), 'Invalid message(s)');
    await expect(fetchIds(app, max, [])).resolves.not.toContain(id);
    await expect(fetchIds(app, mona, channelTerm(to))).resolves.toEqual([own, id]);
    const { topics } = expectSuccess(await app.as(mona).get(`/users/me/${to}/topics`));
    expect(topics).toEqual([
      { name: 'moved', max_id: id },
      { name: 'a', max_id: own },
    ]);
  });
});

describe('senders out of sight', () => {
  it('have no name for guests whom the organization restricts', async () => {
    const { mia, max, gus, olivia } = app.cast;
    const channel = await createChannel(app, mia, 'fair', { principals: [mia.id, gus.id] });
    const id = await sendTo(app, max, channel, 'a');
    const groups = app.get(GroupDirectory);
    const restrict = async (name: 'role:members' | 'role:everyone') =>
      expectSuccess(
        await app
          .as(olivia)
          .patch('/realm', { can_access_all_users_group: { new: groups.systemGroupId(name) } }),
      );
    await restrict('role:members');
    await expect(fetchMessage(app, gus, id)).resolves.toMatchObject({
      sender_id: max.id,
      sender_full_name: 'Unknown user',
      sender_email: expect.stringMatching(new RegExp(`^user${max.id}@`)),
      avatar_url: expect.any(String),
    });
    const [own, others] = [await app.queue(gus), await app.queue(mia, { apply_markdown: true })];
    const next = await sendTo(app, max, channel, 'a', 'from *nobody*');
    const hidden = {
      id: next,
      sender_id: max.id,
      sender_full_name: 'Unknown user',
      content: 'from *nobody*',
    };
    await expect(own.events()).resolves.toMatchObject([{ message: hidden, flags: [] }]);
    await expect(others.events()).resolves.toMatchObject([{ message: { sender_full_name: 'Max Member' } }]);
    await restrict('role:everyone');
    await expect(fetchMessage(app, gus, id)).resolves.toMatchObject({ sender_full_name: 'Max Member' });
    await sendTo(app, max, channel, 'a');
    const messages = (await own.events()).filter(({ type }) => type === 'message');
    expect(messages).toMatchObject([{ message: { sender_full_name: 'Max Member' } }]);
  });
});

describe('a bot that is mentioned', () => {
  it('gets what calls it in public channels that it is not in, and nothing else of them', async () => {
    const { mia, max, robo } = app.cast;
    const channel = await createChannel(app, mia, 'square', { principals: [mia.id, max.id] });
    const queue = await app.queue(robo, { event_types: ['message', 'update_message'] });
    const everything = await app.queue(robo, { event_types: ['message'], all_public_streams: true });
    const id = await sendTo(app, max, channel, 'a', '@**Robo Bot** help');
    const other = await sendTo(app, max, channel, 'a', 'nothing');
    await sendTo(app, max, channel, 'a', '@_**Robo Bot** did not');
    expect(await queue.events()).toEqual([
      expect.objectContaining({
        type: 'message',
        flags: ['mentioned'],
        message: expect.objectContaining({ id }),
      }),
    ]);
    const told = await everything.events();
    expect(told.filter(({ message }) => message.id === id)).toHaveLength(1);
    await expect(fetchMessage(app, robo, id)).resolves.toMatchObject({ flags: ['mentioned'] });
    await expect(fetchMessage(app, robo, other)).resolves.toMatchObject({ flags: ['read', 'historical'] });
    await expect(fetchIds(app, robo, [['is', 'mentioned']])).resolves.toEqual([id]);
    await expect(fetchIds(app, robo, [['is', 'unread']])).resolves.toEqual([id]);
    expectSuccess(await app.as(robo).post('/messages/flags', { messages: [id], op: 'add', flag: 'read' }));
    await expect(fetchIds(app, robo, [['is', 'unread']])).resolves.toEqual([]);

    expectSuccess(await app.as(max).patch(`/messages/${id}`, { content: 'never mind' }));
    expect(await queue.events()).toEqual([
      expect.objectContaining({ type: 'update_message', message_id: id, flags: ['read'] }),
    ]);
    await expect(fetchIds(app, robo, [['is', 'mentioned']])).resolves.toEqual([]);
  });

  it('gets nothing of private channels, and people nothing of channels that they are not in', async () => {
    const { mia, max, mona, robo } = app.cast;
    const cellar = await createChannel(app, mia, 'cellar', {
      invite_only: true,
      principals: [mia.id, max.id],
    });
    const yard = await createChannel(app, mia, 'yard', { principals: [mia.id, max.id] });
    const queues = [await app.queue(robo), await app.queue(mona)];
    await sendTo(app, max, cellar, 'a', '@**Robo Bot** @**Mona Moderator**');
    await sendTo(app, max, yard, 'a', '@**Mona Moderator**');
    for (const queue of queues) {
      expect((await queue.events()).filter(({ type }) => type === 'message')).toEqual([]);
    }
    await expect(fetchIds(app, mona, [['is', 'mentioned']])).resolves.toEqual([]);
  });
});
