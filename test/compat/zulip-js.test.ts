import zulip from 'zulip-js';
import { apiKeyOf } from '../support/account-setup';
import { PASSWORD, type Member } from '../support/cast';
import { createChannel } from '../support/channel-setup';
import { TestApp } from '../support/test-app';

/**
 * The official JavaScript client against a listening server: POST parameters travel as multipart forms, all others in
 * the query string, and arrays are encoded by the caller except in POST.
 */
describe('zulip-js', () => {
  let app: TestApp;
  let realm: string;

  beforeAll(async () => {
    app = await TestApp.start();
    await app.nest.listen(0, '127.0.0.1');
    realm = await app.nest.getUrl();
  });

  afterAll(() => app.stop());

  const clientOf = (member: Member) =>
    zulip({ username: member.email, apiKey: apiKeyOf(app, member), realm });

  describe('signing in', () => {
    it('takes a password and fetches the key', async () => {
      const { mia } = app.cast;
      const client = await zulip({ username: mia.email, password: PASSWORD, realm });
      expect(client.config.apiKey).toBe(apiKeyOf(app, mia));
      await expect(client.users.me.getProfile()).resolves.toMatchObject({ user_id: mia.id });
    });

    it('reads a refusal as JSON', async () => {
      const client = await zulip({ username: app.cast.mia.email, apiKey: 'x'.repeat(32), realm });
      await expect(client.users.me.getProfile()).resolves.toEqual({
        result: 'error',
        msg: 'Invalid API key',
        code: 'UNAUTHORIZED',
      });
    });

    it('reads the settings of the server', async () => {
      const client = await clientOf(app.cast.mia);
      const settings = await client.server.settings();
      expect(settings).toMatchObject({ result: 'success', realm_url: 'http://chat.example.com' });
      expect(settings.zulip_feature_level).toBeGreaterThanOrEqual(497);
    });
  });

  describe('users', () => {
    it('lists everybody', async () => {
      const client = await clientOf(app.cast.mia);
      const { members } = await client.users.retrieve({ client_gravatar: true });
      expect(members.map(({ user_id }: { user_id: number }) => user_id)).toEqual(
        expect.arrayContaining(Object.values(app.cast).map(({ id }) => id)),
      );
    });

    it('creates an account that can sign in', async () => {
      const client = await clientOf(app.cast.olivia);
      const password = 'three owls on a fence';
      const created = await client.users.create({ email: 'nils@example.com', password, full_name: 'Nils' });
      expect(created).toEqual({ result: 'success', msg: '', user_id: expect.any(Number) });
      const nils = await zulip({ username: 'nils@example.com', password, realm });
      await expect(nils.users.me.getProfile()).resolves.toMatchObject({
        user_id: created.user_id,
        full_name: 'Nils',
      });
    });

    it('reads its own profile', async () => {
      const { robo } = app.cast;
      const client = await clientOf(robo);
      await expect(client.users.me.getProfile()).resolves.toMatchObject({ user_id: robo.id, is_bot: true });
    });
  });

  describe('channels', () => {
    it('subscribes, itself and others, and unsubscribes', async () => {
      const { mia, max } = app.cast;
      const client = await clientOf(mia);
      const subscriptions = [{ name: 'garden', description: 'What grows' }];
      await expect(
        client.users.me.subscriptions.add({ subscriptions, principals: JSON.stringify([mia.id, max.id]) }),
      ).resolves.toMatchObject({
        result: 'success',
        subscribed: { [mia.id]: ['garden'], [max.id]: ['garden'] },
      });
      await expect(
        client.users.me.subscriptions.remove({ subscriptions: JSON.stringify(['garden']) }),
      ).resolves.toEqual({ result: 'success', msg: '', removed: ['garden'], not_removed: [] });
    });

    it('lists channels and subscriptions', async () => {
      const { mia } = app.cast;
      const stream_id = await createChannel(app, mia, 'attic');
      const client = await clientOf(mia);
      const { streams } = await client.streams.retrieve({ include_public: false, include_subscribed: true });
      expect(streams).toContainEqual(expect.objectContaining({ name: 'attic', stream_id }));
      const { subscriptions } = await client.streams.subscriptions.retrieve();
      expect(subscriptions).toContainEqual(expect.objectContaining({ name: 'attic', stream_id }));
    });

    it('finds the ID of a channel, by text and by parameter', async () => {
      const { mia } = app.cast;
      const stream_id = await createChannel(app, mia, 'cellar');
      const client = await clientOf(mia);
      const answer = { result: 'success', msg: '', stream_id };
      await expect(client.streams.getStreamId('cellar')).resolves.toEqual(answer);
      await expect(client.streams.getStreamId({ stream: 'cellar' })).resolves.toEqual(answer);
    });

    it('archives a channel', async () => {
      const { mia, adam } = app.cast;
      const stream_id = await createChannel(app, mia, 'porch');
      const client = await clientOf(adam);
      await expect(client.streams.deleteById({ stream_id })).resolves.toMatchObject({ result: 'success' });
      const { streams } = await client.streams.retrieve({ exclude_archived: false });
      expect(streams).toContainEqual(expect.objectContaining({ stream_id, is_archived: true }));
    });
  });

  describe('messages', () => {
    let stream_id: number;

    beforeAll(async () => {
      const { mia, robo } = app.cast;
      stream_id = await createChannel(app, mia, 'lunch', { principals: [mia.id, robo.id] });
    });

    it('sends to a topic, lists the topics and fetches the messages', async () => {
      const client = await clientOf(app.cast.robo);
      const sent = await client.messages.send({
        to: 'lunch',
        type: 'stream',
        topic: 'Tuesday',
        content: 'Soup **at noon**?',
      });
      expect(sent).toMatchObject({ result: 'success', id: expect.any(Number) });
      await expect(client.streams.topics.retrieve({ stream_id })).resolves.toEqual({
        result: 'success',
        msg: '',
        topics: [{ name: 'Tuesday', max_id: sent.id }],
      });
      const fetched = await client.messages.retrieve({
        anchor: 'newest',
        num_before: 100,
        num_after: 0,
        apply_markdown: false,
        narrow: [
          { operator: 'stream', operand: 'lunch' },
          { operator: 'topic', operand: 'Tuesday' },
        ],
      });
      expect(fetched).toMatchObject({ result: 'success', found_newest: true });
      expect(fetched.messages).toEqual([
        expect.objectContaining({ id: sent.id, subject: 'Tuesday', stream_id, content: 'Soup **at noon**?' }),
      ]);
    });

    it('sends directly, to an address and to IDs', async () => {
      const { mia, max } = app.cast;
      const client = await clientOf(mia);
      for (const to of [max.email, [max.id]]) {
        const sent = await client.messages.send({ to, type: 'private', content: 'Psst' });
        expect(sent).toMatchObject({ result: 'success' });
        const { message } = await client.messages.getById({ message_id: sent.id });
        expect(message).toMatchObject({ type: 'private', content: '<p>Psst</p>' });
        expect(message.display_recipient.map(({ id }: Member) => id).sort()).toEqual([max.id, mia.id].sort());
      }
    });

    it('reacts and takes that back', async () => {
      const { robo } = app.cast;
      const client = await clientOf(robo);
      const sent = await client.messages.send({
        to: 'lunch',
        type: 'stream',
        topic: 'Friday',
        content: 'Fish',
      });
      const reaction = { message_id: sent.id, emoji_name: 'fish' };
      await expect(client.reactions.add(reaction)).resolves.toMatchObject({ result: 'success' });
      const { message } = await client.messages.getById({ message_id: sent.id });
      expect(message.reactions).toEqual([
        { emoji_name: 'fish', emoji_code: '1f41f', reaction_type: 'unicode_emoji', user_id: robo.id },
      ]);
      await expect(client.reactions.remove(reaction)).resolves.toMatchObject({ result: 'success' });
      await expect(client.emojis.retrieve()).resolves.toEqual({ result: 'success', msg: '', emoji: {} });
    });

    it('renders Markdown, given as text and as parameter', async () => {
      const client = await clientOf(app.cast.mia);
      const answer = { result: 'success', msg: '', rendered: '<p>Hi <strong>there</strong></p>' };
      await expect(client.messages.render('Hi **there**')).resolves.toEqual(answer);
      await expect(client.messages.render({ content: 'Hi **there**' })).resolves.toEqual(answer);
    });
  });

  it('calls any endpoint, and gets JSON for paths that do not exist', async () => {
    const client = await clientOf(app.cast.robo);
    const storage = { greeting: 'Hello' };
    await expect(
      client.callEndpoint('/bot_storage', 'PUT', { storage: JSON.stringify(storage) }),
    ).resolves.toEqual({ result: 'success', msg: '' });
    await expect(client.callEndpoint('bot_storage')).resolves.toEqual({
      result: 'success',
      msg: '',
      storage,
    });
    await expect(client.callEndpoint('/nowhere')).resolves.toMatchObject({ result: 'error' });
  });
});
