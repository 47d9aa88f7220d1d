import { check, topicOf } from '../check';
import { boolean, expectThat, listWith, listWithout, number, numberOrNull, text } from '../expectations';

/** Channels: listing, creating, changing, archiving. */
export const CHANNELS = topicOf(
  'channels',
  check('lists channels', 'The list has the channel of this run.', async ({ owner, channel }) => {
    expectThat(
      'streams',
      (await owner.client.ok('GET /streams'))['streams'],
      listWith({ stream_id: channel.id, name: channel.name }),
    );
  }),
  check('has what clients show in each record', 'A client reads each of these.', async ({ owner }) => {
    const { streams } = await owner.client.ok('GET /streams');
    for (const stream of streams as object[]) {
      expectThat('a channel', stream, {
        stream_id: number,
        name: text,
        description: text,
        rendered_description: text,
        date_created: number,
        invite_only: boolean,
        is_web_public: boolean,
        history_public_to_subscribers: boolean,
        first_message_id: numberOrNull,
        message_retention_days: numberOrNull,
      });
    }
  }),
  check('finds a channel by name', 'Programs know names rather than IDs.', async ({ owner, channel }) => {
    expectThat('GET /get_stream_id', await owner.client.ok('GET /get_stream_id', { stream: channel.name }), {
      stream_id: channel.id,
    });
  }),
  check('finds a channel by ID', 'The record is that of the list.', async ({ owner, channel }) => {
    expectThat('stream', (await owner.client.ok(`GET /streams/${channel.id}`))['stream'], {
      stream_id: channel.id,
      name: channel.name,
    });
  }),
  check('refuses a name that no channel has', 'It is an error of the request.', async (scene) => {
    await scene.owner.client.refused('GET /get_stream_id', { stream: scene.word() }, 400, 'BAD_REQUEST');
  }),
  check('refuses an ID that no channel has', 'It is an error of the request.', async ({ owner }) => {
    await owner.client.refused('GET /streams/2000000000', {}, 400, 'BAD_REQUEST');
  }),
  check(
    'lists the subscribers of a channel',
    'All that this run has made are there.',
    async ({ owner, bot, channel }) => {
      const { subscribers } = await owner.client.ok(`GET /streams/${channel.id}/members`);
      expectThat(
        'subscribers',
        [owner.id, bot.id].every((id) => (subscribers as number[]).includes(id)),
        true,
      );
    },
  ),
  check(
    'creates a channel on subscribing to a new name',
    'There is no other way in older releases.',
    async (scene) => {
      const { id } = await scene.makeChannel();
      expectThat('stream', (await scene.owner.client.ok(`GET /streams/${id}`))['stream'], {
        invite_only: false,
      });
    },
  ),
  check('sends events about new channels', 'Clients list them at once.', async (scene) => {
    const queue = await scene.listen(['stream', 'subscription']);
    const { id, name } = await scene.makeChannel();
    await queue.next({ type: 'stream', op: 'create', streams: listWith({ stream_id: id, name }) });
    await queue.next({ type: 'subscription', op: 'add', subscriptions: listWith({ stream_id: id, name }) });
    await queue.end();
  }),
  check('makes private channels', 'Other users do not learn of them.', async (scene) => {
    const { id } = await scene.makeChannel({ invite_only: true });
    expectThat('stream', (await scene.owner.client.ok(`GET /streams/${id}`))['stream'], {
      invite_only: true,
      history_public_to_subscribers: false,
    });
    expectThat(
      'streams of another user',
      (await scene.bot.client.ok('GET /streams'))['streams'],
      listWithout({ stream_id: id }),
    );
  }),
  check('hides private channels from others', 'They are answered as if there were none.', async (scene) => {
    const { id } = await scene.makeChannel({ invite_only: true });
    await scene.bot.client.refused(`GET /streams/${id}`, {}, 400, 'BAD_REQUEST');
  }),
  check('hides who is in a private channel', 'Only those in it are told.', async (scene) => {
    const { id } = await scene.makeChannel({ invite_only: true });
    await scene.bot.client.refused(`GET /streams/${id}/members`, {}, 400, 'BAD_REQUEST');
  }),
  check('lists only what is asked for', "Programs ask for one's own, or for all.", async (scene) => {
    const { id } = await scene.makeChannel();
    const listed = async (parameters: object) =>
      (await scene.bot.client.ok('GET /streams', { ...parameters }))['streams'];
    expectThat('streams', await listed({ include_public: true }), listWith({ stream_id: id }));
    const own = await listed({ include_public: false });
    expectThat('own streams', own, listWith({ stream_id: scene.channel.id }));
    expectThat('own streams', own, listWithout({ stream_id: id }));
  }),
  check('renames a channel, and sends an event', 'Clients follow.', async (scene) => {
    const { id } = await scene.makeChannel();
    const queue = await scene.listen(['stream']);
    const name = `conformance ${scene.word()}`;
    await scene.owner.client.ok(`PATCH /streams/${id}`, { new_name: name });
    await queue.next({ type: 'stream', op: 'update', stream_id: id, property: 'name', value: name });
    await queue.end();
  }),
  check('changes a description, and renders it', 'Clients show the HTML.', async (scene) => {
    const { id } = await scene.makeChannel();
    const queue = await scene.listen(['stream']);
    await scene.owner.client.ok(`PATCH /streams/${id}`, { description: 'Very **good**' });
    await queue.next({
      type: 'stream',
      op: 'update',
      stream_id: id,
      property: 'description',
      value: 'Very **good**',
      rendered_description: /<strong>good<\/strong>/,
    });
    await queue.end();
  }),
  check('refuses the name of another channel', 'Names are unique.', async (scene) => {
    const { id } = await scene.makeChannel();
    await scene.owner.client.refused(`PATCH /streams/${id}`, { new_name: scene.channel.name });
  }),
  check('makes a public channel private', 'The record says it at once.', async (scene) => {
    const { id } = await scene.makeChannel();
    await scene.owner.client.ok(`PATCH /streams/${id}`, {
      is_private: true,
      history_public_to_subscribers: true,
    });
    expectThat('stream', (await scene.owner.client.ok(`GET /streams/${id}`))['stream'], {
      invite_only: true,
      history_public_to_subscribers: true,
    });
  }),
  check('archives a channel', 'It is no longer listed.', async (scene) => {
    const { id, name } = await scene.makeChannel();
    await scene.owner.client.ok(`DELETE /streams/${id}`);
    expectThat(
      'streams',
      (await scene.owner.client.ok('GET /streams'))['streams'],
      listWithout({ stream_id: id }),
    );
    await scene.owner.client.refused('POST /messages', {
      type: 'stream',
      to: name,
      topic: 'x',
      content: 'x',
    });
  }),
  check(
    'brings an archived channel back',
    'With its messages.',
    async (scene) => {
      const { id, name } = await scene.makeChannel();
      const message = { type: 'stream', to: name, topic: 'x', content: 'x' };
      const { id: sent } = await scene.owner.client.ok('POST /messages', message);
      await scene.owner.client.ok(`DELETE /streams/${id}`);
      await scene.owner.client.ok(`PATCH /streams/${id}`, { is_archived: false });
      expectThat(
        'streams',
        (await scene.owner.client.ok('GET /streams'))['streams'],
        listWith({ stream_id: id, is_archived: false }),
      );
      expectThat('message', await scene.message(Number(sent)), { stream_id: id });
    },
    { since: 388 },
  ),
  check(
    'makes a channel a default one, and takes it back',
    'Newcomers are subscribed to those.',
    async (scene) => {
      const { id } = await scene.makeChannel();
      for (const [method, isDefault] of [
        ['POST', true],
        ['DELETE', false],
      ] as const) {
        await scene.owner.client.ok(`${method} /default_streams`, { stream_id: id });
        expectThat(
          `streams after ${method}`,
          (await scene.owner.client.ok('GET /streams', { include_default: true }))['streams'],
          listWith({ stream_id: id, is_default: isDefault }),
        );
      }
    },
  ),
  check('lists the topics of a channel, the newest first', 'Clients complete them.', async (scene) => {
    const { name, id } = await scene.makeChannel();
    for (const topic of ['first', 'second'])
      await scene.owner.client.ok('POST /messages', { type: 'stream', to: name, topic, content: 'x' });
    const { topics } = await scene.owner.client.ok(`GET /users/me/${id}/topics`);
    const names = (topics as { name: string }[])
      .map((topic) => topic.name)
      .filter((topic) => topic === 'first' || topic === 'second');
    expectThat('topics', names.join(), 'second,first');
    expectThat('topics', topics, listWith({ name: 'first', max_id: number }));
  }),
  check('follows, mutes and unmutes topics', 'Each client of a person is told.', async (scene) => {
    const queue = await scene.listen(['user_topic']);
    await scene.send('x', { topic: 'policies' });
    for (const policy of [3, 1, 2, 0]) {
      await scene.owner.client.ok('POST /user_topics', {
        stream_id: scene.channel.id,
        topic: 'policies',
        visibility_policy: policy,
      });
      await queue.next({
        type: 'user_topic',
        stream_id: scene.channel.id,
        topic_name: 'policies',
        visibility_policy: policy,
      });
    }
    await queue.end();
  }),
  check('deletes a topic', 'Its messages are gone, and clients are told.', async (scene) => {
    const topic = scene.word();
    const id = await scene.send('x', { topic });
    const queue = await scene.listen(['delete_message'], scene.owner, {
      client_capabilities: { notification_settings_null: true, bulk_message_deletion: true },
    });
    await scene.owner.client.ok(`POST /streams/${scene.channel.id}/delete_topic`, { topic_name: topic });
    await queue.next({
      type: 'delete_message',
      message_ids: listWith(id),
      stream_id: scene.channel.id,
      topic,
    });
    await queue.end();
  }),
  check(
    'gives the address of a channel',
    'Mails to it become messages where the server takes mails.',
    async ({ owner, channel }) => {
      expectThat(
        'GET /streams/…/email_address',
        await owner.client.ok(`GET /streams/${channel.id}/email_address`),
        { email: text },
      );
    },
  ),
  check(
    'keeps folders of channels',
    'Clients group their lists by them.',
    async (scene) => {
      const name = `conformance ${scene.word()}`;
      const { channel_folder_id: id } = await scene.owner.client.ok('POST /channel_folders/create', {
        name,
        description: '',
      });
      scene.later(`PATCH /channel_folders/${Number(id)}`, { is_archived: true });
      const listed = async (parameters = {}) =>
        (await scene.owner.client.ok('GET /channel_folders', parameters))['channel_folders'];
      expectThat('channel_folders', await listed(), listWith({ id, name, is_archived: false }));
      await scene.owner.client.ok(`PATCH /channel_folders/${Number(id)}`, { is_archived: true });
      expectThat('channel_folders', await listed(), listWithout({ id }));
      expectThat('all channel_folders', await listed({ include_archived: true }), listWith({ id }));
    },
    { since: 389 },
  ),
);
