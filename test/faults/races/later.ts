import { reminderDelivery } from '../../../src/features/drafts/reminders/reminders.service';
import { scheduledDelivery } from '../../../src/features/drafts/scheduled/scheduled-message-rows.service';
import { expectSuccess } from '../../support/expect-answer';
import { fetchMessages } from '../../support/message-setup';
import type { TestApp } from '../../support/test-app';
import { delivery, done, ground, slug, soon, stranger, type Races } from './race';

/** A message that Mia has sent later. */
async function scheduled(app: TestApp, round: string) {
  const { channel, message } = await ground(app, round);
  const deliverAt = soon(app);
  const { scheduled_message_id: id } = expectSuccess(
    await app.as(app.cast.mia).post('/scheduled_messages', {
      ...{ type: 'channel', to: channel, topic: 'later', content: 'planned' },
      scheduled_delivery_timestamp: deliverAt,
    }),
  );
  const path = `/scheduled_messages/${id}`;
  return { channel, message, path, deliver: delivery(app, scheduledDelivery, deliverAt) };
}

async function sentLater(app: TestApp, channel: number): Promise<string[]> {
  const narrow = [
    { operator: 'channel', operand: channel },
    { operator: 'topic', operand: 'later' },
  ];
  const answer = await fetchMessages(app, app.cast.mia, narrow, { apply_markdown: false });
  return expectSuccess(answer).messages.map(({ content }: { content: string }) => content);
}

async function waiting(app: TestApp): Promise<number> {
  return expectSuccess(await app.as(app.cast.mia).get('/scheduled_messages')).scheduled_messages.length;
}

/** What the server sends at its time. */
export const LATER_RACES: Races = {
  'change a scheduled message, and send it': async (app, round) => {
    const { channel, path, deliver } = await scheduled(app, round);
    return [
      (call) => app.as(app.cast.mia).patch(path, { content: `changed ${call}` }),
      deliver,
      async ({ one }) => {
        await deliver(0);
        const sent = await sentLater(app, channel);
        expect(sent).toHaveLength(1);
        expect(sent[0]).toMatch(done(one) > 0 ? /^changed/ : /^planned$/);
        expect(await waiting(app)).toBe(0);
      },
    ];
  },
  'put off a scheduled message, and send it': async (app, round) => {
    const { channel, path, deliver } = await scheduled(app, round);
    const putOff = { scheduled_delivery_timestamp: soon(app) + 86_400 };
    return [
      () => app.as(app.cast.mia).patch(path, putOff),
      deliver,
      async ({ one }) => {
        await deliver(0);
        const isPutOff = done(one) > 0;
        expect(await sentLater(app, channel)).toHaveLength(isPutOff ? 0 : 1);
        expect(await waiting(app)).toBe(isPutOff ? 1 : 0);
        if (isPutOff) expectSuccess(await app.as(app.cast.mia).delete(path));
      },
    ];
  },
  'take a scheduled message back, and send it': async (app, round) => {
    const { channel, path, deliver } = await scheduled(app, round);
    return [
      () => app.as(app.cast.mia).delete(path),
      deliver,
      async ({ one }) => {
        expect(done(one)).toBeLessThanOrEqual(1);
        expect(await sentLater(app, channel)).toHaveLength(1 - done(one));
      },
    ];
  },
  'archive the channel of a scheduled message, and send it': async (app, round) => {
    const { channel, path, deliver } = await scheduled(app, round);
    return [
      () => app.as(app.cast.olivia).delete(`/streams/${channel}`),
      deliver,
      async () => {
        await deliver(0);
        await app.as(app.cast.mia).delete(path);
        expect(await waiting(app)).toBe(0);
      },
    ];
  },
  'delete a message, and remind of it': async (app, round) => {
    const { message } = await ground(app, round);
    const deliverAt = soon(app);
    const reminder = { message_id: message, scheduled_delivery_timestamp: deliverAt };
    expectSuccess(await app.as(app.cast.max).post('/reminders', reminder));
    const deliver = delivery(app, reminderDelivery, deliverAt);
    return [() => app.as(app.cast.adam).delete(`/messages/${message}`), deliver];
  },
  'ask for a reminder, and delete the message': async (app, round) => {
    const { message } = await ground(app, round);
    const reminder = { message_id: message, scheduled_delivery_timestamp: soon(app) + 86_400 };
    return [
      () => app.as(app.cast.max).post('/reminders', reminder),
      () => app.as(app.cast.adam).delete(`/messages/${message}`),
      async () => {
        const { reminders } = expectSuccess(await app.as(app.cast.max).get('/reminders'));
        const kept = (reminders as { reminder_target_message_id: number; content: string }[])
          .filter(({ reminder_target_message_id: target }) => target === message)
          .filter(({ content }) => !content.includes('has been deleted'));
        expect(kept).toEqual([]);
      },
    ];
  },
  'schedule a message, and be deactivated': async (app, round) => {
    const who = await stranger(app, round);
    const person = app.as(who);
    const wanted = { type: 'direct', to: [app.cast.max.id], content: slug(round) };
    const at = soon(app) + 86_400;
    return [
      () => person.post('/scheduled_messages', { ...wanted, scheduled_delivery_timestamp: at }),
      () => app.as(app.cast.olivia).delete(`/users/${who.id}`),
    ];
  },
};
