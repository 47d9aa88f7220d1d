import { check, topicOf } from '../check';
import { expectThat, list, listWith, listWithout, number } from '../expectations';

/** Reactions. */
export const REACTIONS = topicOf(
  'reactions',
  check('adds a reaction', 'The message has it.', async (scene) => {
    const id = await scene.send('x');
    await scene.bot.client.ok(`POST /messages/${id}/reactions`, { emoji_name: 'tada' });
    expectThat(
      'reactions',
      (await scene.message(id))['reactions'],
      listWith({
        emoji_name: 'tada',
        emoji_code: '1f389',
        reaction_type: 'unicode_emoji',
        user_id: scene.bot.id,
      }),
    );
  }),
  check('removes a reaction', 'The message no longer has it.', async (scene) => {
    const id = await scene.send('x');
    await scene.bot.client.ok(`POST /messages/${id}/reactions`, { emoji_name: 'tada' });
    await scene.bot.client.ok(`DELETE /messages/${id}/reactions`, { emoji_name: 'tada' });
    expectThat('reactions', (await scene.message(id))['reactions'], listWithout({ emoji_name: 'tada' }));
  }),
  check('sends events about both', 'Clients show them at once.', async (scene) => {
    const id = await scene.send('x');
    const queue = await scene.listen(['reaction']);
    const reaction = {
      type: 'reaction',
      message_id: id,
      user_id: scene.bot.id,
      emoji_name: 'tada',
      emoji_code: '1f389',
      reaction_type: 'unicode_emoji',
    };
    await scene.bot.client.ok(`POST /messages/${id}/reactions`, { emoji_name: 'tada' });
    await queue.next({ ...reaction, op: 'add' });
    await scene.bot.client.ok(`DELETE /messages/${id}/reactions`, { emoji_name: 'tada' });
    await queue.next({ ...reaction, op: 'remove' });
    await queue.end();
  }),
  check('takes an emoji by its code', 'Names differ between releases, and codes do not.', async (scene) => {
    const id = await scene.send('x');
    const emoji = { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' };
    await scene.bot.client.ok(`POST /messages/${id}/reactions`, emoji);
    expectThat('reactions', (await scene.message(id))['reactions'], listWith(emoji));
    const { emoji_code, reaction_type } = emoji;
    await scene.bot.client.ok(`DELETE /messages/${id}/reactions`, { emoji_code, reaction_type });
    expectThat('reactions', (await scene.message(id))['reactions'], listWithout({ emoji_code }));
  }),
  check('refuses a code that does not fit its name', 'Clients would show two pictures.', async (scene) => {
    const id = await scene.send('x');
    const emoji = { emoji_name: 'tada', emoji_code: '1f44d', reaction_type: 'unicode_emoji' };
    await scene.owner.client.refused(`POST /messages/${id}/reactions`, emoji, 400, 'BAD_REQUEST');
  }),
  check('refuses the same reaction twice', 'Clients show one at most.', async (scene) => {
    const id = await scene.send('x');
    await scene.owner.client.ok(`POST /messages/${id}/reactions`, { emoji_name: 'tada' });
    await scene.owner.client.refused(
      `POST /messages/${id}/reactions`,
      { emoji_name: 'tada' },
      400,
      'REACTION_ALREADY_EXISTS',
    );
  }),
  check(
    'refuses to remove what is not there',
    'It may have been removed in another client.',
    async (scene) => {
      const id = await scene.send('x');
      await scene.owner.client.refused(
        `DELETE /messages/${id}/reactions`,
        { emoji_name: 'tada' },
        400,
        'REACTION_DOES_NOT_EXIST',
      );
    },
  ),
  check('refuses emoji that there are not', 'It is an error of the request.', async (scene) => {
    await scene.owner.client.refused(
      `POST /messages/${await scene.send('x')}/reactions`,
      { emoji_name: scene.word() },
      400,
      'BAD_REQUEST',
    );
  }),
  check(
    'refuses reactions to what one cannot read',
    'They are answered as if there were no message.',
    async (scene) => {
      const { name } = await scene.makeChannel({ invite_only: true });
      const { id } = await scene.owner.client.ok('POST /messages', {
        type: 'stream',
        to: name,
        topic: 'x',
        content: 'x',
      });
      await scene.bot.client.refused(
        `POST /messages/${Number(id)}/reactions`,
        { emoji_name: 'tada' },
        400,
        'BAD_REQUEST',
      );
    },
  ),
);

/** Read, starred and other flags. */
export const FLAGS = topicOf(
  'flags',
  check('marks messages as read', 'The message has the flag.', async (scene) => {
    const id = await scene.send('x', { by: scene.bot });
    expectThat(
      'POST /messages/flags',
      await scene.owner.client.ok('POST /messages/flags', { messages: [id], op: 'add', flag: 'read' }),
      { messages: listWith(id) },
    );
    expectThat('flags', (await scene.message(id))['flags'], listWith('read'));
  }),
  check('marks them as unread again', 'The flag is gone.', async (scene) => {
    const id = await scene.send('x');
    await scene.owner.client.ok('POST /messages/flags', { messages: [id], op: 'remove', flag: 'read' });
    expectThat('flags', (await scene.message(id))['flags'], listWithout('read'));
  }),
  check('stars messages, and sends an event', 'All clients of the person follow.', async (scene) => {
    const id = await scene.send('x');
    const queue = await scene.listen(['update_message_flags']);
    await scene.owner.client.ok('POST /messages/flags', { messages: [id], op: 'add', flag: 'starred' });
    await queue.next({
      type: 'update_message_flags',
      op: 'add',
      flag: 'starred',
      messages: listWith(id),
      all: false,
    });
    await scene.owner.client.ok('POST /messages/flags', { messages: [id], op: 'remove', flag: 'starred' });
    await queue.next({ type: 'update_message_flags', op: 'remove', flag: 'starred', messages: listWith(id) });
    await queue.end();
  }),
  check('sends events about messages marked as read and unread', 'Counts follow.', async (scene) => {
    const topic = scene.word();
    const id = await scene.send('x', { topic, by: scene.bot });
    const queue = await scene.listen(['update_message_flags']);
    const event = { type: 'update_message_flags', flag: 'read', messages: listWith(id) };
    await scene.owner.client.ok('POST /messages/flags', { messages: [id], op: 'add', flag: 'read' });
    await queue.next({ ...event, op: 'add', all: false });
    await scene.owner.client.ok('POST /messages/flags', { messages: [id], op: 'remove', flag: 'read' });
    await queue.next({
      ...event,
      op: 'remove',
      message_details: { [String(id)]: { type: 'stream', stream_id: scene.channel.id, topic } },
    });
    await queue.end();
  }),
  check('collapses messages', 'They stay so on each device.', async (scene) => {
    const id = await scene.send('x');
    const flag = { messages: [id], flag: 'collapsed' };
    await scene.owner.client.ok('POST /messages/flags', { ...flag, op: 'add' });
    expectThat('flags', (await scene.message(id))['flags'], listWith('collapsed'));
    await scene.owner.client.ok('POST /messages/flags', { ...flag, op: 'remove' });
    expectThat('flags', (await scene.message(id))['flags'], listWithout('collapsed'));
  }),
  check('sets flags for one person alone', 'What one has read, others have not.', async (scene) => {
    const id = await scene.send('x');
    await scene.bot.client.ok('POST /messages/flags', { messages: [id], op: 'add', flag: 'starred' });
    expectThat('flags of the bot', (await scene.message(id, scene.bot))['flags'], listWith('starred'));
    expectThat('flags of the owner', (await scene.message(id))['flags'], listWithout('starred'));
  }),
  check('marks a channel as read', 'The older request for it.', async (scene) => {
    const id = await scene.send('x', { by: scene.bot });
    await scene.owner.client.ok('POST /mark_stream_as_read', { stream_id: scene.channel.id });
    expectThat('flags', (await scene.message(id))['flags'], listWith('read'));
  }),
  check('marks everything as read', 'The older request for it.', async (scene) => {
    const id = await scene.send('x');
    expectThat('flags before', (await scene.message(id, scene.bot))['flags'], listWithout('read'));
    await scene.bot.client.ok('POST /mark_all_as_read');
    expectThat('flags', (await scene.message(id, scene.bot))['flags'], listWith('read'));
  }),
  check('refuses flags that there are not', 'It is an error of the request.', async (scene) => {
    await scene.owner.client.refused(
      'POST /messages/flags',
      { messages: [await scene.send('x')], op: 'add', flag: 'shiny' },
      400,
      'BAD_REQUEST',
    );
  }),
  check('refuses flags that only the server sets', 'Mentions cannot be set by clients.', async (scene) => {
    await scene.owner.client.refused(
      'POST /messages/flags',
      { messages: [await scene.send('x')], op: 'add', flag: 'mentioned' },
      400,
      'BAD_REQUEST',
    );
  }),
  check('marks a narrow as read', 'The answer says how far it came.', async (scene) => {
    const topic = scene.word();
    const id = await scene.send('x', { topic, by: scene.bot });
    const answer = await scene.owner.client.ok('POST /messages/flags/narrow', {
      anchor: 'oldest',
      num_before: 0,
      num_after: 100,
      narrow: [{ operator: 'topic', operand: topic }],
      op: 'add',
      flag: 'read',
    });
    expectThat('POST /messages/flags/narrow', answer, {
      processed_count: 1,
      updated_count: 1,
      first_processed_id: id,
      last_processed_id: id,
      found_oldest: true,
      found_newest: true,
    });
  }),
  check('marks a topic as read', 'The older request for it.', async (scene) => {
    const topic = scene.word();
    const id = await scene.send('x', { topic, by: scene.bot });
    await scene.owner.client.ok('POST /mark_topic_as_read', {
      stream_id: scene.channel.id,
      topic_name: topic,
    });
    expectThat('flags', (await scene.message(id))['flags'], listWith('read'));
  }),
  check('counts what is unread at registration', 'Clients begin with it.', async (scene) => {
    const topic = scene.word();
    const id = await scene.send('x', { topic, by: scene.bot });
    const queue = await scene.listen(['message', 'update_message_flags']);
    expectThat('unread_msgs', queue.state['unread_msgs'], {
      count: number,
      mentions: list,
      streams: listWith({ stream_id: scene.channel.id, topic, unread_message_ids: listWith(id) }),
    });
    await queue.end();
  }),
);
