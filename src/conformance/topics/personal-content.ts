import { check, topicOf } from '../check';
import { expectThat, listWith, listWithout, number, object, text } from '../expectations';
import type { Scene } from '../scene';

const HOUR_SECONDS = 3_600;

/** Drafts. */
export const DRAFTS = topicOf(
  'drafts',
  check('keeps, changes and removes a draft', 'It is there on each device.', async (scene) => {
    const { client } = scene.owner;
    const draft = {
      type: 'stream',
      to: [scene.channel.id],
      topic: 'draft',
      content: scene.word(),
      timestamp: 1_700_000_000,
    };
    const { ids } = await client.ok('POST /drafts', { drafts: [draft] });
    const id = (ids as number[])[0];
    expectThat(
      'drafts',
      (await client.ok('GET /drafts'))['drafts'],
      listWith({ id, content: draft.content, topic: 'draft' }),
    );
    await client.ok(`PATCH /drafts/${id}`, { draft: { ...draft, content: 'changed' } });
    expectThat('drafts', (await client.ok('GET /drafts'))['drafts'], listWith({ id, content: 'changed' }));
    await client.ok(`DELETE /drafts/${id}`);
    expectThat('drafts', (await client.ok('GET /drafts'))['drafts'], listWithout({ id }));
  }),
  check('sends events about drafts', 'Other devices follow.', async (scene) => {
    const queue = await scene.listen(['drafts']);
    const { ids } = await scene.owner.client.ok('POST /drafts', {
      drafts: [
        { type: 'stream', to: [scene.channel.id], topic: 'draft', content: 'x', timestamp: 1_700_000_000 },
      ],
    });
    const id = (ids as number[])[0];
    await queue.next({ type: 'drafts', op: 'add', drafts: listWith({ id }) });
    await scene.owner.client.ok(`DELETE /drafts/${id}`);
    await queue.next({ type: 'drafts', op: 'remove', draft_id: id });
    await queue.end();
  }),
  check('refuses a draft that there is not', 'It may have been sent elsewhere.', async ({ owner }) => {
    await owner.client.refused('DELETE /drafts/2000000000', {}, 404);
  }),
);

/** Scheduled messages. */
export const SCHEDULED = topicOf(
  'scheduled messages',
  check('keeps, lists and removes one', 'It is not sent before its time.', async (scene) => {
    const { client } = scene.owner;
    const at = Math.floor(Date.now() / 1_000) + HOUR_SECONDS;
    const { scheduled_message_id: id } = await client.ok('POST /scheduled_messages', {
      type: 'stream',
      to: scene.channel.id,
      topic: 'later',
      content: '**later**',
      scheduled_delivery_timestamp: at,
    });
    expectThat(
      'scheduled_messages',
      (await client.ok('GET /scheduled_messages'))['scheduled_messages'],
      listWith({
        scheduled_message_id: id,
        content: '**later**',
        rendered_content: '<p><strong>later</strong></p>',
        scheduled_delivery_timestamp: at,
        topic: 'later',
        failed: false,
      }),
    );
    await client.ok(`DELETE /scheduled_messages/${Number(id)}`);
    expectThat(
      'scheduled_messages',
      (await client.ok('GET /scheduled_messages'))['scheduled_messages'],
      listWithout({ scheduled_message_id: id }),
    );
  }),
  check('changes one, and sends an event', 'Other devices follow.', async (scene) => {
    const { client } = scene.owner;
    const at = Math.floor(Date.now() / 1_000) + HOUR_SECONDS;
    const queue = await scene.listen(['scheduled_messages']);
    const { scheduled_message_id: id } = await client.ok('POST /scheduled_messages', {
      type: 'direct',
      to: [scene.bot.id],
      content: 'later',
      scheduled_delivery_timestamp: at,
    });
    await queue.next({
      type: 'scheduled_messages',
      op: 'add',
      scheduled_messages: listWith({ scheduled_message_id: id }),
    });
    await client.ok(`PATCH /scheduled_messages/${Number(id)}`, { content: 'much later' });
    await queue.next({
      type: 'scheduled_messages',
      op: 'update',
      scheduled_message: { scheduled_message_id: id, content: 'much later' },
    });
    await client.ok(`DELETE /scheduled_messages/${Number(id)}`);
    await queue.next({ type: 'scheduled_messages', op: 'remove', scheduled_message_id: id });
    await queue.end();
  }),
  check('refuses a time that has passed', 'It would be sent at once.', async (scene) => {
    await scene.owner.client.refused('POST /scheduled_messages', {
      type: 'stream',
      to: scene.channel.id,
      topic: 'x',
      content: 'x',
      scheduled_delivery_timestamp: 1_600_000_000,
    });
  }),
  check('refuses one that there is not', 'It may have been sent.', async ({ owner }) => {
    await owner.client.refused('DELETE /scheduled_messages/2000000000', {}, 404);
  }),
);

/** Saved snippets. */
export const SNIPPETS = topicOf(
  'saved snippets',
  check(
    'keeps, lists and removes one',
    'People put them into messages again and again.',
    async (scene) => {
      const { client } = scene.owner;
      const title = scene.word();
      const { saved_snippet_id: id } = await client.ok('POST /saved_snippets', {
        title,
        content: 'Thank you!',
      });
      expectThat(
        'saved_snippets',
        (await client.ok('GET /saved_snippets'))['saved_snippets'],
        listWith({ id, title, content: 'Thank you!', date_created: number }),
      );
      await client.ok(`DELETE /saved_snippets/${Number(id)}`);
      expectThat(
        'saved_snippets',
        (await client.ok('GET /saved_snippets'))['saved_snippets'],
        listWithout({ id }),
      );
    },
    { since: 297 },
  ),
  check(
    'changes one, and sends an event',
    'Other devices follow.',
    async (scene) => {
      const queue = await scene.listen(['saved_snippets']);
      const { saved_snippet_id: id } = await scene.owner.client.ok('POST /saved_snippets', {
        title: 'a',
        content: 'b',
      });
      await queue.next({ type: 'saved_snippets', op: 'add', saved_snippet: { id, title: 'a' } });
      await scene.owner.client.ok(`PATCH /saved_snippets/${Number(id)}`, { title: 'c' });
      await queue.next({ type: 'saved_snippets', op: 'update', saved_snippet: { id, title: 'c' } });
      await scene.owner.client.ok(`DELETE /saved_snippets/${Number(id)}`);
      await queue.next({ type: 'saved_snippets', op: 'remove', saved_snippet_id: id });
      await queue.end();
    },
    { since: 368 },
  ),
);

/** A person's presence has a combined status, except at levels 487 to 496, which have only times. */
function presenceAt({ level }: Scene, status: unknown) {
  return level >= 487 && level < 497
    ? { active_timestamp: number }
    : { aggregated: { status, timestamp: number } };
}

/** Presence and user status. */
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
  check('sends events about presence', 'Clients show it at once.', async (scene) => {
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
  check('sends events about a status', 'Clients show it beside the name.', async (scene) => {
    const { person } = scene;
    const queue = await scene.listen(['user_status']);
    const status = scene.word();
    await person.client.ok('POST /users/me/status', { status_text: status });
    await queue.next({ type: 'user_status', user_id: person.id, status_text: status });
    await person.client.ok('POST /users/me/status', { status_text: '' });
    await queue.next({ type: 'user_status', user_id: person.id, status_text: '' });
    await queue.end();
  }),
  check('sends events about typing', 'Clients show who writes.', async (scene) => {
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
  check('sends events about typing in channels', 'To clients that say that they show it.', async (scene) => {
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
