import { ReplyAddressService } from '../../src/features/mail-gateway/reply-addresses.service';
import { GroupDirectory } from '../../src/features/user-groups/groups/group.directory';
import { TransactionService } from '../../src/platform/database/transaction.service';
import type { Member } from '../support/cast';
import { createChannelWith } from '../support/channel-setup';
import { expectSuccess } from '../support/expect-answer';
import { deliver, mailOf, messagesIn, type SeenMessage } from '../support/mail-setup';
import { fetchMessages, sendDirect, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start({ env: { EMAIL_GATEWAY_PATTERN: '%s@mail.example.org' } });
});

afterAll(() => app.stop());

async function addressFor(person: Member, messageId: number): Promise<string> {
  const service = app.get(ReplyAddressService);
  return (await app.get(TransactionService).run((tx) => service.create(tx, person.id, messageId))) ?? '';
}

async function conversation(reader: Member, others: readonly number[]): Promise<SeenMessage[]> {
  const narrow = [{ operator: 'dm', operand: others }];
  const answer = await fetchMessages(app, reader, narrow, { apply_markdown: false });
  return expectSuccess(answer).messages;
}

/** What the notification bot told. */
async function told(person: Member): Promise<string[]> {
  const answer = await fetchMessages(app, person, [{ operator: 'is', operand: 'dm' }], {
    apply_markdown: false,
  });
  const messages = expectSuccess(answer).messages as unknown as SeenMessage[];
  return messages
    .filter(({ sender_email: sender }) => sender.startsWith('notification-bot@'))
    .map(({ content }) => content);
}

const REPLY = 'Yes, soup.\n\nOn Monday, Max wrote:\n> Soup?\n';

describe('An answer to a notification', () => {
  it('goes to the topic in which the message is now, in the name of the person, without quotes', async () => {
    const { olivia, mia } = app.cast;
    const channel = await createChannelWith(app, olivia, [mia], 'kitchen');
    const messageId = await sendTo(app, olivia, channel, 'soup');
    const address = await addressFor(mia, messageId);
    expectSuccess(await app.as(olivia).patch(`/messages/${messageId}`, { topic: 'stew' }));
    const mail = mailOf({ Subject: 'Fwd: soup', From: 'Somebody <else@elsewhere.example>' }, REPLY);
    await expect(deliver(app, address, mail)).resolves.toBe('accepted');
    await expect(deliver(app, address, mail)).resolves.toBe('accepted');
    const messages = (await messagesIn(app, olivia, channel)).filter(({ sender_id }) => sender_id === mia.id);
    expect(messages).toEqual([
      expect.objectContaining({ subject: 'stew', content: 'Yes, soup.', client: 'Internal' }),
    ]);
  });

  it('has one address, however often the mail is put together', async () => {
    const { max, mia } = app.cast;
    const [one, other] = [await sendDirect(app, max, [mia]), await sendDirect(app, max, [mia])];
    const first = await addressFor(mia, one);
    expect(first).toMatch(/^mm[0-9a-f]{32}@mail\.example\.org$/);
    expect(await addressFor(mia, one)).toBe(first);
    expect(new Set([first, await addressFor(mia, other), await addressFor(max, one)]).size).toBe(3);
    expectSuccess(await app.as(mia).post('/users/me/api_key/regenerate'));
    expect(await addressFor(mia, one)).not.toBe(first);
  });

  it('goes to the sender of a direct message, and to all in a group', async () => {
    const { mia, max, mona } = app.cast;
    const direct = await addressFor(mia, await sendDirect(app, max, [mia]));
    const group = await addressFor(mia, await sendDirect(app, max, [mia, mona]));
    await expect(deliver(app, direct, mailOf({}, 'to you'))).resolves.toBe('accepted');
    await expect(deliver(app, group, mailOf({}, 'to all'))).resolves.toBe('accepted');
    expect((await conversation(max, [mia.id])).at(-1)).toMatchObject({
      content: 'to you',
      sender_id: mia.id,
    });
    expect((await conversation(mona, [mia.id, max.id])).at(-1)).toMatchObject({ content: 'to all' });
  });

  it('mentions nobody, since anyone may have the address', async () => {
    const { mia, max } = app.cast;
    const address = await addressFor(mia, await sendDirect(app, max, [mia]));
    await deliver(app, address, mailOf({}, `@**${max.fullName}** look`));
    expect((await conversation(max, [mia.id])).at(-1)?.flags).toEqual([]);
  });

  it('that cannot be posted is reported to the person', async () => {
    const { olivia, mia } = app.cast;
    const channel = await createChannelWith(app, olivia, [mia], 'notices');
    const address = await addressFor(mia, await sendTo(app, olivia, channel, 'soup'));
    const moderators = app.get(GroupDirectory).systemGroupId('role:moderators');
    const closed = { can_send_message_group: { new: moderators } };
    expectSuccess(await app.as(olivia).patch(`/streams/${channel}`, closed));
    await expect(deliver(app, address, mailOf({}, 'in vain'))).resolves.toBe('accepted');
    const before = (await messagesIn(app, olivia, channel)).filter(({ sender_id }) => sender_id === mia.id);
    expect(before).toEqual([]);
    expect((await told(mia)).at(-1)).toBe(
      'Error sending message to channel notices via message notification email reply:\n' +
        'You do not have permission to post in this channel.',
    );
  });

  it('has no place once the address has ended', async () => {
    const { mia, max } = app.cast;
    const address = await addressFor(mia, await sendDirect(app, max, [mia]));
    expectSuccess(await app.as(mia).post('/users/me/api_key/regenerate'));
    await expect(deliver(app, address, mailOf({}))).resolves.toBe('unknown');
  });

  it.each([
    ['Auto-Submitted', 'auto-replied'],
    ['Return-Path', '<>'],
    ['X-Auto-Response-Suppress', 'All'],
    ['Precedence', 'bulk'],
    ['List-Id', '<missed-messages.chat.example.com>'],
  ])('is dropped where a program wrote it: %s', async (name, value) => {
    const { mia, max } = app.cast;
    const address = await addressFor(mia, await sendDirect(app, max, [mia], `before ${name}`));
    await expect(deliver(app, address, mailOf({ [name]: value }))).resolves.toBe('accepted');
    expect((await conversation(max, [mia.id])).at(-1)?.content).toBe(`before ${name}`);
  });
});
