import { check, topicOf } from '../check';
import type { Scene } from '../scene';
import { expectThat, listWith, number, object, text } from '../expectations';

/** One person's presence has a status in total, but for levels 487 to 496, which have times alone. */
function presenceAt({ level }: Scene, status: unknown) {
  return level >= 487 && level < 497
    ? { active_timestamp: number }
    : { aggregated: { status, timestamp: number } };
}

/** Who is there, and what they write about themselves. */
export const PRESENCE = topicOf(
  'presence and status',
  check('takes presence, and gives that of all', 'Clients ask once a minute.', async (scene) => {
    const { owner } = scene;
    const answer = await owner.client.ok('POST /users/me/presence', {
      status: 'active',
      new_user_input: true,
    });
    expectThat('POST /users/me/presence', answer, { presences: object, server_timestamp: number });
    const { presence } = await owner.client.ok(`GET /users/${owner.id}/presence`);
    expectThat('presence', presence, presenceAt(scene, text));
  }),
  check('gives the presence of everybody', 'Programs draw a list.', async ({ owner }) => {
    await owner.client.ok('POST /users/me/presence', { status: 'active' });
    expectThat('GET /realm/presence', await owner.client.ok('GET /realm/presence'), {
      presences: object,
      server_timestamp: number,
    });
  }),
  check('tells of presence', 'Clients show it at once.', async (scene) => {
    const { person, owner } = scene;
    const queue = await scene.listen(['presence']);
    await person.client.ok('POST /users/me/presence', { status: 'active', new_user_input: true });
    await queue.next({ type: 'presence', user_id: person.id });
    await queue.end();
    const { presence } = await owner.client.ok(`GET /users/${person.id}/presence`);
    expectThat('presence', presence, presenceAt(scene, 'active'));
  }),
  check('refuses a presence that is none', 'It is either active or idle.', async ({ owner }) => {
    await owner.client.refused('POST /users/me/presence', { status: 'sleeping' }, 400, 'BAD_REQUEST');
  }),
  check(
    'keeps a status',
    'A text, with or without an emoji.',
    async (scene) => {
      const { owner, person } = scene;
      const status = scene.word();
      await person.client.ok('POST /users/me/status', { status_text: status, emoji_name: 'tada' });
      expectThat('status', (await owner.client.ok(`GET /users/${person.id}/status`))['status'], {
        status_text: status,
        emoji_name: 'tada',
        emoji_code: '1f389',
        reaction_type: 'unicode_emoji',
      });
    },
    { since: 262 },
  ),
  check('tells of a status', 'Clients show it beside the name.', async (scene) => {
    const { person } = scene;
    const queue = await scene.listen(['user_status']);
    const status = scene.word();
    await person.client.ok('POST /users/me/status', { status_text: status });
    await queue.next({ type: 'user_status', user_id: person.id, status_text: status });
    await person.client.ok('POST /users/me/status', { status_text: '' });
    await queue.next({ type: 'user_status', user_id: person.id, status_text: '' });
    await queue.end();
  }),
  check('tells of typing', 'Clients show who writes.', async (scene) => {
    const queue = await scene.listen(['typing'], scene.bot);
    for (const op of ['start', 'stop']) {
      await scene.owner.client.ok('POST /typing', { type: 'direct', op, to: [scene.bot.id] });
      await queue.next({
        type: 'typing',
        op,
        sender: { user_id: scene.owner.id },
        recipients: listWith({ user_id: scene.bot.id }),
      });
    }
    await queue.end();
  }),
  check('tells of typing in channels', 'To clients that say that they show it.', async (scene) => {
    const queue = await scene.listen(['typing'], scene.bot, {
      client_capabilities: { notification_settings_null: true, stream_typing_notifications: true },
    });
    const topic = 'checks';
    await scene.owner.client.ok('POST /typing', {
      type: 'stream',
      op: 'start',
      stream_id: scene.channel.id,
      topic,
    });
    await queue.next({
      type: 'typing',
      op: 'start',
      message_type: 'stream',
      stream_id: scene.channel.id,
      topic,
      sender: { user_id: scene.owner.id },
    });
    await queue.end();
  }),
);
