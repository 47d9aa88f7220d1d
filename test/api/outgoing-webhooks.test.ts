import { AccountDirectory } from '../../src/features/users/accounts/account.directory';
import { Database } from '../../src/platform/database/database.service';
import { TransactionService } from '../../src/platform/database/transaction.service';
import { JobStore } from '../../src/platform/jobs/job-store';
import { Jobs } from '../../src/platform/jobs/jobs.service';
import type { Member } from '../support/cast';
import { createChannel } from '../support/channel-setup';
import { contractCheck } from '../support/contract/running-check';
import { expectSuccess } from '../support/expect-answer';
import { LocalReceiver } from '../support/local-receiver';
import { fetchMessage, fetchMessages, sendDirect, sendTo } from '../support/message-setup';
import { StoppedTimeOfDay } from '../support/test-clocks';
import { TestApp } from '../support/test-app';

const clock = new StoppedTimeOfDay();
let app: TestApp;
let receiver: LocalReceiver;

beforeAll(async () => {
  receiver = await LocalReceiver.start();
  app = await TestApp.start({
    clock,
    env: { OUTGOING_WEBHOOKS_PRIVATE_NETWORKS: '127.0.0.1', OUTGOING_WEBHOOKS_TIMEOUT_SECONDS: '4' },
  });
});

afterAll(async () => {
  await app.stop();
  await receiver.stop();
});

beforeEach(() => receiver.answer({}));

interface Hook extends Member {
  readonly token: string;
}

let counter = 0;

/** A bot whose webhook is the receiver, unless the parameters say otherwise. */
async function newHook(owner: Member, parameters: object = {}): Promise<Hook> {
  const name = `Hook ${++counter}`;
  const answer = await app.as(owner).post('/bots', {
    full_name: name,
    short_name: `hook${counter}`,
    bot_type: 3,
    payload_url: `${receiver.origin}/hook`,
    ...parameters,
  });
  const { user_id: id } = expectSuccess(answer);
  const [service] = await app
    .get(Database)
    .read.query<{ token: string }>('SELECT token FROM bot_service WHERE bot_id = ?', [id]);
  const { token } = service as { token: string };
  return { id, email: `hook${counter}-bot@chat.example.com`, fullName: name, role: 400, token };
}

/** Waits until webhooks were told of everything that is due. */
const delivered = () => app.get(Jobs).runDue();

/** The same some time later. */
async function deliveredAfter(ms: number): Promise<void> {
  clock.aheadMs += ms;
  await delivered();
}

/** The contract lists what webhooks are told like an answer. */
const holdToContract = (body: object) =>
  contractCheck.checkAnswer('POST', '/api/v1/zulip-outgoing-webhook', { status: 200, body });

const bodies = () => receiver.requests.map(({ body }) => JSON.parse(body));
const waiting = () => app.get(Database).read.query("SELECT * FROM job WHERE kind = 'outgoing_webhook'");

async function newest(reader: Member, narrow: readonly unknown[]) {
  const { messages } = expectSuccess(await fetchMessages(app, reader, narrow, { apply_markdown: false }));
  return messages.at(-1);
}

const notifier = (): { id: number } => {
  const bots = app.get(AccountDirectory).systemBots();
  return bots.find(({ fullName }) => fullName === 'Notification Bot') as { id: number };
};

/** What the notification bot told somebody last. */
const lastNotice = async (owner: Member): Promise<string | undefined> => {
  const message = await newest(owner, [{ operator: 'sender', operand: notifier().id }]);
  return message?.content;
};

describe('A webhook is told', () => {
  it('of a message that mentions its bot, with the record of the message and its token', async () => {
    const { mia, max } = app.cast;
    const channelId = await createChannel(app, max, 'news');
    const hook = await newHook(mia);
    const content = `@**${hook.fullName}** what is **new**?`;
    const id = await sendTo(app, max, channelId, 'today https://example.com', content);
    await delivered();
    expect(receiver.requests).toEqual([expect.objectContaining({ method: 'POST', path: '/hook' })]);
    expect(receiver.requests[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'ZulipOutgoingWebhook/12.0',
    });
    const [payload] = bodies();
    const { flags: _, ...record } = await fetchMessage(app, max, id, {
      apply_markdown: false,
    });
    expect(payload).toEqual({
      bot_email: hook.email,
      bot_full_name: hook.fullName,
      data: content,
      message: { ...record, avatar_url: expect.any(String), rendered_content: expect.any(String) },
      token: hook.token,
      trigger: 'mention',
    });
    expect(payload.message).toMatchObject({ stream_id: channelId, content });
    expect(payload.message).toMatchObject({ subject: 'today https://example.com' });
    expect(payload.message.rendered_content).toContain('<strong>new</strong>');
    holdToContract(payload);
    await expect(waiting()).resolves.toEqual([]);
  });

  it('of a message that mentions its bot only since an edit, and once', async () => {
    const { mia, max } = app.cast;
    const channelId = await createChannel(app, max, 'second thoughts');
    const hook = await newHook(mia);
    const id = await sendTo(app, max, channelId, 'x', `@_**${hook.fullName}** or not`);
    const edit = async (content: string) => {
      expectSuccess(await app.as(max).patch(`/messages/${id}`, { content }));
      await delivered();
    };
    await edit('nothing yet');
    expect(receiver.requests).toEqual([]);
    const content = `@**${hook.fullName}** now`;
    await edit(content);
    await edit(`${content}, please`);
    expect(bodies()).toMatchObject([{ trigger: 'mention', data: content, message: { id } }]);
  });

  it('of a direct message to its bot, among others too', async () => {
    const { mia, max } = app.cast;
    const hook = await newHook(mia);
    await sendDirect(app, max, [hook], 'alone');
    await sendDirect(app, max, [hook, mia], `together @**${hook.fullName}**`);
    await delivered();
    expect(bodies().map(({ data, trigger }) => [data, trigger])).toEqual([
      ['alone', 'direct_message'],
      [`together @**${hook.fullName}**`, 'direct_message'],
    ]);
    expect(bodies()[0].message).toMatchObject({ type: 'private', subject: '' });
    holdToContract(bodies()[0]);
  });

  it('by itself, as soon as the message is sent', async () => {
    const { mia, max } = app.cast;
    const hook = await newHook(mia);
    const told = new Promise((resolve) => {
      receiver.answer((request, response) => {
        response.end('{}');
        resolve(JSON.parse(request.body).data);
      });
    });
    await sendDirect(app, max, [hook], 'soon');
    await expect(told).resolves.toBe('soon');
  });

  it('in the format of Slack where its owner asks for that', async () => {
    const { mia, max } = app.cast;
    const channelId = await createChannel(app, max, 'slack');
    const hook = await newHook(mia, { interface_type: 2 });
    receiver.answer({ text: 'Done' });
    const content = `@**${hook.fullName}** go`;
    const id = await sendTo(app, max, channelId, 'x', content);
    await delivered();
    const { timestamp } = await fetchMessage(app, max, id);
    expect(receiver.requests[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(Object.fromEntries(new URLSearchParams(receiver.requests[0]?.body))).toEqual({
      token: hook.token,
      team_id: 'T1',
      team_domain: 'chat.example.com',
      channel_id: `C${channelId}`,
      channel_name: 'slack',
      thread_ts: String(timestamp),
      timestamp: String(timestamp),
      user_id: `U${max.id}`,
      user_name: max.fullName,
      command: `@**${hook.fullName}**`,
      text: content,
      trigger_word: 'mention',
      service_id: String(hook.id),
    });
    expect(await newest(max, [{ operator: 'channel', operand: channelId }])).toMatchObject({
      content: 'Done',
      sender_id: hook.id,
    });
  });

  it('not of what other bots say, of silent mentions, nor of messages that are none of its business', async () => {
    const { mia, max, robo } = app.cast;
    const channelId = await createChannel(app, mia, 'quiet', { principals: [mia.id, max.id, robo.id] });
    const hook = await newHook(mia);
    await sendTo(app, robo, channelId, 'x', `@**${hook.fullName}**`);
    await sendTo(app, max, channelId, 'x', `@_**${hook.fullName}** and \`@**${hook.fullName}**\``);
    await sendTo(app, max, channelId, 'x', '@**all** @**topic**');
    await sendDirect(app, max, [mia], `@**${hook.fullName}**`);
    await delivered();
    expect(receiver.requests).toEqual([]);
  });

  it('not of what is said where its bot may not listen, even if somebody mentions it', async () => {
    const { mia, max } = app.cast;
    const hook = await newHook(mia);
    const closed = await createChannel(app, max, 'closed', { invite_only: true });
    await sendTo(app, max, closed, 'x', `@**${hook.fullName}** secret`);
    await delivered();
    expect(receiver.requests).toEqual([]);
    await expect(waiting()).resolves.toEqual([]);
    expectSuccess(
      await app.as(max).post('/users/me/subscriptions', {
        subscriptions: [{ name: 'closed' }],
        principals: [hook.id],
      }),
    );
    await sendTo(app, max, closed, 'x', `@**${hook.fullName}** open`);
    await delivered();
    expect(bodies().map(({ data }) => data)).toEqual([`@**${hook.fullName}** open`]);
  });

  it('no more once its bot is gone or the message is', async () => {
    const { mia, max } = app.cast;
    const [gone, kept] = [await newHook(mia), await newHook(mia)];
    receiver.answer('no', 503);
    await sendDirect(app, max, [gone], 'to nobody');
    const id = await sendDirect(app, max, [kept], 'never mind');
    await delivered();
    expect(receiver.requests).toHaveLength(2);
    receiver.answer({});
    expectSuccess(await app.as(mia).delete(`/bots/${gone.id}`));
    expectSuccess(await app.as(max).delete(`/messages/${id}`));
    await deliveredAfter(60_000);
    expect(receiver.requests).toEqual([]);
    await expect(waiting()).resolves.toEqual([]);
  });
});

describe('What a webhook answers', () => {
  it.each([
    ['content', { content: 'Hello **you**' }],
    ['response_string', { response_string: 'Hello **you**' }],
  ])('as `%s` is said in the same topic, as the bot', async (key, answer) => {
    const { mia, max } = app.cast;
    const channelId = await createChannel(app, max, `answers in ${key}`);
    const hook = await newHook(mia);
    receiver.answer(answer);
    await sendTo(app, max, channelId, 'greetings', `@**${hook.fullName}**`);
    await delivered();
    expect(await newest(max, [{ operator: 'channel', operand: channelId }])).toMatchObject({
      sender_id: hook.id,
      subject: 'greetings',
      content: 'Hello **you**',
      client: 'OutgoingWebhookResponse',
    });
  });

  it('is said to everybody in a conversation', async () => {
    const { mia, max } = app.cast;
    const hook = await newHook(mia);
    receiver.answer({ content: 'Hi both' });
    await sendDirect(app, max, [mia, hook], 'hello');
    await delivered();
    const said = await newest(mia, [{ operator: 'dm', operand: [max.id, hook.id] }]);
    expect(said).toMatchObject({ content: 'Hi both', sender_id: hook.id });
    expect(said.display_recipient).toHaveLength(3);
  });

  it('is said in the empty topic too', async () => {
    const { mia, max } = app.cast;
    const channelId = await createChannel(app, max, 'no topic');
    const hook = await newHook(mia);
    receiver.answer({ content: 'here' });
    await sendTo(app, max, channelId, '', `@**${hook.fullName}**`);
    await delivered();
    const { messages } = expectSuccess(
      await fetchMessages(app, max, [{ operator: 'channel', operand: channelId }], {
        allow_empty_topic_name: true,
      }),
    );
    expect(messages.at(-1)).toMatchObject({ subject: '', sender_id: hook.id });
  });

  it.each([[{ response_not_required: true, content: 'x' }], [{}], [''], [{ content: '  ' }]])(
    'may be nothing: %j',
    async (answer) => {
      const { mia, max } = app.cast;
      const hook = await newHook(mia);
      receiver.answer(answer);
      const id = await sendDirect(app, max, [hook], 'anything?');
      await delivered();
      expect(receiver.requests).toHaveLength(1);
      expect(await newest(max, [{ operator: 'dm', operand: [hook.id] }])).toMatchObject({ id });
    },
  );

  it('reaches its owner where the bot may not say it', async () => {
    const { mia, max, olivia } = app.cast;
    const channelId = await createChannel(app, olivia, 'announcements', {
      can_send_message_group: JSON.stringify({ direct_members: [max.id], direct_subgroups: [] }),
      principals: [max.id, olivia.id],
    });
    const hook = await newHook(mia);
    receiver.answer({ content: 'x' });
    await sendTo(app, max, channelId, 'x', `@**${hook.fullName}**`);
    await delivered();
    expect(await lastNotice(mia)).toContain(
      'the bot is not allowed to post the reply: You do not have permission to post in this channel.',
    );
    await expect(waiting()).resolves.toEqual([]);
  });
});

describe('A call that fails', () => {
  it('is made again, later each time, and its owner hears of it in the end', async () => {
    const { mia, max } = app.cast;
    const hook = await newHook(mia);
    receiver.answer('Out of ``` order', 503);
    const id = await sendDirect(app, max, [hook], 'hello?');
    await delivered();
    expect(receiver.requests).toHaveLength(1);
    await deliveredAfter(4_999);
    expect(receiver.requests).toHaveLength(1);
    const pauses = [1, 30_000, 120_000, 600_000];
    for (const [at, pause] of pauses.entries()) {
      expect(await lastNotice(mia)).not.toContain(`message ${id}`);
      await deliveredAfter(pause);
      expect(receiver.requests).toHaveLength(at + 2);
    }
    expect(await lastNotice(mia)).toBe(
      `The webhook of your bot **${hook.fullName}** failed for message ${id}: ` +
        'response status 503. Response:\n\n````text\nOut of ``` order\n````',
    );
    await expect(waiting()).resolves.toEqual([]);
  });

  it('counts as one success once it succeeds', async () => {
    const { mia, max } = app.cast;
    const hook = await newHook(mia);
    let calls = 0;
    receiver.answer((_request, response) => {
      calls += 1;
      if (calls < 3) response.destroy();
      else response.end('{"content": "at last"}');
    });
    await sendDirect(app, max, [hook], 'hello?');
    await delivered();
    await deliveredAfter(6_000);
    await deliveredAfter(31_000);
    expect(calls).toBe(3);
    expect(await newest(max, [{ operator: 'dm', operand: [hook.id] }])).toMatchObject({ content: 'at last' });
  });

  it.each([
    ['a refusal', 403, 'Go away', 'response status 403'],
    ['a redirect to another request', 302, '', 'response status 302'],
    ['no JSON', 200, 'OK', 'the response is not a JSON object'],
    ['another type', 200, '{"content": 5}', '`content` in the response is not a string'],
    ['too much', 200, 'x'.repeat(300_000), 'response larger than 262144 bytes'],
  ])('is not made again after %s', async (_what, status, body, reason) => {
    const { mia, max } = app.cast;
    const hook = await newHook(mia);
    receiver.answer(body, status);
    const id = await sendDirect(app, max, [hook], 'hello?');
    await delivered();
    expect(receiver.requests).toHaveLength(1);
    expect(await lastNotice(mia)).toContain(`failed for message ${id}: ${reason}.`);
    await expect(waiting()).resolves.toEqual([]);
  });

  it('tells its owner at most once in five minutes', async () => {
    const { mia, max } = app.cast;
    const hook = await newHook(mia);
    receiver.answer('no', 400);
    const first = await sendDirect(app, max, [hook], '1');
    await delivered();
    await sendDirect(app, max, [hook], '2');
    await delivered();
    expect(await lastNotice(mia)).toContain(`message ${first}:`);
    clock.aheadMs += 5 * 60_000;
    const third = await sendDirect(app, max, [hook], '3');
    await delivered();
    expect(await lastNotice(mia)).toContain(`message ${third}:`);
  });

  it('tells its owner when the answer takes too long', async () => {
    const { mia, max } = app.cast;
    const hook = await newHook(mia);
    receiver.answer('no', 503);
    await sendDirect(app, max, [hook], 'hello?');
    await delivered();
    for (const pause of [5_000, 30_000, 120_000]) await deliveredAfter(pause);
    receiver.answer(() => undefined);
    await deliveredAfter(600_000);
    expect(await lastNotice(mia)).toContain('no response within 4 seconds');
  });

  it('does not go into private networks, and is not made again', async () => {
    const { mia, max } = app.cast;
    const { port } = new URL(receiver.origin);
    for (const host of ['127.0.0.2', '[::1]', '169.254.169.254']) {
      const hook = await newHook(mia, { payload_url: `http://${host}:${port}/` });
      const id = await sendDirect(app, max, [hook], 'hello?');
      await delivered();
      expect(await lastNotice(mia)).toContain(
        `message ${id}: the address is in a private network, which this server blocks.`,
      );
    }
    expect(receiver.requests).toEqual([]);
  });

  it('knows no direct messages in the format of Slack', async () => {
    const { mia, max } = app.cast;
    const hook = await newHook(mia, { interface_type: 2 });
    await sendDirect(app, max, [hook], 'hello?');
    await delivered();
    expect(receiver.requests).toEqual([]);
    expect(await lastNotice(mia)).toContain('its format knows no direct messages');
  });
});

describe('A delivery', () => {
  it('waits for its turn where a bot is slow, and does not hold up the others', async () => {
    const { mia, max } = app.cast;
    const [slow, quick] = [
      await newHook(mia, { payload_url: `${receiver.origin}/slow` }),
      await newHook(mia),
    ];
    const held: (() => void)[] = [];
    receiver.answer(({ path }, response) => {
      if (path === '/slow') held.push(() => response.end('{}'));
      else response.end('{"content": "quick"}');
    });
    for (let n = 0; n < 6; n++) await sendDirect(app, max, [slow], `slow ${n}`);
    await sendDirect(app, max, [quick], 'quick?');
    const done = delivered();
    const answered = async () =>
      (await newest(max, [{ operator: 'dm', operand: [quick.id] }]))?.content === 'quick';
    while (!(await answered()) || held.length < 4) await new Promise(setImmediate);
    expect(held).toHaveLength(4);
    while (receiver.requests.length < 7) {
      for (const answer of held.splice(0)) answer();
      await new Promise(setImmediate);
    }
    for (const answer of held.splice(0)) answer();
    await done;
    await expect(waiting()).resolves.toEqual([]);
  });

  it('is taken in hand by one node only, and by another when that one is gone', async () => {
    const { mia, max } = app.cast;
    const hook = await newHook(mia);
    const rows = new JobStore(app.get(Database), app.get(TransactionService), clock, 'another node');
    const due = {
      kind: 'outgoing_webhook',
      isOrdered: false,
      exceptGroups: [],
      exceptIds: [],
      longestRetryMs: 0,
    };
    const { take: takeJobs } = JobStore.prototype;
    const take = async () => {
      const jobs = await takeJobs.call(rows, due, () => true);
      return jobs.map(({ data, attempts }) => ({ ...JSON.parse(data), attempts }));
    };
    // This node leaves the deliveries to the test.
    const ownTake = jest.spyOn(JobStore.prototype, 'take').mockResolvedValue([]);
    await sendDirect(app, max, [hook], 'hello?');
    const taken = await Promise.all([take(), take(), take()]);
    expect(taken.flat()).toEqual([expect.objectContaining({ botId: hook.id, attempts: 1, reply: null })]);
    clock.aheadMs += 30_000;
    await expect(take()).resolves.toEqual([]);
    clock.aheadMs += 30_000;
    await expect(take()).resolves.toEqual([expect.objectContaining({ botId: hook.id, attempts: 2 })]);
    ownTake.mockRestore();
    await deliveredAfter(60_000);
    expect(bodies().map(({ data }) => data)).toEqual(['hello?']);
  });

  it('whose webhook has answered is not called again, and its answer is said once', async () => {
    const { mia, max } = app.cast;
    const hook = await newHook(mia);
    receiver.answer('no', 503);
    const id = await sendDirect(app, max, [hook], 'hello?');
    await delivered();
    const answered = { messageId: id, botId: hook.id, cause: 'direct_message', reply: 'kept' };
    await app
      .get(TransactionService)
      .run((tx) => tx.query('UPDATE job SET data = ? WHERE key = ?', [JSON.stringify(answered), String(id)]));
    receiver.answer({ content: 'asked again' });
    const finish = jest
      .spyOn(JobStore.prototype, 'finish')
      .mockRejectedValueOnce(new Error('The node dies.'));
    await deliveredAfter(6_000);
    await deliveredAfter(60_000);
    finish.mockRestore();
    expect(receiver.requests).toEqual([]);
    const { messages } = expectSuccess(
      await fetchMessages(app, max, [{ operator: 'dm', operand: [hook.id] }], { apply_markdown: false }),
    );
    expect(messages.map(({ content }: { content: string }) => content)).toEqual(['hello?', 'kept']);
    await expect(waiting()).resolves.toEqual([]);
  });
});
