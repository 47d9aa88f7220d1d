import type { Parameters } from '../support/api-client';
import type { Member } from '../support/cast';
import { changeChannel, createChannel, createChannelWith } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { stateOf } from '../support/initial-state';
import { fetchIds, fetchMessage, fetchMessages, sendDirect, sendTo } from '../support/message-setup';
import { changeOrganization } from '../support/organization-setup';
import { TestApp } from '../support/test-app';

let app: TestApp;
let moderation: number;
let kitchen: number;

beforeAll(async () => {
  app = await TestApp.start();
  const { mona, mia, max, gus } = app.cast;
  moderation = await createChannel(app, mona, 'moderation', { invite_only: true });
  kitchen = await createChannelWith(app, mia, [max, gus], 'kitchen');
});

beforeEach(() => changeOrganization(app, { moderation_request_channel_id: moderation }));

afterAll(() => app.stop());

const report = (member: Member, messageId: number, more: Parameters = {}) =>
  app.as(member).post(`/messages/${messageId}/report`, { report_type: 'spam', ...more });

const reported = async (member: Member, messageId: number, more?: Parameters) =>
  expectSuccess(await report(member, messageId, more));

/** The newest message of the channel for reports, as Markdown. */
async function newest(reader = app.cast.mona) {
  const narrow = [{ operator: 'channel', operand: moderation }];
  const answer = await fetchMessages(app, reader, narrow, { apply_markdown: false });
  return expectSuccess(answer).messages.at(-1);
}

const mention = ({ fullName, id }: Member) => `@_**${fullName}|${id}**`;
const fence = (length: number) => '`'.repeat(length);
const SITE = 'http://chat.example.com';
const TIME = '<time:\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ>';

/** A header with the time of the message in it. */
const header = (before: string) => {
  const escaped = before.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped} at ${TIME}\\.\\n`);
};

describe('Reporting a message', () => {
  it('posts it to the channel for reports, under the name of its author', async () => {
    const { mia, max, mona } = app.cast;
    const message = await sendTo(app, mia, kitchen, 'lunch', 'Buy **my** soup');
    const events = await app.captureEvents(async () => {
      await expect(reported(max, message, { description: 'Every *day*.' })).resolves.toEqual({
        result: 'success',
        msg: '',
      });
    });
    const posted = await newest();
    expect(posted).toMatchObject({
      sender_full_name: 'Notification Bot',
      subject: 'Mia Member moderation',
      stream_id: moderation,
      flags: [],
    });
    const { content } = posted;
    expect(content).toMatch(header(`${mention(max)} reported a message sent by ${mention(mia)}`));
    expect(content.slice(content.indexOf('\n') + 1)).toBe(
      [
        '```quote',
        '**Spam**. Every *day*.',
        '```',
        '',
        `\`\`\` spoiler Original message at #**kitchen>lunch@${message}**`,
        'Buy **my** soup',
        '```',
      ].join('\n'),
    );
    const { content: html } = await fetchMessage(app, mona, posted.id);
    expect(html).toContain('class="spoiler-block"');
    expect(html).toContain('<strong>my</strong>');
    expect(html).toContain('<time datetime="');
    expect(html).toContain(`/topic/lunch/near/${message}"`);
    expect(events.map(({ event }) => event.type)).toEqual(['message']);
    expect(events[0]?.audience).toEqual([mona.id]);
  });

  it.each([
    ['harassment', 'Harassment'],
    ['inappropriate', 'Inappropriate content'],
    ['norms', 'Violates community norms'],
    ['other', 'Other reason'],
  ])('says what it is reported for: %s', async (report_type, name) => {
    const { mia, gus } = app.cast;
    const message = await sendTo(app, mia, kitchen, 'lunch');
    await reported(gus, message, { report_type, description: ' because ' });
    expect((await newest()).content).toContain(`quote\n**${name}**.  because \n\`\`\`\n`);
  });

  it('tells clients what messages can be reported for', async () => {
    const { server_report_message_types, realm_moderation_request_channel_id } = await stateOf(
      app,
      app.cast.gus,
      { wanted: ['realm'] },
    );
    expect(server_report_message_types.map(({ key }: { key: string }) => key)).toEqual([
      'spam',
      'harassment',
      'inappropriate',
      'norms',
      'other',
    ]);
    expect(realm_moderation_request_channel_id).toBe(moderation);
  });

  it('says for whom direct messages were, where that is not obvious', async () => {
    const { mia, max, gus, robo } = app.cast;
    const direct = await sendDirect(app, mia, [max], 'psst');
    await reported(max, direct);
    const { content } = await newest();
    expect(content).toMatch(header(`${mention(max)} reported a direct message sent by ${mention(mia)}`));
    const members = [mia.id, max.id].sort((a, b) => a - b).join(',');
    expect(content).toContain(
      `\`\`\` spoiler [Original message](${SITE}/#narrow/dm/${members}-dm/near/${direct})\npsst\n\`\`\``,
    );
    await reported(mia, direct);
    const own = `${mention(mia)} reported a direct message sent by ${mention(mia)}`;
    expect((await newest()).content).toMatch(header(`${own} to ${mention(max)}`));
    await reported(mia, await sendDirect(app, mia, [mia]));
    expect((await newest()).content).toMatch(header(`${own} to ${mention(mia)}`));
    const group = await sendDirect(app, mia, [max, gus, robo]);
    await reported(robo, group);
    const [first, second, third] = [max, gus, robo].map(mention).sort();
    expect((await newest()).content).toMatch(
      header(
        `${mention(robo)} reported a direct message sent by ${mention(mia)} to ${first}, ${second}, and ${third}`,
      ),
    );
  });

  it('encloses whatever the message and the description say', async () => {
    const { mia, max } = app.cast;
    const message = await sendTo(app, mia, kitchen, '`a` **b** [c]', `${fence(4)}\ncode\n${fence(4)}`);
    await reported(max, message, { description: `${fence(3)}\n# Not a part` });
    const { content, id } = await newest();
    expect(content).toContain(`${fence(4)}quote\n**Spam**. ${fence(3)}\n# Not a part\n${fence(4)}\n`);
    expect(content).toContain(`\n${fence(5)} spoiler Original message at [`);
    expect(content).toMatch(new RegExp(`\n${fence(4)}\ncode\n${fence(4)}\n${fence(5)}$`));
    const { content: html } = await fetchMessage(app, app.cast.mona, id);
    expect(html).toContain(`/near/${message}"`);
    expect(html).toContain('#kitchen &gt; `a` **b** [c]</a>');
  });

  it('cuts what is long', async () => {
    const { mia, max } = app.cast;
    const message = await sendTo(app, mia, kitchen, 'lunch', 'y'.repeat(10_000));
    await reported(max, message, { description: 'é'.repeat(1_000) });
    const { content } = await newest();
    const [kept] = /y+/.exec(content.slice(content.indexOf('spoiler')))!;
    expect(kept).toHaveLength(8_500 - '\n[message truncated]'.length);
    expect(content).toMatch(/y\n\[message truncated\]\n```$/);
  });

  it('notifies nobody whom the message mentions', async () => {
    const { mia, max, mona } = app.cast;
    const message = await sendTo(app, mia, kitchen, 'lunch', `@**${mona.fullName}** look`);
    const events = await app.captureEvents(() => reported(max, message));
    expect(events.map(({ event: { type, flags } }) => [type, flags])).toEqual([['message', []]]);
    expect((await newest()).flags).toEqual([]);
  });

  it('shows no channel that its reporter does not know', async () => {
    const { mia, max, mona, olivia } = app.cast;
    await createChannel(app, olivia, 'cellar', { invite_only: true });
    const message = await sendTo(app, mia, kitchen, 'lunch', 'Is there a #**cellar**?');
    await reported(max, message);
    const seen = await fetchMessage(app, mona, (await newest()).id);
    expect(seen.content).toContain('#<strong>cellar</strong>?');
  });

  it('is for everybody who can read the message, subscribed or not', async () => {
    const { mia, max, mona, robo, gus } = app.cast;
    const open = await createChannel(app, mia, 'open');
    const closed = await createChannelWith(app, mia, [max], 'closed', { invite_only: true });
    const [inOpen, inClosed] = [await sendTo(app, mia, open, 'a'), await sendTo(app, mia, closed, 'a')];
    for (const member of [mona, robo, mia]) await reported(member, inOpen);
    await reported(max, inClosed);
    const before = await fetchIds(app, mona, [{ operator: 'channel', operand: moderation }]);
    for (const [member, message] of [
      [gus, inOpen],
      [mona, inClosed],
      [gus, await sendDirect(app, mia, [max])],
      [max, 1_999_999_999],
    ] as const) {
      expectError(await report(member, message), 'Invalid message(s)');
    }
    await expect(fetchIds(app, mona, [{ operator: 'channel', operand: moderation }])).resolves.toEqual(
      before,
    );
  });

  it('goes to the empty topic where the channel has no other', async () => {
    const { mia, max, olivia } = app.cast;
    const channel = await createChannel(app, olivia, 'plain reports', {
      invite_only: true,
      topics_policy: 'empty_topic_only',
    });
    await changeOrganization(app, { moderation_request_channel_id: channel });
    const events = await app.captureEvents(async () => {
      await reported(max, await sendDirect(app, mia, [max]));
    });
    expect(events.at(-1)?.event.message).toMatchObject({ stream_id: channel, subject: '' });
  });
});

describe('Reports are refused', () => {
  const TYPE = 'Invalid report_type: Value error, Not in the list of possible values';
  const LENGTH = 'description is too long (limit: 1000 characters)';

  it.each<[Parameters, string]>([
    [{ report_type: 'boring', description: 'x'.repeat(1_001) }, TYPE],
    [{ report_type: 'other', description: 'x'.repeat(1_001) }, LENGTH],
    [{ report_type: 'other' }, 'An explanation is required.'],
    [{ report_type: 'other', description: '' }, 'An explanation is required.'],
    [{}, 'Message reporting is not enabled in this organization.'],
  ])('in the order that clients know (%#)', async (parameters, message) => {
    await changeOrganization(app, { moderation_request_channel_id: -1 });
    expectError(await report(app.cast.max, 1_999_999_999, parameters), message);
  });

  it('without a type', async () => {
    expectError(await app.as(app.cast.max).post('/messages/1/report', {}), "Missing 'report_type' argument", {
      code: 'REQUEST_VARIABLE_MISSING',
      data: { var_name: 'report_type' },
    });
  });
});

describe('The channel for reports', () => {
  const set = (channel: number, member = app.cast.adam) =>
    app.as(member).patch('/realm', { moderation_request_channel_id: channel });

  it('is chosen by administrators, and told to everybody', async () => {
    const { mona, gus } = app.cast;
    expectError(await set(-1, mona), 'Must be an organization administrator', {
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
    const events = await app.captureEvents(async () => {
      expectSuccess(await set(-1));
      expectSuccess(await set(moderation));
    });
    const changed = { type: 'realm', op: 'update', property: 'moderation_request_channel_id' };
    expect(events.map(({ event }) => event)).toEqual([
      { ...changed, value: -1 },
      { ...changed, value: moderation },
    ]);
    expect(events[0]?.audience).toContain(gus.id);
  });

  it('is an active, private channel', async () => {
    const { olivia } = app.cast;
    expectError(await set(1_999_999_999), 'Invalid channel ID');
    expectError(await set(kitchen), 'Moderation request channel must be private.');
    const gone = await createChannel(app, olivia, 'gone', { invite_only: true });
    await changeChannel(app, gone, { is_archived: true });
    expectError(await set(gone), 'Invalid channel ID');
  });

  it('stays private', async () => {
    const { mona } = app.cast;
    const publish = () => app.as(mona).patch(`/streams/${moderation}`, { is_private: false });
    expectError(await publish(), 'Moderation request channel must be private.');
    await changeOrganization(app, { moderation_request_channel_id: -1 });
    expectSuccess(await publish());
    expectSuccess(await app.as(mona).patch(`/streams/${moderation}`, { is_private: true }));
  });

  it('is none once it is archived, as are the channels for announcements', async () => {
    const { olivia, max } = app.cast;
    const channel = await createChannel(app, olivia, 'short-lived', { invite_only: true });
    const names = [
      'moderation_request_channel_id',
      'new_stream_announcements_stream_id',
      'signup_announcements_stream_id',
      'zulip_update_announcements_stream_id',
    ];
    await changeOrganization(app, Object.fromEntries(names.map((name) => [name, channel])));
    const events = await app.captureEvents(async () => {
      expectSuccess(await app.as(olivia).delete(`/streams/${channel}`));
    });
    expect(events.map(({ event }) => event)).toContainEqual({
      type: 'realm',
      op: 'update_dict',
      property: 'default',
      data: Object.fromEntries(names.map((name) => [name, -1])),
    });
    expectError(await report(max, 1), 'Message reporting is not enabled in this organization.');
  });
});
