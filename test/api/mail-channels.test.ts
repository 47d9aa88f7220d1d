import { TransactionService } from '../../src/platform/database/transaction.service';
import { GroupDirectory } from '../../src/features/user-groups/groups/group.directory';
import { createChannel, createChannelWith } from '../support/channel-setup';
import { expectSuccess } from '../support/expect-answer';
import { channelAddress, deliver, mailOf, messagesIn, multipart } from '../support/mail-setup';
import { StoppedTimeOfDay } from '../support/test-clocks';
import { TestApp } from '../support/test-app';

const clock = new StoppedTimeOfDay();
let app: TestApp;
let channels = 0;

beforeAll(async () => {
  app = await TestApp.start({
    clock,
    env: { EMAIL_GATEWAY_PATTERN: '%s@mail.example.org', EMAIL_GATEWAY_AUTHSERV_ID: 'mx.example.org' },
  });
});

afterAll(() => app.stop());

/** Limits on the number of mails count from here. */
beforeEach(() => {
  clock.aheadMs += 3_700_000;
});

const fresh = () => createChannel(app, app.cast.mia, `mail ${++channels}`);

/** What a mail becomes in a channel of its own. */
async function posted(mail: Buffer, options = '') {
  const { mia } = app.cast;
  const channel = await fresh();
  await expect(deliver(app, await channelAddress(app, mia, channel, options), mail)).resolves.toBe(
    'accepted',
  );
  return messagesIn(app, mia, channel);
}

const contentOf = async (mail: Buffer, options = '') => (await posted(mail, options))[0]?.content;

describe('A mail to a channel', () => {
  it('becomes a message of the gateway bot, its subject the topic', async () => {
    const messages = await posted(mailOf({ Subject: 'Re: AW: [Fwd: Lunch]' }, 'Soup is **ready**.\n\nCome!'));
    expect(messages).toEqual([
      expect.objectContaining({
        subject: 'Lunch',
        content: 'Soup is **ready**.\n\nCome!',
        sender_email: expect.stringMatching(/^emailgateway@/),
        client: 'Internal',
      }),
    ]);
  });

  it.each([
    ['', 'Email with no subject'],
    ['Re:', 'Email with no subject'],
    [`=?utf-8?B?${Buffer.from('Süppchen\u0007 heute').toString('base64')}?=`, 'Süppchen heute'],
    ['x'.repeat(70), `${'x'.repeat(57)}...`],
    ['Report: fine', 'Report: fine'],
    ['WG: WG-Zimmer frei', 'WG-Zimmer frei'],
  ])('makes a topic of the subject %p', async (subject, topic) => {
    const [message] = await posted(mailOf({ Subject: subject }));
    expect(message?.subject).toBe(topic);
  });

  it('can be posted in the name of the person, or of an own bot', async () => {
    const { mia, robo } = app.cast;
    const channel = await fresh();
    for (const { id } of [mia, robo]) {
      const address = await channelAddress(app, mia, channel, '', { sender_id: id });
      await expect(deliver(app, address, mailOf({}))).resolves.toBe('accepted');
    }
    const messages = await messagesIn(app, mia, channel);
    expect(messages.map(({ sender_id }) => sender_id)).toEqual([mia.id, robo.id]);
  });

  it('reaches a private channel as long as the person who got the address does', async () => {
    const { olivia, mia } = app.cast;
    const channel = await createChannelWith(app, olivia, [mia], 'private mail', { invite_only: true });
    const address = await channelAddress(app, mia, channel);
    await expect(deliver(app, address, mailOf({}))).resolves.toBe('accepted');
    const gone = { subscriptions: ['private mail'], principals: [mia.id] };
    expectSuccess(await app.as(olivia).delete('/users/me/subscriptions', gone));
    await expect(deliver(app, address, mailOf({ Subject: 'Other' }))).resolves.toBe('refused');
    await expect(messagesIn(app, olivia, channel)).resolves.toHaveLength(1);
  });

  it('is refused where the person may not post, or start topics, and in archived channels', async () => {
    const { mia, olivia } = app.cast;
    const moderators = app.get(GroupDirectory).systemGroupId('role:moderators');
    const channel = await createChannel(app, olivia, 'rules');
    const address = await channelAddress(app, mia, channel);
    expectSuccess(
      await app.as(olivia).patch(`/streams/${channel}`, { can_create_topic_group: { new: moderators } }),
    );
    await deliver(app, address, mailOf({ Subject: 'New topic' }));
    await expect(messagesIn(app, olivia, channel)).resolves.toEqual([]);
    expectSuccess(
      await app.as(olivia).patch(`/streams/${channel}`, { can_send_message_group: { new: moderators } }),
    );
    await expect(deliver(app, address, mailOf({}))).resolves.toBe('refused');

    const archived = await createChannel(app, olivia, 'archived');
    const old = await channelAddress(app, mia, archived);
    expectSuccess(await app.as(olivia).delete(`/streams/${archived}`));
    await expect(deliver(app, old, mailOf({}))).resolves.toBe('refused');
  });

  it('is refused in the name of a person who was deactivated', async () => {
    const { olivia } = app.cast;
    const person = await app.addAccount({ deliveryEmail: 'gone@example.com', fullName: 'Gone', role: 400 });
    const channel = await createChannel(app, olivia, 'left');
    const address = await channelAddress(app, person, channel);
    expectSuccess(await app.as(olivia).delete(`/users/${person.id}`));
    await expect(deliver(app, address, mailOf({}))).resolves.toBe('refused');
  });

  it.each([
    ['a token that nobody got', `${'0'.repeat(32)}@mail.example.org`],
    ['another domain', `${'0'.repeat(32)}@example.org`],
    ['no token', 'soup@mail.example.org'],
    ['a reply address that never was', `mm${'0'.repeat(32)}@mail.example.org`],
  ])('is unknown at %s', async (_what, address) => {
    await expect(deliver(app, address, mailOf({}))).resolves.toBe('unknown');
  });

  it('finds its recipient in the header, where the mail server does not say it', async () => {
    const { mia } = app.cast;
    const [first, second] = [await fresh(), await fresh()];
    const to = await channelAddress(app, mia, first);
    const delivered = await channelAddress(app, mia, second);
    const header = { To: `"Soup, friends" <x@example.com>, Kitchen <${to.toUpperCase()}>` };
    await expect(deliver(app, undefined, mailOf(header))).resolves.toBe('accepted');
    const both = { ...header, 'Delivered-To': delivered };
    await expect(deliver(app, undefined, mailOf(both))).resolves.toBe('accepted');
    await expect(messagesIn(app, mia, first)).resolves.toHaveLength(1);
    await expect(messagesIn(app, mia, second)).resolves.toHaveLength(1);
    await expect(deliver(app, undefined, mailOf({ To: 'x@example.com' }))).resolves.toBe('unknown');
  });

  it('takes addresses with plus signs, and options in any place', async () => {
    const { mia } = app.cast;
    const channel = await fresh();
    const [slug, token] = (await channelAddress(app, mia, channel)).split(/[.@]/);
    const mail = mailOf({}, 'Hi\n--\nAda');
    for (const local of [`${slug}+${token}`, `show-sender+${token}`, `${slug}.include-footer.${token}`]) {
      await expect(deliver(app, `${local}@mail.example.org`, mail)).resolves.toBe('accepted');
    }
    const contents = (await messagesIn(app, mia, channel)).map(({ content }) => content);
    expect(contents).toEqual(['Hi']);
  });
});

describe('Options of an address', () => {
  const quoting = 'Yes.\n\nOn Monday, Max Muster\n<max@example.com> wrote:\n> Soup?\n> Now?\n';

  it('show the sender', async () => {
    const content = await contentOf(mailOf({ From: '"**Ada**" <ada@elsewhere.example>' }), '.show-sender');
    expect(content).toBe('From: "\\*\\*Ada\\*\\*" \\<ada@elsewhere.example> (unverified)\nSoup is ready.');
  });

  const PASSED = 'MX.example.org; dkim=pass header.d=elsewhere.example; dmarc=pass (p=none) header.from=x';
  it.each<[string, readonly string[], boolean]>([
    ['DMARC passed', [PASSED], true],
    ['with a version of the header', ['mx.example.org 1; dmarc=Pass'], true],
    ['in one field of several', ['mx.example.org; spf=fail', PASSED], true],
    ['DMARC failed', ['mx.example.org; dmarc=fail'], false],
    ['DMARC was not checked', ['mx.example.org; dkim=pass; spf=pass'], false],
    ['another server says so', [PASSED.replace('MX', 'other')], false],
    ['the sender says so, below our server', ['mx.example.org; dmarc=fail', PASSED], false],
    ['in a comment', ['mx.example.org; spf=fail (; dmarc=pass)'], false],
    ['in a quoted string', ['mx.example.org; spf=fail smtp.mailfrom="a; dmarc=pass;"@x'], false],
    ['nothing', ['mx.example.org; none'], false],
    ['for one of two senders', [`${PASSED}\r\nFrom: max@example.com`], false],
  ])('show senders as verified by what our mail server found: %s', async (_what, fields, isVerified) => {
    const head = fields.map((value) => `Authentication-Results: ${value}\r\n`).join('');
    const mail = Buffer.concat([Buffer.from(head), mailOf({})]);
    const [sender] = (await contentOf(mail, '.show-sender'))?.split('\n') ?? [];
    expect(sender?.endsWith(' (unverified)')).toBe(!isVerified);
  });

  it('keep the footer, which otherwise goes if it is the only one', async () => {
    const mail = mailOf({}, 'Hi\n-- \nAda');
    await expect(contentOf(mail)).resolves.toBe('Hi');
    await expect(contentOf(mail, '.include-footer')).resolves.toBe('Hi\n-- \nAda');
    await expect(contentOf(mailOf({}, 'a\n--\nb\n--\nc'))).resolves.toBe('a\n--\nb\n--\nc');
  });

  it('keep quotes, as forwarded mails do', async () => {
    await expect(contentOf(mailOf({}, quoting))).resolves.toBe('Yes.');
    await expect(contentOf(mailOf({}, quoting), '.include-quotes')).resolves.toBe(quoting.trim());
    await expect(contentOf(mailOf({ Subject: 'Fwd: Soup' }, quoting))).resolves.toBe(quoting.trim());
  });

  it.each([
    ['-----Original Message-----\nFrom: max'],
    ['________________________________\nFrom: Max\nSent: Monday\nTo: Ada\nSubject: Soup\n\nSoup?'],
    ['Am 12.03.2026 um 10:00 schrieb Max <max@example.com>:\n> Suppe?'],
    ['> Soup?'],
  ])('recognize quotes such as %p', async (quote) => {
    await expect(contentOf(mailOf({}, `Yes.\n\n${quote}`))).resolves.toBe('Yes.');
  });

  it('take the HTML where the plain text is empty, with what its sender quotes', async () => {
    const { type, body } = multipart('alternative', [
      'Content-Type: text/plain\n\n',
      'Content-Type: text/html\n\n<p>Rule:</p><blockquote>No soup</blockquote><p>Agreed?</p><p>--</p><p>Ada</p>',
    ]);
    await expect(contentOf(mailOf({ 'MIME-Version': '1.0', 'Content-Type': type }, body))).resolves.toBe(
      'Rule:\n\n> No soup\n\nAgreed?',
    );
  });

  it('prefer HTML, or plain text', async () => {
    const { type, body } = multipart('alternative', [
      'Content-Type: text/plain\n\nplain soup',
      'Content-Type: text/html\n\n<p>rich <b>soup</b></p>',
    ]);
    const mail = mailOf({ 'MIME-Version': '1.0', 'Content-Type': type }, body);
    await expect(contentOf(mail)).resolves.toBe('plain soup');
    await expect(contentOf(mail, '.prefer-text')).resolves.toBe('plain soup');
    await expect(contentOf(mail, '.prefer-html')).resolves.toBe('rich **soup**');
  });
});

describe('The text of a stranger', () => {
  it('notifies nobody, starts no poll and is no command', async () => {
    const { mia, max } = app.cast;
    const channel = await createChannelWith(app, mia, [max], 'strangers');
    const address = await channelAddress(app, mia, channel);
    const mention = `@**${max.fullName}** @**all** @*everyone*`;
    await deliver(app, address, mailOf({}, `/poll Soup?\nyes\n${mention}`));
    await deliver(app, address, mailOf({}, `/me eats ${mention}`));
    const messages = await messagesIn(app, max, channel);
    expect(messages).toHaveLength(2);
    for (const { flags, content } of messages) {
      expect(flags).toEqual([]);
      expect(content).toMatch(/^\\\/(poll|me) /);
    }
    expect(messages.map((each) => (each as unknown as { submessages: unknown[] }).submessages)).toEqual([
      [],
      [],
    ]);
  });

  it('is cut to what a message holds', async () => {
    const content = await contentOf(mailOf({}, 'soup '.repeat(4_000)));
    expect(content).toHaveLength(10_000);
    expect(content).toMatch(/\[message truncated\]$/);
  });

  it('may be empty', async () => {
    await expect(contentOf(mailOf({}, ''))).resolves.toBe('(No email body)');
    await expect(contentOf(mailOf({}, '> all of it quoted'))).resolves.toBe('(No email body)');
  });

  it.each([
    ['iso-8859-1', Buffer.from('S\xfcppchen', 'latin1'), 'Süppchen'],
    ['utf-8', Buffer.from('S\xfcppchen', 'latin1'), 'S\ufffdppchen'],
    ['utf-7', Buffer.from('S+APw-ppchen'), 'S+APw-ppchen'],
    ['no-such-charset', Buffer.from('soup'), 'soup'],
  ])('may be in %s', async (charset, bytes, text) => {
    const head = mailOf({ 'Content-Type': `text/plain; charset=${charset}` }, '')
      .toString()
      .trimEnd();
    await expect(contentOf(Buffer.concat([Buffer.from(`${head}\r\n\r\n`), bytes]))).resolves.toBe(text);
  });
});

describe('The same mail', () => {
  it('is posted once, also when it comes at the same time', async () => {
    const { mia } = app.cast;
    const channel = await fresh();
    const address = await channelAddress(app, mia, channel);
    const mail = mailOf({});
    const verdicts = await Promise.all(Array.from({ length: 5 }, () => deliver(app, address, mail)));
    expect(new Set(verdicts)).toEqual(new Set(['accepted']));
    clock.aheadMs += 6 * 86_400_000;
    await expect(deliver(app, address, mail)).resolves.toBe('accepted');
    await expect(messagesIn(app, mia, channel)).resolves.toHaveLength(1);
  });

  it('is known by its ID, its sender and its text, whatever mail servers add on the way', async () => {
    const { mia } = app.cast;
    const channel = await fresh();
    const address = await channelAddress(app, mia, channel);
    const fields = { 'Message-ID': '<one@elsewhere.example>', From: 'Cook <cook@elsewhere.example>' };
    const mail = mailOf(fields, 'soup');
    const received = Buffer.from(
      'Received: from elsewhere.example by mx2; Sun, 29 Nov 2026 10:00:05 +0000\r\n',
    );
    await expect(deliver(app, address, mail)).resolves.toBe('accepted');
    await expect(deliver(app, address, Buffer.concat([received, mail]))).resolves.toBe('accepted');
    await expect(messagesIn(app, mia, channel)).resolves.toHaveLength(1);
    // Programs that reuse an ID, and people who take that of another.
    await deliver(app, address, mailOf(fields, 'stew'));
    await deliver(app, address, mailOf({ ...fields, From: 'Guest <guest@elsewhere.example>' }, 'soup'));
    // Nobody can have it read in another way first.
    await deliver(app, address, mailOf({ ...fields, 'Content-Transfer-Encoding': 'base64' }, 'soup'));
    await deliver(app, address, mailOf({ ...fields, 'Content-Type': 'text/html' }, 'soup'));
    await expect(messagesIn(app, mia, channel)).resolves.toHaveLength(5);
    const other = await fresh();
    await deliver(app, await channelAddress(app, mia, other), mail);
    await expect(messagesIn(app, mia, other)).resolves.toHaveLength(1);
  });
});

/** So many mails were accepted before. */
async function accepted(count: number): Promise<void> {
  const { id } = app.cast.mia;
  await app.get(TransactionService).run(async (tx) => {
    for (let i = 0; i < count; i++) {
      await tx.query(
        `INSERT INTO received_mail (digest, target, options, user_id, received_at) VALUES (?, 'channel:x', '', ?, ?)`,
        [`${clock.nowMs()} ${i}`, id, clock.nowMs()],
      );
    }
  });
}

it('takes 50 mails a minute, 120 in five, 600 an hour', async () => {
  const { mia } = app.cast;
  const address = await channelAddress(app, mia, await fresh());
  let number = 0;
  const send = () => deliver(app, address, mailOf({ 'Message-ID': `<${number++}@x>` }));
  await accepted(49);
  await expect(send()).resolves.toBe('accepted');
  await expect(send()).resolves.toBe('too many');
  clock.aheadMs += 61_000;
  await accepted(50);
  clock.aheadMs += 61_000;
  await accepted(20);
  await expect(send()).resolves.toBe('too many');
  for (let i = 0; i < 4; i++) {
    clock.aheadMs += 301_000;
    await accepted(120);
  }
  clock.aheadMs += 301_000;
  await expect(send()).resolves.toBe('too many');
  clock.aheadMs += 3_600_000;
  await expect(send()).resolves.toBe('accepted');
});
