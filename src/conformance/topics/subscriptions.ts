import { check, topicOf } from '../check';
import { boolean, expectThat, listWith, listWithout, object, text } from '../expectations';

/** Subscribing, unsubscribing, and personal channel settings. */
export const SUBSCRIPTIONS = topicOf(
  'subscriptions',
  check("lists one's subscriptions", 'Clients show them in their sidebar.', async ({ owner, channel }) => {
    expectThat(
      'subscriptions',
      (await owner.client.ok('GET /users/me/subscriptions'))['subscriptions'],
      listWith({ stream_id: channel.id }),
    );
  }),
  check(
    'has what clients show in each record',
    'A client reads each of these.',
    async ({ owner, channel }) => {
      expectThat(
        'subscriptions',
        (await owner.client.ok('GET /users/me/subscriptions'))['subscriptions'],
        listWith({
          stream_id: channel.id,
          name: text,
          color: /^#[0-9a-fA-F]{6}$/,
          is_muted: boolean,
          pin_to_top: boolean,
          invite_only: boolean,
          description: text,
        }),
      );
    },
  ),
  check(
    'lists subscribers where it is asked for',
    'They are left out otherwise.',
    async ({ owner, bot, channel }) => {
      const { subscriptions } = await owner.client.ok('GET /users/me/subscriptions', {
        include_subscribers: true,
      });
      expectThat(
        'subscriptions',
        subscriptions,
        listWith({ stream_id: channel.id, subscribers: listWith(bot.id) }),
      );
    },
  ),
  check('says who was subscribed', 'By the IDs of people, with the names of channels.', async (scene) => {
    const { name } = await scene.makeChannel();
    const answer = await scene.owner.client.ok('POST /users/me/subscriptions', {
      subscriptions: [{ name }],
      principals: [scene.bot.id],
    });
    const key = scene.level >= 289 ? String(scene.bot.id) : scene.bot.email;
    expectThat('subscribed', (answer['subscribed'] as Record<string, unknown>)[key], listWith(name));
    expectThat('already_subscribed', answer['already_subscribed'], object);
  }),
  check('says who was subscribed already', 'Subscribing twice is no error.', async (scene) => {
    const { name } = await scene.makeChannel();
    const answer = await scene.owner.client.ok('POST /users/me/subscriptions', { subscriptions: [{ name }] });
    const key = scene.level >= 289 ? String(scene.owner.id) : scene.owner.email;
    expectThat(
      'already_subscribed',
      (answer['already_subscribed'] as Record<string, unknown>)[key],
      listWith(name),
    );
  }),
  check('tells the subscribed of it', 'A bot that is added hears of the channel.', async (scene) => {
    const { name, id } = await scene.makeChannel();
    const queue = await scene.listen(['subscription'], scene.bot);
    await scene.owner.client.ok('POST /users/me/subscriptions', {
      subscriptions: [{ name }],
      principals: [scene.bot.id],
    });
    await queue.next({ type: 'subscription', op: 'add', subscriptions: listWith({ stream_id: id, name }) });
    await queue.end();
  }),
  check('tells others of new subscribers', 'Clients keep the lists up to date.', async (scene) => {
    const { name, id } = await scene.makeChannel();
    const queue = await scene.listen(['subscription']);
    await scene.owner.client.ok('POST /users/me/subscriptions', {
      subscriptions: [{ name }],
      principals: [scene.bot.id],
    });
    await queue.next({
      type: 'subscription',
      op: 'peer_add',
      stream_ids: listWith(id),
      user_ids: listWith(scene.bot.id),
    });
    await queue.end();
  }),
  check('says whether a user is subscribed', 'Programs ask before they send.', async ({ owner, channel }) => {
    expectThat(
      'GET /users/…/subscriptions/…',
      await owner.client.ok(`GET /users/${owner.id}/subscriptions/${channel.id}`),
      { is_subscribed: true },
    );
  }),
  check('unsubscribes', 'The answer names the channels that were left.', async (scene) => {
    const { name } = await scene.makeChannel();
    const answer = await scene.owner.client.ok('DELETE /users/me/subscriptions', { subscriptions: [name] });
    expectThat('removed', answer['removed'], listWith(name));
    expectThat(
      'subscriptions',
      (await scene.owner.client.ok('GET /users/me/subscriptions'))['subscriptions'],
      listWithout({ name }),
    );
  }),
  check('says what was not subscribed', 'Leaving twice is no error.', async (scene) => {
    const { name } = await scene.makeChannel();
    await scene.owner.client.ok('DELETE /users/me/subscriptions', { subscriptions: [name] });
    const answer = await scene.owner.client.ok('DELETE /users/me/subscriptions', { subscriptions: [name] });
    expectThat('not_removed', answer['not_removed'], listWith(name));
  }),
  check('unsubscribes others, and tells them', 'Their clients drop the channel.', async (scene) => {
    const { name, id } = await scene.makeChannel({ principals: [scene.owner.id, scene.bot.id] });
    const queue = await scene.listen(['subscription'], scene.bot);
    await scene.owner.client.ok('DELETE /users/me/subscriptions', {
      subscriptions: [name],
      principals: [scene.bot.id],
    });
    await queue.next({ type: 'subscription', op: 'remove', subscriptions: listWith({ stream_id: id }) });
    await queue.end();
  }),
  check(
    'changes the settings of a subscription, and sends an event',
    'Color, pin and mute are personal.',
    async (scene) => {
      const queue = await scene.listen(['subscription']);
      const { id } = scene.channel;
      await scene.owner.client.ok('POST /users/me/subscriptions/properties', {
        subscription_data: [
          { stream_id: id, property: 'color', value: '#123456' },
          { stream_id: id, property: 'pin_to_top', value: true },
          { stream_id: id, property: 'is_muted', value: true },
        ],
      });
      await queue.next({
        type: 'subscription',
        op: 'update',
        stream_id: id,
        property: 'color',
        value: '#123456',
      });
      await queue.next({
        type: 'subscription',
        op: 'update',
        stream_id: id,
        property: 'pin_to_top',
        value: true,
      });
      await queue.end();
      await scene.owner.client.ok('POST /users/me/subscriptions/properties', {
        subscription_data: [{ stream_id: id, property: 'is_muted', value: false }],
      });
    },
  ),
  check('subscribes and unsubscribes in one request', 'Clients tidy up at once.', async (scene) => {
    const [one, two] = [await scene.makeChannel(), await scene.makeChannel()];
    await scene.owner.client.ok('DELETE /users/me/subscriptions', { subscriptions: [two.name] });
    await scene.owner.client.ok('PATCH /users/me/subscriptions', {
      delete: [one.name],
      add: [{ name: two.name }],
    });
    const { subscriptions } = await scene.owner.client.ok('GET /users/me/subscriptions');
    expectThat('subscriptions', subscriptions, listWithout({ stream_id: one.id }));
    expectThat('subscriptions', subscriptions, listWith({ stream_id: two.id }));
  }),
  check('refuses to subscribe an unknown user', 'The request is all or nothing.', async (scene) => {
    const { name } = await scene.makeChannel();
    await scene.owner.client.refused('POST /users/me/subscriptions', {
      subscriptions: [{ name }],
      principals: [2_000_000_000],
    });
  }),
  check(
    'refuses a setting that there is not',
    'It is an error of the request.',
    async ({ owner, channel }) => {
      await owner.client.refused('POST /users/me/subscriptions/properties', {
        subscription_data: [{ stream_id: channel.id, property: 'loudness', value: true }],
      });
    },
  ),
  check(
    'keeps strangers out of private channels',
    'Subscribing by name does not get one in.',
    async (scene) => {
      const { name } = await scene.makeChannel({ invite_only: true });
      const { body } = await scene.bot.client.ask('POST /users/me/subscriptions', {
        subscriptions: [{ name }],
      });
      expectThat('POST /users/me/subscriptions', body, { result: 'error' });
    },
  ),
);
