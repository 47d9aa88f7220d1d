import { apiKeyOf } from '../support/account-setup';
import type { Member } from '../support/cast';
import { createChannel } from '../support/channel-setup';
import { HttpClient, type WireAnswer } from '../support/http-client';
import { TestApp } from '../support/test-app';

/**
 * What the official Python library and the bot framework on top of it send, in the forms in which they send it: every
 * parameter that is no text as JSON, in the body for all methods but GET, and nothing that is `None`. They go by the `result` of an answer and by its `code`, whatever the status.
 */
let app: TestApp;
let site: string;
let channelId: number;

beforeAll(async () => {
  app = await TestApp.start();
  await app.nest.listen(0, '127.0.0.1');
  site = `${await app.nest.getUrl()}/api/v1`;
  const { mia, robo, max } = app.cast;
  channelId = await createChannel(app, mia, 'lunch', { principals: [mia.id, robo.id, max.id] });
});

afterAll(() => app.stop());

const HEADERS = { 'user-agent': 'ZulipPython/0.9.0 (Linux; 6.12)' };

const clientOf = (member: Member) =>
  new HttpClient(site, { email: member.email, apiKey: apiKeyOf(app, member) }, HEADERS);

function success({ body }: WireAnswer) {
  expect(body).toMatchObject({ result: 'success', msg: '' });
  return body;
}

const toTopic = (content: string) => ({ type: 'stream', to: 'lunch', topic: 'today', content });

describe('The Python library', () => {
  it('asks for the settings of the server first, with its credentials', async () => {
    const settings = success(await clientOf(app.cast.mia).call('GET', '/server_settings'));
    expect(Number.parseInt(settings.zulip_version, 10)).toBeGreaterThanOrEqual(11);
    expect(settings.zulip_feature_level).toBeGreaterThanOrEqual(497);
  });

  it('sends, edits, reacts and deletes, with parameters that say twice which message it is', async () => {
    const client = clientOf(app.cast.mia);
    const { id: message_id } = success(await client.call('POST', '/messages', toTopic('soup')));
    const to = [app.cast.max.email, app.cast.robo.email];
    success(await client.call('POST', '/messages', { type: 'private', to, content: 'psst', topic: null }));

    const path = `/messages/${message_id}`;
    const edited = await client.call('PATCH', path, { message_id, content: 'stew' });
    expect(success(edited).ignored_parameters_unsupported).toEqual(['message_id']);
    const reaction = { message_id, emoji_name: 'fish' };
    success(await client.call('POST', `${path}/reactions`, reaction));
    success(await client.call('DELETE', `${path}/reactions`, reaction));
    const { raw_content } = success(await client.call('GET', path, { apply_markdown: false }));
    expect(raw_content).toBe('stew');
    success(await client.call('GET', `${path}/history`));
    success(await client.call('DELETE', path));
  });

  it('fetches with numbers, booleans and lists as JSON in the query', async () => {
    const client = clientOf(app.cast.mia);
    const { id } = success(await client.call('POST', '/messages', toTopic('bread')));
    const fetched = await client.call('GET', '/messages', {
      anchor: id,
      num_before: 0,
      num_after: 0,
      apply_markdown: false,
      client_gravatar: true,
      narrow: [
        { operator: 'stream', operand: 'lunch' },
        { operator: 'topic', operand: 'today', negated: false },
      ],
    });
    expect(success(fetched).messages).toEqual([expect.objectContaining({ id, content: 'bread' })]);
  });

  it('subscribes and unsubscribes, itself and others', async () => {
    const client = clientOf(app.cast.mia);
    const added = await client.call('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'garden' }],
      principals: [app.cast.max.email, app.cast.mia.email],
    });
    expect(success(added).subscribed).toEqual({
      [app.cast.max.id]: ['garden'],
      [app.cast.mia.id]: ['garden'],
    });
    const removed = await client.call('DELETE', '/users/me/subscriptions', { subscriptions: ['garden'] });
    expect(success(removed).removed).toEqual(['garden']);
  });

  it.each([
    ['GET', '/users/me', {}],
    ['GET', '/streams', { include_public: true }],
    ['POST', '/messages', { type: 'stream', to: 'lunch', topic: 'again', content: 'once more' }],
    ['POST', '/messages/flags', { messages: [], op: 'add', flag: 'starred' }],
    ['PATCH', '/users/me/subscriptions', { add: [{ name: 'lunch' }] }],
  ])('repeats %s %s with `dont_block` after an error', async (method, path, values) => {
    const client = clientOf(app.cast.mia);
    const answer = success(await client.call(method, path, { ...values, dont_block: true }));
    expect(answer.ignored_parameters_unsupported).toEqual(['dont_block']);
  });

  it('registers anew when its queue is gone, which the code tells', async () => {
    const client = clientOf(app.cast.mia);
    const { queue_id, last_event_id } = success(await client.call('POST', '/register', { narrow: [] }));
    success(await client.call('DELETE', '/events', { queue_id, timeout: 10 }));
    const poll = { queue_id, last_event_id };
    expect(await client.call('GET', '/events', poll)).toMatchObject({
      status: 400,
      body: {
        result: 'error',
        code: 'BAD_EVENT_QUEUE_ID',
        msg: `Bad event queue ID: ${queue_id}`,
        queue_id,
      },
    });
  });

  it('gets JSON whatever it asks for', async () => {
    const client = clientOf(app.cast.mia);
    for (const [method, path] of [
      ['GET', '/nowhere'],
      ['DELETE', '/streams'],
      ['POST', '/messages'],
    ] as const) {
      const { contentType, body } = await client.call(method, path);
      expect(contentType).toMatch(/^application\/json/);
      expect(body).toMatchObject({ result: 'error', msg: expect.any(String) });
    }
  });
});

describe('The bot framework', () => {
  it('knows itself, hears Markdown, and answers where it was asked', async () => {
    const { robo, mia, max } = app.cast;
    const bot = clientOf(robo);
    const profile = success(await bot.call('GET', '/users/me'));
    expect(profile).toMatchObject({ user_id: robo.id, full_name: robo.fullName, email: robo.email });

    const register = { event_types: ['message'], narrow: [] };
    const { queue_id, last_event_id } = success(await bot.call('POST', '/register', register));
    success(await clientOf(mia).call('POST', '/messages', toTopic(`@**${robo.fullName}** **hello**`)));
    success(await bot.call('POST', '/messages', toTopic('something of its own')));
    const to = [robo.id, max.id];
    success(await clientOf(mia).call('POST', '/messages', { type: 'direct', to, content: 'and here' }));
    const { events } = success(
      await bot.call('GET', '/events', { queue_id, last_event_id, dont_block: true }),
    );
    const heard = events.filter(
      ({ message }: { message: { sender_email: string } }) => message.sender_email !== profile.email,
    );
    expect(heard).toEqual([
      expect.objectContaining({
        flags: ['mentioned'],
        message: expect.objectContaining({
          type: 'stream',
          display_recipient: 'lunch',
          subject: 'today',
          content: `@**${robo.fullName}** **hello**`,
        }),
      }),
      expect.objectContaining({ message: expect.objectContaining({ type: 'private', content: 'and here' }) }),
    ]);

    const [{ message: inChannel }, { message: direct }] = heard;
    const { display_recipient, subject } = inChannel;
    const reply = { type: 'stream', to: display_recipient, subject, content: 'hi' };
    success(await bot.call('POST', '/messages', reply));
    const people = direct.display_recipient.map(({ id }: { id: number }) => id);
    success(await bot.call('POST', '/messages', { type: 'private', to: people, content: 'hi' }));
    const reaction = { message_id: inChannel.id, emoji_name: 'wave', reaction_type: 'unicode_emoji' };
    success(await bot.call('POST', `/messages/${inChannel.id}/reactions`, reaction));
    success(await bot.call('GET', `/streams/${channelId}/members`));
  });

  it('keeps things between two runs', async () => {
    const bot = clientOf(app.cast.robo);
    const storage = { state: JSON.stringify({ count: 1 }) };
    success(await bot.call('PUT', '/bot_storage', { storage }));
    expect(success(await bot.call('GET', '/bot_storage', { keys: ['state'] })).storage).toEqual(storage);
    expect((await bot.call('GET', '/bot_storage', { keys: ['nothing'] })).body).toMatchObject({
      result: 'error',
      msg: 'Key does not exist.',
    });
  });
});
