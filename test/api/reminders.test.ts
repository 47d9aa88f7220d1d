import { Jobs } from '../../src/platform/jobs/jobs.service';
import { reminderDelivery } from '../../src/features/drafts/reminders/reminders.service';
import type { Parameters } from '../support/api-client';
import type { Member } from '../support/cast';
import { createChannelWith } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { stateOf } from '../support/initial-state';
import { fetchMessages, sendDirect, sendTo } from '../support/message-setup';
import { StoppedTimeOfDay } from '../support/test-clocks';
import { TestApp } from '../support/test-app';

let app: TestApp;
let channel: number;
const clock = new StoppedTimeOfDay();

beforeAll(async () => {
  app = await TestApp.start({ clock });
  const { mia, max, gus } = app.cast;
  channel = await createChannelWith(app, mia, [max, gus], 'kitchen');
});

afterAll(() => app.stop());

const inSeconds = (seconds: number) => Math.floor(clock.nowMs() / 1000) + seconds;

const remind = (member: Member, message_id: number, more: Parameters = {}) =>
  app.as(member).post('/reminders', {
    message_id,
    scheduled_delivery_timestamp: inSeconds(10),
    ...more,
  });

async function reminded(member: Member, messageId: number, more?: Parameters): Promise<number> {
  return expectSuccess(await remind(member, messageId, more)).reminder_id;
}

async function list(member: Member) {
  return expectSuccess(await app.as(member).get('/reminders')).reminders;
}

async function pass(seconds: number): Promise<void> {
  clock.aheadMs += seconds * 1000;
  await app.get(Jobs).runDue(reminderDelivery);
}

/** What the bot told somebody last, as Markdown. */
async function lastNotice(member: Member) {
  const narrow = [{ operator: 'is', operand: 'dm' }];
  const answer = await fetchMessages(app, member, narrow, { apply_markdown: false });
  const isFromBot = (each: Parameters) => each.sender_full_name === 'Notification Bot';
  return expectSuccess(answer).messages.filter(isFromBot).at(-1);
}

const mention = ({ fullName, id }: Member) => `@_**${fullName}|${id}**`;
const NO_ID = 1_999_999_999;
const SITE = 'http://chat.example.com';

describe('Reminders', () => {
  it('are listed, told, and delivered at their second', async () => {
    const { mia, max } = app.cast;
    await expect(list(max)).resolves.toEqual([]);
    const message = await sendTo(app, mia, channel, 'lunch', 'Is there **soup**?');
    let id = 0;
    const added = await app.captureEvents(async () => {
      const answer = expectSuccess(await remind(max, message, { note: '\n Ask her \n' }));
      expect(answer).toEqual({ result: 'success', msg: '', reminder_id: expect.any(Number) });
      id = answer.reminder_id;
    });
    const url = `${SITE}/#narrow/channel/${channel}-kitchen/topic/lunch/near/${message}`;
    const content = `You requested a reminder for the following message. Note:
 >  Ask her

${mention(mia)} [said](${url}) in #**kitchen>lunch@${message}**:
\`\`\`quote
Is there **soup**?
\`\`\``;
    const reminder = {
      reminder_id: id,
      type: 'private',
      to: [max.id],
      content,
      rendered_content: expect.stringContaining('<strong>soup</strong>'),
      scheduled_delivery_timestamp: inSeconds(10),
      failed: false,
      reminder_target_message_id: message,
    };
    expect(added.map(({ event, audience }) => [event, audience])).toEqual([
      [{ type: 'reminders', op: 'add', reminders: [reminder] }, [max.id]],
    ]);
    await expect(list(max)).resolves.toEqual([reminder]);
    await expect(stateOf(app, max, { wanted: ['reminders'] })).resolves.toEqual({ reminders: [reminder] });
    await expect(list(mia)).resolves.toEqual([]);

    await pass(9);
    await expect(list(max)).resolves.toHaveLength(1);
    const events = await app.captureEvents(() => pass(1));
    expect(events.map(({ event: { type, op }, audience }) => [type, op, audience.includes(max.id)])).toEqual([
      ['message', undefined, true],
      ['reminders', 'remove', true],
    ]);
    expect(events[1]?.event).toEqual({ type: 'reminders', op: 'remove', reminder_id: id });
    await expect(lastNotice(max)).resolves.toMatchObject({ content, flags: [] });
    await expect(list(max)).resolves.toEqual([]);
  });

  it('say what the message says by then, and where it is', async () => {
    const { mia, max } = app.cast;
    const message = await sendTo(app, mia, channel, 'drinks', 'water');
    await reminded(max, message);
    await reminded(max, message, { note: 'a\nb' });
    expectSuccess(
      await app.as(mia).patch(`/messages/${message}`, { content: '```\nwine\n```', topic: 'bar' }),
    );
    await pass(10);
    const { content } = await lastNotice(max);
    expect(content).toContain(`in #**kitchen>bar@${message}**:`);
    expect(content).toContain('````quote\n```\nwine\n```\n````');
    const noted = expectSuccess(
      await fetchMessages(app, max, [{ operator: 'id', operand: (await lastNotice(max)).id }], {
        apply_markdown: false,
      }),
    );
    expect(noted.messages).toHaveLength(1);
  });

  it('say nothing of what a message said that is deleted, but come with their notes', async () => {
    const { mia, max } = app.cast;
    const message = await sendTo(app, mia, channel, 'regrets', 'the word');
    const ids = [await reminded(max, message), await reminded(max, message, { note: 'ask *Mia*' })];
    const events = await app.captureEvents(async () => {
      expectSuccess(await app.as(app.cast.olivia).delete(`/messages/${message}`));
    });
    const gone = 'You requested a reminder for a message that has been deleted.';
    const kept = [
      { reminder_id: ids[0], content: gone, rendered_content: `<p>${gone}</p>` },
      { reminder_id: ids[1], content: `${gone} Note:\n > ask *Mia*` },
    ];
    await expect(list(max)).resolves.toMatchObject(kept);
    const told = events.filter(({ event }) => event.type === 'reminders');
    expect(told.every(({ audience }) => audience.length === 1 && audience[0] === max.id)).toBe(true);
    expect(told.map(({ event }) => event)).toMatchObject([
      { op: 'remove', reminder_id: ids[0] },
      { op: 'add', reminders: [kept[0]] },
      { op: 'remove', reminder_id: ids[1] },
      { op: 'add', reminders: [kept[1]] },
    ]);
    await pass(10);
    expect((await lastNotice(max)).content).toBe(`${gone} Note:\n > ask *Mia*`);
    await expect(list(max)).resolves.toEqual([]);
  });

  it('say what the message said where it is out of reach by then', async () => {
    const { mia, max } = app.cast;
    const secret = await createChannelWith(app, mia, [max], 'back room', { invite_only: true });
    const message = await sendTo(app, mia, secret, 'secrets', 'the cake');
    await reminded(max, message);
    expectSuccess(await app.as(max).delete('/users/me/subscriptions', { subscriptions: ['back room'] }));
    await pass(10);
    expect((await lastNotice(max)).content).toContain('```quote\nthe cake\n```');
  });

  it('speak of direct messages, polls and topics with marks in their names', async () => {
    const { mia, max, gus } = app.cast;
    const contentFor = async (message: number) => {
      const id = await reminded(max, message);
      const found = (await list(max)).find((each: { reminder_id: number }) => each.reminder_id === id);
      expectSuccess(await app.as(max).delete(`/reminders/${id}`));
      return found.content as string;
    };
    const direct = await contentFor(await sendDirect(app, mia, [max, gus], 'hi'));
    expect(direct).toContain('for the following direct message.');
    expect(direct).toContain(`to ${[mention(gus), mention(max)].sort().join(' and ')}:`);
    expect(direct).toContain('-group/near/');
    const own = await contentFor(await sendDirect(app, max, [max], 'hi'));
    expect(own).toContain(`${mention(max)} [said](${SITE}/#narrow/dm/${max.id}-dm/near/`);
    expect(own).toContain(`to ${mention(max)}:`);
    const poll = await contentFor(await sendTo(app, mia, channel, 'lunch', '/poll Lunch?\nyes'));
    expect(poll).toMatch(/\[sent\]\(.*\) a poll in #\*\*kitchen>lunch@\d+\*\*\.$/);
    const todo = await contentFor(await sendDirect(app, mia, [max], '/todo Shopping'));
    expect(todo).toMatch(/\[sent\]\(.*\) a todo list to .*\.$/);
    const marked = await contentFor(await sendTo(app, mia, channel, 'a*b', 'x'));
    expect(marked).toContain('in &#35;kitchen &#62; a&#42;b:');
    const long = await contentFor(await sendTo(app, mia, channel, 'lunch', 'x'.repeat(10_000)));
    expect(long).toHaveLength(10_000);
    expect(long).toMatch(/x\n\[message truncated\]\n```$/);
  });

  it('do not name people who are out of sight', async () => {
    const { gus, olivia, mia } = app.cast;
    const room = await createChannelWith(app, mia, [olivia], 'public room', { is_web_public: false });
    const message = await sendTo(app, mia, room, 'lunch', 'x');
    expectError(await remind(gus, message), 'Invalid message(s)');
  });

  it('are deleted, by their owner alone', async () => {
    const { robo, mia, olivia } = app.cast;
    const message = await sendDirect(app, mia, [robo]);
    const id = await reminded(robo, message);
    for (const foreign of [id, NO_ID]) {
      expectError(await app.as(olivia).delete(`/reminders/${foreign}`), 'Reminder does not exist', {
        status: 404,
      });
    }
    const events = await app.captureEvents(async () => {
      expect(expectSuccess(await app.as(robo).delete(`/reminders/${id}`))).toEqual({
        result: 'success',
        msg: '',
      });
    });
    expect(events.map(({ event, audience }) => [event, audience])).toEqual([
      [{ type: 'reminders', op: 'remove', reminder_id: id }, [robo.id]],
    ]);
    await expect(app.captureEvents(() => pass(10))).resolves.toEqual([]);
  });

  it('are refused for what is past, out of reach or too long', async () => {
    const { mia, max, gus } = app.cast;
    const message = await sendDirect(app, mia, [max]);
    const past = { scheduled_delivery_timestamp: inSeconds(0) };
    expectError(await remind(gus, message, past), 'Scheduled delivery time must be in the future.');
    expectError(await remind(gus, message), 'Invalid message(s)');
    expectError(await remind(max, NO_ID), 'Invalid message(s)');
    expectError(await remind(max, 1e12), 'Invalid message(s)');
    const tooLong = 'Maximum reminder note length: 1000 characters';
    expectError(await remind(max, message, { note: 'x'.repeat(1001) }), tooLong);
    expectError(await remind(gus, message, { note: 'x'.repeat(1001) }), 'Invalid message(s)');
    expectSuccess(await remind(max, message, { note: `${'𝒲'.repeat(1000)}\n` }));
    expectSuccess(await remind(max, message, { note: ' ' }));
    expectError(await remind(max, message, { note: 'a\0b' }), 'note must not contain null characters');
    const scheduled = await app.as(max).post('/scheduled_messages', {
      type: 'direct',
      to: [max.id],
      content: 'x',
      scheduled_delivery_timestamp: inSeconds(1000),
    });
    expectSuccess(scheduled);
    await pass(10);
    await expect(list(max)).resolves.toEqual([]);
  });

  it('are delivered however late, and not to whoever is deactivated', async () => {
    const { adam, max, mia, mona } = app.cast;
    const message = await sendDirect(app, mia, [mona]);
    await reminded(mona, message);
    const gone = await app.addAccount({ ...max, deliveryEmail: 'gone@example.com', fullName: 'Gone' });
    await reminded(gone, await sendDirect(app, mia, [gone]));
    expectSuccess(await app.as(adam).delete(`/users/${gone.id}`));
    await pass(100_000);
    expect((await lastNotice(mona)).content).toContain('You requested a reminder');
    expectSuccess(await app.as(adam).post(`/users/${gone.id}/reactivate`));
    await expect(list(gone)).resolves.toMatchObject([{ failed: true }]);
  });

  it('are at most 500', async () => {
    const { adam } = app.cast;
    await app.writeRows((tx) =>
      tx.query(
        `INSERT INTO reminder (user_id, target_message_id, note, content, rendered_content, deliver_at, has_failed)
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 499)
         SELECT CAST(? AS INTEGER), 1, '', 'x', 'x', 0, TRUE FROM n`,
        [adam.id],
      ),
    );
    const message = await sendDirect(app, adam, [adam]);
    expectSuccess(await remind(adam, message, { scheduled_delivery_timestamp: inSeconds(1e6) }));
    expectError(await remind(adam, message), 'You can have at most 500 reminders.');
  });
});
