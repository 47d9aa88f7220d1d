import { check, topicOf } from '../check';
import { CheckSkipped, expectThat, listWith, listWithout, number, text } from '../expectations';

/** Editing, moving and deleting messages. */
export const CHANGING = topicOf(
  'changing messages',
  check('edits the content', 'The HTML is rendered again.', async (scene) => {
    const id = await scene.send('before');
    await scene.owner.client.ok(`PATCH /messages/${id}`, { content: '**after**' });
    expectThat('message', await scene.message(id), {
      content: '<p><strong>after</strong></p>',
      last_edit_timestamp: number,
    });
  }),
  check('sends events about edits', 'Clients show them at once.', async (scene) => {
    const id = await scene.send('before');
    const queue = await scene.listen(['update_message'], scene.bot);
    await scene.owner.client.ok(`PATCH /messages/${id}`, { content: 'after' });
    await queue.next({
      type: 'update_message',
      message_id: id,
      message_ids: listWith(id),
      user_id: scene.owner.id,
      content: 'after',
      rendered_content: '<p>after</p>',
      orig_content: 'before',
      rendering_only: false,
      edit_timestamp: number,
    });
    await queue.end();
  }),
  check('keeps the history of edits', 'Clients show what was before.', async (scene) => {
    const id = await scene.send('before');
    await scene.owner.client.ok(`PATCH /messages/${id}`, { content: 'after' });
    const { message_history: history } = await scene.owner.client.ok(`GET /messages/${id}/history`);
    expectThat(
      'message_history',
      history,
      listWith({
        content: 'before',
        rendered_content: '<p>before</p>',
        topic: 'checks',
        timestamp: number,
        user_id: scene.owner.id,
      }),
    );
    expectThat(
      'message_history',
      history,
      listWith({ content: 'after', prev_content: 'before', content_html_diff: text }),
    );
  }),
  check('refuses edits of messages by others', 'Not even owners.', async (scene) => {
    const id = await scene.send('mine', { by: scene.bot });
    await scene.owner.client.refused(`PATCH /messages/${id}`, { content: 'yours' });
  }),
  check('refuses an edit that changes nothing', 'It is an error of the request.', async (scene) => {
    await scene.owner.client.refused(`PATCH /messages/${await scene.send('x')}`);
  }),
  check('moves a message to another topic', 'The rest of the topic stays.', async (scene) => {
    const topic = scene.word();
    const [first, second] = [await scene.send('1', { topic }), await scene.send('2', { topic })];
    await scene.owner.client.ok(`PATCH /messages/${second}`, {
      topic: `${topic} b`,
      propagate_mode: 'change_one',
      send_notification_to_old_thread: false,
      send_notification_to_new_thread: false,
    });
    expectThat('message', await scene.message(first), { subject: topic });
    expectThat('message', await scene.message(second), { subject: `${topic} b` });
  }),
  check('moves those that follow', 'As clients ask before a move.', async (scene) => {
    const topic = scene.word();
    const ids = [
      await scene.send('1', { topic }),
      await scene.send('2', { topic }),
      await scene.send('3', { topic }),
    ];
    await scene.owner.client.ok(`PATCH /messages/${ids[1]}`, {
      topic: `${topic} b`,
      propagate_mode: 'change_later',
      send_notification_to_new_thread: false,
    });
    const topics = await Promise.all(ids.map(async (id) => (await scene.message(id))['subject']));
    expectThat('topics', topics.join(), [topic, `${topic} b`, `${topic} b`].join());
  }),
  check('moves a whole topic, and sends an event', 'Clients follow.', async (scene) => {
    const topic = scene.word();
    const ids = [await scene.send('1', { topic }), await scene.send('2', { topic })];
    const queue = await scene.listen(['update_message']);
    await scene.owner.client.ok(`PATCH /messages/${ids[0]}`, {
      topic: `${topic} b`,
      propagate_mode: 'change_all',
      send_notification_to_new_thread: false,
    });
    const event = await queue.next({
      type: 'update_message',
      orig_subject: topic,
      subject: `${topic} b`,
      propagate_mode: 'change_all',
    });
    expectThat(
      'message_ids',
      (event['message_ids'] as number[]).toSorted((a, b) => a - b).join(),
      ids.join(),
    );
    await queue.end();
  }),
  check('moves a topic to another channel', 'Its messages are read there.', async (scene) => {
    const topic = scene.word();
    const id = await scene.send('x', { topic });
    const { id: target } = await scene.makeChannel();
    await scene.owner.client.ok(`PATCH /messages/${id}`, {
      stream_id: target,
      propagate_mode: 'change_all',
      send_notification_to_new_thread: false,
      send_notification_to_old_thread: false,
    });
    expectThat('message', await scene.message(id), { stream_id: target, subject: topic });
  }),
  check('resolves a topic', 'A check mark before its name says so.', async (scene) => {
    const topic = scene.word();
    const id = await scene.send('x', { topic });
    await scene.owner.client.ok(`PATCH /messages/${id}`, {
      topic: `✔ ${topic}`,
      propagate_mode: 'change_all',
    });
    expectThat('message', await scene.message(id), { subject: `✔ ${topic}` });
  }),
  check(
    'refuses to change the content while moving to another channel',
    'One request does one of them.',
    async (scene) => {
      const id = await scene.send('x');
      const { id: target } = await scene.makeChannel();
      await scene.owner.client.refused(`PATCH /messages/${id}`, { stream_id: target, content: 'y' });
    },
  ),
  check('deletes a message', 'It can no longer be read.', async (scene) => {
    const id = await scene.send('x');
    await scene.owner.client.ok(`DELETE /messages/${id}`);
    await scene.owner.client.refused(`GET /messages/${id}`, {}, 400, 'BAD_REQUEST');
  }),
  check('sends events about deleted messages', 'Clients remove them.', async (scene) => {
    const id = await scene.send('x', { topic: 'going' });
    const queue = await scene.listen(['delete_message'], scene.bot, {
      client_capabilities: { notification_settings_null: true, bulk_message_deletion: true },
    });
    await scene.owner.client.ok(`DELETE /messages/${id}`);
    await queue.next({
      type: 'delete_message',
      message_type: 'stream',
      message_ids: listWith(id),
      stream_id: scene.channel.id,
      topic: 'going',
    });
    await queue.end();
  }),
  check(
    'tells older clients of one deleted message at a time',
    'Those that do not declare the capability.',
    async (scene) => {
      const id = await scene.send('x');
      const queue = await scene.listen(['delete_message']);
      await scene.owner.client.ok(`DELETE /messages/${id}`);
      await queue.next({ type: 'delete_message', message_id: id });
      await queue.end();
    },
  ),
  check('refuses to delete twice', 'The second has nothing to delete.', async (scene) => {
    const id = await scene.send('x');
    await scene.owner.client.ok(`DELETE /messages/${id}`);
    await scene.owner.client.refused(`DELETE /messages/${id}`, {}, 400, 'BAD_REQUEST');
  }),
  check('says who has read a message', 'Senders look there.', async (scene) => {
    const { realm_enable_read_receipts: isOn } = await scene.state(['realm']);
    if (isOn !== true) throw new CheckSkipped('The organization has read receipts off.');
    const id = await scene.send('x');
    const readers = async () =>
      (await scene.owner.client.ok(`GET /messages/${id}/read_receipts`))['user_ids'];
    expectThat('user_ids before', await readers(), listWithout(scene.bot.id));
    await scene.bot.client.ok('POST /messages/flags', { messages: [id], op: 'add', flag: 'read' });
    expectThat('user_ids', await readers(), listWith(scene.bot.id));
  }),
);
