import { check, topicOf } from '../check';
import { absent, boolean, expectThat, list, listWith, listWithout, number, text } from '../expectations';

/** Sending messages, and their format. */
export const MESSAGES = topicOf(
  'messages',
  check('sends to a channel by name', 'The answer is the ID of the message.', async (scene) => {
    expectThat('id', await scene.send('hello'), (id: unknown) => Number(id) > 0);
  }),
  check('sends to a channel by ID', 'Names change, and IDs do not.', async ({ owner, channel }) => {
    expectThat(
      'POST /messages',
      await owner.client.ok('POST /messages', {
        type: 'stream',
        to: channel.id,
        topic: 'checks',
        content: 'x',
      }),
      { id: number },
    );
  }),
  check(
    'takes "channel" for "stream"',
    'It is the newer name.',
    async ({ owner, channel }) => {
      expectThat(
        'POST /messages',
        await owner.client.ok('POST /messages', {
          type: 'channel',
          to: channel.id,
          topic: 'checks',
          content: 'x',
        }),
        { id: number },
      );
    },
    { since: 248 },
  ),
  check('sends to people by ID', 'Direct messages have no topic.', async (scene) => {
    const { owner, bot } = scene;
    const { id } = await owner.client.ok('POST /messages', { type: 'direct', to: [bot.id], content: 'psst' });
    expectThat('message', await scene.message(Number(id)), {
      type: 'private',
      display_recipient: listWith({ id: bot.id }),
    });
  }),
  check('sends to people by address', 'As bots often do.', async ({ owner, bot }) => {
    expectThat(
      'POST /messages',
      await owner.client.ok('POST /messages', { type: 'private', to: [bot.email], content: 'psst' }),
      { id: number },
    );
  }),
  check('delivers direct messages', 'Those they are for can read them.', async (scene) => {
    const { id } = await scene.owner.client.ok('POST /messages', {
      type: 'direct',
      to: [scene.bot.id],
      content: 'for you',
    });
    expectThat('message', await scene.message(Number(id), scene.bot), {
      content: /for you/,
      sender_id: scene.owner.id,
    });
  }),
  check('has what clients show in each message', 'A client reads each of these.', async (scene) => {
    expectThat('message', await scene.message(await scene.send('hello')), {
      id: number,
      sender_id: scene.owner.id,
      sender_full_name: scene.owner.name,
      sender_email: text,
      sender_realm_str: text,
      content: '<p>hello</p>',
      content_type: 'text/html',
      timestamp: number,
      client: text,
      type: 'stream',
      stream_id: scene.channel.id,
      display_recipient: scene.channel.name,
      subject: 'checks',
      topic_links: list,
      recipient_id: number,
      is_me_message: boolean,
      reactions: list,
      flags: list,
      submessages: list,
    });
  }),
  check('gives Markdown where it is asked for', 'Clients quote and edit it.', async (scene) => {
    const id = await scene.send('**bold**');
    const { message } = await scene.owner.client.ok(`GET /messages/${id}`, { apply_markdown: false });
    expectThat('message', message, { content: '**bold**', content_type: 'text/x-markdown' });
  }),
  ...[
    ['emphasis', '**a** *b* ~~c~~', /<strong>a<\/strong> <em>b<\/em> <del>c<\/del>/],
    ['code', '`a`', /<code>a<\/code>/],
    ['blocks of code', '```\na\n```', /<div class="codehilite".*<pre>/s],
    ['quotations', '> a', /<blockquote>\s*<p>a<\/p>\s*<\/blockquote>/],
    ['lists', '* a\n* b', /<ul>\s*<li>a<\/li>\s*<li>b<\/li>\s*<\/ul>/],
    ['links', '[a](https://example.com/x)', /<a href="https:\/\/example\.com\/x"[^>]*>a<\/a>/],
    ['bare addresses', 'https://example.com/x', /<a href="https:\/\/example\.com\/x"/],
    ['emoji', ':tada:', /<span [^>]*class="emoji emoji-1f389"/],
    ['text that looks like HTML', '<b>a</b>', /&lt;b&gt;a&lt;\/b&gt;/],
    ['times', '<time:2026-01-02T03:04:05Z>', /<time datetime="2026-01-02T03:04:05Z">/],
    ['spoilers', '```spoiler a\nb\n```', /<div class="spoiler-block">/],
  ].map(([what, markdown, html]) =>
    check(`renders ${String(what)}`, 'Clients show the HTML that the server makes.', async ({ owner }) => {
      expectThat(
        'rendered',
        (await owner.client.ok('POST /messages/render', { content: String(markdown) }))['rendered'],
        html,
      );
    }),
  ),
  check('renders mentions of people', 'The element names the person.', async (scene) => {
    const { rendered } = await scene.owner.client.ok('POST /messages/render', {
      content: `@**${scene.bot.name}**`,
    });
    expectThat(
      'rendered',
      rendered,
      new RegExp(`<span class="user-mention" data-user-id="${scene.bot.id}">@`),
    );
  }),
  check('renders links to channels', 'The element names the channel.', async ({ owner, channel }) => {
    const { rendered } = await owner.client.ok('POST /messages/render', { content: `#**${channel.name}**` });
    expectThat(
      'rendered',
      rendered,
      new RegExp(`<a class="stream" data-stream-id="${channel.id}" href="[^"]*">#`),
    );
  }),
  check('knows messages about oneself', 'Clients show "/me" in another way.', async (scene) => {
    expectThat('message', await scene.message(await scene.send('/me waves')), { is_me_message: true });
  }),
  check('tells everybody in the channel', 'Clients show messages as they come.', async (scene) => {
    const queue = await scene.listen(['message'], scene.bot);
    const id = await scene.send('news');
    const event = await queue.next({ type: 'message', message: { id } });
    expectThat('event', event, {
      flags: list,
      message: { content: '<p>news</p>', stream_id: scene.channel.id, subject: 'checks' },
    });
    await queue.end();
  }),
  check('gives the local ID back', 'Clients recognize what they have sent.', async (scene) => {
    const queue = await scene.listen(['message']);
    await scene.owner.client.ok('POST /messages', {
      type: 'stream',
      to: scene.channel.name,
      topic: 'checks',
      content: 'echo',
      queue_id: queue.id,
      local_id: '100.01',
    });
    await queue.next({ type: 'message', local_message_id: '100.01' });
    await queue.end();
  }),
  check('gives no local ID to others', 'It means something in one client only.', async (scene) => {
    const [own, other] = [await scene.listen(['message']), await scene.listen(['message'], scene.bot)];
    const word = scene.word();
    await scene.owner.client.ok('POST /messages', {
      type: 'stream',
      to: scene.channel.name,
      topic: 'checks',
      content: word,
      queue_id: own.id,
      local_id: '100.02',
    });
    await other.next({ type: 'message', local_message_id: absent, message: { content: `<p>${word}</p>` } });
    await own.end();
    await other.end();
  }),
  check('flags mentions for the mentioned user', 'The flag comes with the message.', async (scene) => {
    const queue = await scene.listen(['message'], scene.bot);
    const id = await scene.send(`@**${scene.bot.name}** look`);
    await queue.next({ type: 'message', message: { id }, flags: listWith('mentioned') });
    await queue.end();
  }),
  check('refuses an empty message', 'Nothing is to be read in it.', async ({ owner, channel }) => {
    await owner.client.refused(
      'POST /messages',
      { type: 'stream', to: channel.name, topic: 'checks', content: '  ' },
      400,
      'BAD_REQUEST',
    );
  }),
  check('refuses a channel that there is not', 'Clients offer to make it.', async (scene) => {
    await scene.owner.client.refused(
      'POST /messages',
      { type: 'stream', to: scene.word(), topic: 'x', content: 'x' },
      400,
      'STREAM_DOES_NOT_EXIST',
    );
  }),
  check('refuses recipients that there are not', 'Nothing is sent to the others.', async (scene) => {
    await scene.owner.client.refused(
      'POST /messages',
      { type: 'direct', to: [`${scene.word()}@example.com`], content: 'x' },
      400,
      'BAD_REQUEST',
    );
  }),
  check(
    'refuses a type that there is not',
    'A typing error is no direct message.',
    async ({ owner, channel }) => {
      await owner.client.refused(
        'POST /messages',
        { type: 'letter', to: channel.name, topic: 'x', content: 'x' },
        400,
        'BAD_REQUEST',
      );
    },
  ),
  check('cuts messages that are too long', 'Their end says so.', async (scene) => {
    const { max_message_length: most } = await scene.state(['realm']);
    const message = await scene.message(await scene.send('x'.repeat(Number(most) + 1)));
    expectThat('content', message['content'], /^<p>x+.*\[message truncated\]<\/p>$/s);
  }),
  check('cuts topics that are too long', 'Three dots say so.', async (scene) => {
    const { max_topic_length: most } = await scene.state(['realm']);
    const topic = scene.word().padEnd(Number(most) + 1, 'x');
    const message = await scene.message(await scene.send('x', { topic }));
    expectThat('topic', message['subject'], `${topic.slice(0, Number(most) - 3)}...`);
  }),
  check('sends to several people at once', 'Each of them can answer all.', async (scene) => {
    const { owner, bot, person } = scene;
    const id = await scene.tell([bot.id, person.id], 'x');
    const { display_recipient: everybody } = await scene.message(id, person);
    for (const each of [owner, bot, person])
      expectThat('display_recipient', everybody, listWith({ id: each.id, full_name: each.name }));
    await owner.client.ok(`DELETE /messages/${id}`);
  }),
  check('mentions silently', 'The name is a link without a notification.', async (scene) => {
    const queue = await scene.listen(['message'], scene.bot);
    const id = await scene.send(`@_**${scene.bot.name}** said so`);
    await queue.next({
      type: 'message',
      flags: listWithout('mentioned'),
      message: {
        id,
        content: new RegExp(`<span class="user-mention silent" data-user-id="${scene.bot.id}">`),
      },
    });
    await queue.end();
  }),
  check('mentions groups', 'All who are in them are called.', async (scene) => {
    const { id: groupId, name } = await scene.makeGroup([scene.bot.id]);
    const queue = await scene.listen(['message'], scene.bot);
    const id = await scene.send(`@*${name}* look`);
    await queue.next({
      type: 'message',
      flags: listWith('mentioned'),
      message: {
        id,
        content: new RegExp(`<span class="user-group-mention" data-user-group-id="${groupId}">`),
      },
    });
    await queue.end();
  }),
);
