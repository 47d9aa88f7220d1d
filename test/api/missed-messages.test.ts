import { beginQuarantine } from '../../src/platform/jobs/job';
import { Jobs } from '../../src/platform/jobs/jobs.service';
import type { Parameters } from '../support/api-client';
import type { Member } from '../support/cast';
import { addSubscriber, createChannelWith, createGroup } from '../support/channel-setup';
import { expectSuccess } from '../support/expect-answer';
import { MailServer, type ReceivedMail } from '../support/mail-server';
import { copyMessage, sendDirect, sendTo } from '../support/message-setup';
import { StoppedTimeOfDay } from '../support/test-clocks';
import { TestApp } from '../support/test-app';

const clock = new StoppedTimeOfDay();
let app: TestApp;
let server: MailServer;
let channel: number;

beforeAll(async () => {
  server = await MailServer.start();
  app = await TestApp.start({ clock, env: { SMTP_URL: server.url } });
  const { olivia, mia, max, gus } = app.cast;
  channel = await createChannelWith(app, olivia, [mia, max, gus], 'kitchen');
});

afterAll(async () => {
  await app.stop();
  await server.stop();
});

/** Nobody was active for a while, and nothing waits. */
beforeEach(async () => {
  clock.aheadMs += 3_600_000;
  await settle();
});

/** Lets everything happen that is due: who is notified, what is in the batch, the mails. */
async function settle(): Promise<void> {
  for (let step = 0; step < 3; step++) await app.get(Jobs).runDue();
}

/** The mails to a person that go out within so many seconds. */
async function mailsTo({ email }: Member, seconds = 121): Promise<ReceivedMail[]> {
  await settle();
  const before = server.mails.length;
  clock.aheadMs += seconds * 1000;
  await settle();
  return server.mails
    .slice(before)
    .filter(({ to }) => to.includes(email))
    .map((mail) => ({ ...mail, plain: mail.plain.replaceAll('\r\n', '\n') }))
    .sort((one, other) => numberOf(one) - numberOf(other));
}

/** Mails of a batch are sent side by side, so that each may arrive first; their IDs end with the number of the message. */
const numberOf = (mail: ReceivedMail): number =>
  Number(/\.(\d+)@/.exec(field(mail, 'Message-ID') ?? '')?.[1]);

const field = ({ header }: ReceivedMail, name: string) =>
  header.find((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}: `))?.slice(name.length + 2) ??
  null;

const titles = (mails: readonly ReceivedMail[]) => mails.map((mail) => field(mail, 'Subject'));

const settings = async (member: Member, changes: Parameters) =>
  expectSuccess(await app.as(member).patch('/settings', changes));

const property = async (member: Member, name: string, value: boolean) =>
  expectSuccess(
    await app.as(member).post('/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: channel, property: name, value }],
    }),
  );

const policy = async (member: Member, topic: string, visibility_policy: number) =>
  expectSuccess(await app.as(member).post('/user_topics', { stream_id: channel, topic, visibility_policy }));

const active = async (member: Member) =>
  expectSuccess(await app.as(member).post('/users/me/presence', { status: 'active', ping_only: true }));

const read = async (member: Member, messages: number[]) =>
  expectSuccess(await app.as(member).post('/messages/flags', { messages, op: 'add', flag: 'read' }));

const NONE: ReceivedMail[] = [];

describe('A user who was away', () => {
  it('gets one mail about the direct messages of a conversation, once', async () => {
    const { mia, max } = app.cast;
    const first = await sendDirect(app, max, [mia], 'Soup is **ready** &amp; [hot](/user_uploads/1/hot.pdf)');
    await settle();
    clock.aheadMs += 60_000;
    await sendDirect(app, max, [mia], '```spoiler Who\nThe butler\n```');
    const before = await mailsTo(mia, 59);
    expect(before).toEqual(NONE);
    const mails = await mailsTo(mia, 2);
    expect(titles(mails)).toEqual(['DMs with Max Member']);
    const [mail] = mails as [ReceivedMail];
    const ids = [mia.id, max.id].sort((a, b) => a - b).join(',');
    expect(mail.plain).toContain(
      'Max Member:\n> Soup is ready & hot (http://chat.example.com/user_uploads/1/hot.pdf)\n\nMax Member:\n> Who\n',
    );
    expect(mail.plain).toContain('because you get emails about direct messages.');
    expect(mail.plain).toContain(`http://chat.example.com/#narrow/dm/${ids}-dm/near/${first}\n`);
    expect(mail.html).toContain('<a href="http://chat.example.com/user_uploads/1/hot.pdf">hot</a>');
    expect(mail.plain + mail.html).not.toContain('butler');
    expect(field(mail, 'From')).toContain('Parley notifications');
    expect(field(mail, 'Auto-Submitted')).toBe('auto-generated');
    expect(field(mail, 'X-Auto-Response-Suppress')).toBe('All');
    expect(field(mail, 'Reply-To')).toBeNull();
    expect(field(mail, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
    expect(await mailsTo(mia, 86_400)).toEqual(NONE);

    await sendDirect(app, max, [mia], 'Again');
    const [next] = (await mailsTo(mia)) as [ReceivedMail];
    expect(field(next, 'References')).toBe(field(mail, 'References'));
    expect(field(next, 'Message-ID')).not.toBe(field(mail, 'Message-ID'));
    expect(field(mail, 'Message-ID')).toMatch(/^<[a-z2-7]{24}\.\d+@chat\.example\.com>$/);
  });

  it('gets it in the chosen language', async () => {
    const { mia, max } = app.cast;
    await settings(mia, { default_language: 'de' });
    await sendDirect(app, max, [mia], 'Suppe');
    await sendTo(app, max, channel, '✔ Herd', '@**Mia Member**');
    const mails = await mailsTo(mia);
    expect(titles(mails)).toEqual(['Direktnachrichten von Max Member', '[erledigt] #kitchen > Herd']);
    expect(mails[0]!.html).toContain('<html lang="de"');
    expect(mails.map(({ plain }) => /Du bekommst diese E-Mail, (.*)\.$/m.exec(plain)?.[1])).toEqual([
      'weil du Direktnachrichten per E-Mail bekommst',
      'weil du erwähnt wurdest',
    ]);
    await settings(mia, { default_language: 'en' });
  });

  it('gets one about each conversation, the oldest first, as the batching period says', async () => {
    const { mia, max, olivia, gus } = app.cast;
    await settings(mia, { email_notifications_batching_period_seconds: 600 });
    await sendDirect(app, max, [mia, olivia], 'Three');
    await sendTo(app, max, channel, 'order', '@**Mia Member**');
    await sendDirect(app, gus, [mia, olivia, max], 'Four');
    expect(await mailsTo(mia, 590)).toEqual(NONE);
    expect(titles(await mailsTo(mia, 11))).toEqual([
      'Group DMs with Owner and Max Member',
      '#kitchen > order',
      'Group DMs with Owner, Max Member, and Gus Guest',
    ]);
    await settings(mia, { email_notifications_batching_period_seconds: 120 });
  });

  it('hears of mentions, with what was said before in the topic', async () => {
    const { mia, max, olivia } = app.cast;
    await sendTo(app, olivia, channel, 'lunch', 'Long ago');
    clock.aheadMs += 16 * 60_000;
    await sendTo(app, olivia, channel, 'lunch', 'What is for lunch?');
    // Before the mention has the topic followed.
    await settle();
    const id = await sendTo(app, max, channel, 'lunch', '@**Mia Member**, soup?');
    const [mail] = (await mailsTo(mia)) as [ReceivedMail];
    expect(titles([mail])).toEqual(['#kitchen > lunch']);
    expect(mail.plain).toMatch(
      /^Earlier in this topic:\n\nOwner:\n> What is for lunch\?\n\nMax Member:\n> @Mia Member, soup\?\n\n/,
    );
    expect(mail.plain).toContain('because you were mentioned.');
    expect(mail.plain).toContain(`#narrow/channel/${channel}-kitchen/topic/lunch/near/${id}`);

    await createGroup(app, 'cooks', [mia.id]);
    await sendTo(app, max, channel, 'group', '@*cooks*, soup?');
    const [told] = (await mailsTo(mia)) as [ReceivedMail];
    expect(told.plain).toContain('because @cooks was mentioned.');
    await sendTo(app, max, channel, 'all', '@**all** soup');
    const [wild] = (await mailsTo(mia)) as [ReceivedMail];
    expect(wild.plain).toContain('because everyone in #kitchen was mentioned.');
    await sendTo(app, mia, channel, '✔ part', 'I am in');
    await sendTo(app, max, channel, '✔ part', '@**topic** soup');
    const [part] = (await mailsTo(mia)) as [ReceivedMail];
    expect(titles([part])).toEqual(['[resolved] #kitchen > part']);
    expect(part.plain).toContain('because everyone in #kitchen > ✔ part was mentioned.');
  });

  it('hears of an edit that mentions them, once', async () => {
    const { mia, max } = app.cast;
    const id = await sendTo(app, max, channel, 'edit', 'Soup?');
    expect(await mailsTo(mia)).toEqual(NONE);
    const edit = async (content: string) =>
      expectSuccess(await app.as(max).patch(`/messages/${id}`, { content }));
    await edit('@**Mia Member**, soup?');
    expect(titles(await mailsTo(mia))).toEqual(['#kitchen > edit']);
    await edit('Soup!');
    await edit('@**Mia Member**, soup!');
    expect(await mailsTo(mia)).toEqual(NONE);
  });

  it('hears of an edit that mentions a group of theirs, once', async () => {
    const { mia, max } = app.cast;
    const id = await sendTo(app, max, channel, 'edited group', 'Soup?');
    const edit = async (content: string) =>
      expectSuccess(await app.as(max).patch(`/messages/${id}`, { content }));
    await edit('@_*cooks*, soup?');
    expect(await mailsTo(mia)).toEqual(NONE);
    await edit('@*cooks*, soup?');
    const [told] = (await mailsTo(mia)) as [ReceivedMail];
    expect(told.plain).toContain('because @cooks was mentioned.');
    await edit('@*cooks* and @**Mia Member**, soup?');
    expect(await mailsTo(mia)).toEqual(NONE);
  });

  it('hears of an edit that names them, though a group of theirs was mentioned before they came', async () => {
    const { mia, max, gus } = app.cast;
    const group = await createGroup(app, 'bakers', [gus.id]);
    const id = await sendTo(app, max, channel, 'bakers', '@*bakers*, bread?');
    const other = await sendTo(app, max, channel, 'bakers', '@*bakers*, cake?');
    expect(titles(await mailsTo(gus))).toEqual(['#kitchen > bakers']);
    expectSuccess(await app.as(app.cast.olivia).post(`/user_groups/${group}/members`, { add: [mia.id] }));
    await mailsTo(mia);
    const edit = async (message: number, content: string) =>
      expectSuccess(await app.as(max).patch(`/messages/${message}`, { content }));
    await edit(id, '@*bakers*, more bread?');
    expect(await mailsTo(mia)).toEqual(NONE);
    await edit(other, '@*bakers* and @**Mia Member**, cake?');
    expect(titles(await mailsTo(mia))).toEqual(['#kitchen > bakers']);
    await edit(other, '@*bakers*, @**Mia Member** and @**Gus Guest**, cake?');
    expect(await mailsTo(gus)).toEqual(NONE);
  });

  it('hears of each of two edits at once', async () => {
    const { mia, max, gus } = app.cast;
    const id = await sendTo(app, max, channel, 'two edits', 'Soup?');
    await settle();
    for (const content of ['@**Mia Member**?', '@**Mia Member** @**Gus Guest**?'])
      expectSuccess(await app.as(max).patch(`/messages/${id}`, { content }));
    await settle();
    const before = server.mails.length;
    clock.aheadMs += 121_000;
    await settle();
    const told = server.mails.slice(before).flatMap(({ to }) => to);
    expect([...told].sort()).toEqual([gus.email, mia.email].sort());
  });

  it('hears of followed topics and channels as the settings say', async () => {
    const { mia, max } = app.cast;
    const told = async (topic: string, content = 'Soup') => {
      await sendTo(app, max, channel, topic, content);
      return titles(await mailsTo(mia));
    };
    expect(await told('plain')).toEqual([]);
    await policy(mia, 'followed', 3);
    await sendTo(app, max, channel, 'followed', 'Soup');
    const [mail] = (await mailsTo(mia)) as [ReceivedMail];
    expect(mail.plain).toContain('because you get emails about topics that you follow.');
    await settings(mia, { enable_followed_topic_email_notifications: false });
    expect(await told('followed')).toEqual([]);
    expect(await told('followed', '@**all** soup')).toEqual(['#kitchen > followed']);
    await settings(mia, {
      enable_followed_topic_wildcard_mentions_notify: false,
      wildcard_mentions_notify: false,
    });
    expect(await told('followed', '@**all** soup')).toEqual([]);
    await property(mia, 'wildcard_mentions_notify', true);
    expect(await told('plain', '@**all** soup')).toEqual(['#kitchen > plain']);
    await property(mia, 'wildcard_mentions_notify', false);
    await settings(mia, {
      enable_followed_topic_email_notifications: true,
      enable_followed_topic_wildcard_mentions_notify: true,
      wildcard_mentions_notify: true,
    });
    expect(await told('plain', '@**all** soup')).toEqual([]);

    await settings(mia, { enable_stream_email_notifications: true });
    await sendTo(app, max, channel, 'plain', 'Soup');
    const [every] = (await mailsTo(mia)) as [ReceivedMail];
    expect(every.plain).toContain('because you get emails about #kitchen.');
    await property(mia, 'email_notifications', false);
    expect(await told('plain')).toEqual([]);
    await settings(mia, { enable_stream_email_notifications: false });
    await property(mia, 'email_notifications', true);
    expect(await told('plain')).toEqual(['#kitchen > plain']);
    await policy(mia, 'plain', 1);
    expect(await told('plain')).toEqual([]);
    expect(await told('plain', '@**all** soup')).toEqual([]);
    expect(await told('plain', '@**Mia Member**')).toEqual(['#kitchen > plain']);
    await property(mia, 'is_muted', true);
    expect(await told('other')).toEqual([]);
    await policy(mia, 'other', 2);
    expect(await told('other')).toEqual(['#kitchen > other']);
    await property(mia, 'is_muted', false);
    await property(mia, 'email_notifications', false);
    await settings(mia, { enable_offline_email_notifications: false });
    expect(await told('none', '@**Mia Member**')).toEqual([]);
    await sendDirect(app, max, [mia], 'Soup');
    expect(await mailsTo(mia)).toEqual(NONE);
    await settings(mia, { enable_offline_email_notifications: true });
    await property(mia, 'wildcard_mentions_notify', true);
  });

  it('hears nothing of their own messages, of those whom they mute, of greetings, and bots hear nothing', async () => {
    const { mia, max, robo } = app.cast;
    const before = server.mails.length;
    await sendDirect(app, mia, [mia], 'Note to self');
    await sendTo(app, mia, channel, 'own', '@**all** @**Mia Member**');
    await sendDirect(app, mia, [robo], 'Hello');
    expectSuccess(await app.as(mia).post(`/users/me/muted_users/${max.id}`));
    await sendDirect(app, max, [mia], 'Soup');
    await sendTo(app, max, channel, 'muted', '@**Mia Member**');
    expect(await mailsTo(mia)).toEqual(NONE);
    expectSuccess(await app.as(mia).delete(`/users/me/muted_users/${max.id}`));
    const to = server.mails.slice(before).flatMap((mail) => mail.to);
    expect(to).not.toContain(robo.email);
    // Others in the channel were mentioned; a bot's message is one like any other.
    expect(to).toContain(max.email);
    await sendDirect(app, robo, [mia], 'From a bot');
    expect(titles(await mailsTo(mia))).toHaveLength(1);
  });
});

describe('What happens before the mail is due', () => {
  it.each<[string, (id: number) => Promise<unknown>]>([
    ['it is read', (id) => read(app.cast.mia, [id])],
    ['it is deleted', async (id) => expectSuccess(await app.as(app.cast.olivia).delete(`/messages/${id}`))],
    ['the topic is muted', () => policy(app.cast.mia, 'between', 1)],
    ['the setting is turned off', () => property(app.cast.mia, 'wildcard_mentions_notify', false)],
    [
      'the mention is taken back',
      async (id) =>
        expectSuccess(await app.as(app.cast.max).patch(`/messages/${id}`, { content: 'Nothing' })),
    ],
    [
      'the reader leaves the channel',
      async () =>
        expectSuccess(
          await app.as(app.cast.mia).delete('/users/me/subscriptions', { subscriptions: ['kitchen'] }),
        ),
    ],
    [
      'it is moved to a private channel',
      async (id) => {
        const { olivia, max } = app.cast;
        const stream_id = await createChannelWith(app, olivia, [max], `secret ${id}`, { invite_only: true });
        return expectSuccess(
          await app.as(olivia).patch(`/messages/${id}`, { stream_id, propagate_mode: 'change_all' }),
        );
      },
    ],
    [
      'the sender is muted',
      async () => expectSuccess(await app.as(app.cast.mia).post(`/users/me/muted_users/${app.cast.max.id}`)),
    ],
  ])('brings none once %s', async (_, change) => {
    const { mia, max, olivia } = app.cast;
    const told = async (topic: string) => {
      const id = await sendTo(app, max, channel, topic, '@**all** soup');
      await settle();
      return id;
    };
    const id = await told('between');
    await change(id);
    expect(await mailsTo(mia)).toEqual(NONE);

    // Everything as before.
    await app.as(mia).delete(`/users/me/muted_users/${max.id}`);
    await addSubscriber(app, olivia, channel, mia);
    await property(mia, 'wildcard_mentions_notify', true);
    await settle();
    await mailsTo(mia);
    await policy(mia, 'between', 0);
    await told('between');
    expect(titles(await mailsTo(mia))).toEqual(['#kitchen > between']);
  });

  it('brings none to somebody who was deactivated, and to the new address of others', async () => {
    const { mia, max, olivia, gus } = app.cast;
    await sendDirect(app, max, [gus], 'Soup');
    await settle();
    expectSuccess(await app.as(olivia).delete(`/users/${gus.id}`));
    expect(await mailsTo(gus)).toEqual(NONE);
    expectSuccess(await app.as(olivia).post(`/users/${gus.id}/reactivate`));
    expect(await mailsTo(gus, 86_400)).toEqual(NONE);
    await sendDirect(app, max, [mia], 'Soup');
    await settle();
    expectSuccess(await app.as(olivia).patch(`/users/${mia.id}`, { new_email: 'mia.new@example.com' }));
    expect(await mailsTo(mia)).toEqual(NONE);
    expect(server.mails.at(-1)?.to).toEqual(['mia.new@example.com']);
    expectSuccess(await app.as(olivia).patch(`/users/${mia.id}`, { new_email: mia.email }));
  });
});

describe('A user who is active', () => {
  it('is mailed once they are gone, about what they have not read', async () => {
    const { mia, max } = app.cast;
    await active(mia);
    await sendDirect(app, max, [mia], 'While active');
    const seen = await sendDirect(app, max, [mia], 'Seen');
    await read(mia, [seen]);
    expect(await mailsTo(mia, 150)).toEqual(NONE);
    await active(mia);
    expect(await mailsTo(mia, 150)).toEqual(NONE);
    const mails = await mailsTo(mia, 60);
    expect(titles(mails)).toEqual(['DMs with Max Member']);
    expect(mails[0]!.plain).not.toContain('Seen');
  });

  it('is not mailed at all while they stay', async () => {
    const { mia, max } = app.cast;
    await active(mia);
    await sendDirect(app, max, [mia], 'While active');
    for (let minute = 0; minute < 20; minute += 2) {
      expect(await mailsTo(mia, 120)).toEqual(NONE);
      await active(mia);
    }
    expect(await mailsTo(mia, 3_600)).toEqual(NONE);
  });
});

describe('A mail', () => {
  it('shows nothing of what was said where the person or the organization does not want that', async () => {
    const { mia, max, olivia } = app.cast;
    const mail = async () => {
      await sendTo(app, max, channel, 'geheim', '@**Mia Member** the password');
      const mails = await mailsTo(mia);
      expect(titles(mails)).toEqual(['New messages']);
      const [{ plain, html, header }] = mails as [ReceivedMail];
      expect(`${plain}${html}${header.join('\n')}`).not.toMatch(/password|geheim|kitchen|Max/);
      expect(plain).toContain('You have a new message at Parley.');
    };
    await settings(mia, { message_content_in_email_notifications: false });
    await mail();
    await settings(mia, { message_content_in_email_notifications: true });
    const allow = async (message_content_allowed_in_email_notifications: boolean) =>
      expectSuccess(await app.as(olivia).patch('/realm', { message_content_allowed_in_email_notifications }));
    await allow(false);
    await mail();
    await allow(true);
  });

  it('names the organization in its title where that is wanted', async () => {
    const { mia, max } = app.cast;
    await settings(mia, { realm_name_in_email_notifications_policy: 2 });
    await sendDirect(app, max, [mia], 'Soup');
    expect(titles(await mailsTo(mia))).toEqual(['DMs with Max Member [Parley]']);
    await settings(mia, { realm_name_in_email_notifications_policy: 1 });
  });

  it('is bounded, whatever was missed', async () => {
    const { mia, max } = app.cast;
    const id = await sendDirect(app, max, [mia], 'Soup');
    await settle();
    const copies = await copyMessage(app, id, 1_200);
    await app.writeRows((tx) =>
      tx.query(
        `INSERT INTO missed_message (user_id, message_id, noted_at, due_at, was_active)
         SELECT m.user_id, c.id, m.noted_at, m.due_at, m.was_active FROM missed_message m JOIN message c ON c.id IN (?)
         WHERE m.message_id = ?`,
        [copies, id],
      ),
    );
    await sendDirect(app, max, [mia], 'x'.repeat(10_000));
    const [mail, ...others] = (await mailsTo(mia)) as [ReceivedMail];
    expect(others).toEqual(NONE);
    expect(mail.plain.match(/^> Soup$/gm)).toHaveLength(50);
    expect(mail.plain).toContain('1152 more messages are not shown.');
    await read(mia, [id, ...copies]);
    for (let topic = 0; topic < 33; topic++) await sendTo(app, max, channel, `t${topic}`, '@**Mia Member**');
    const many = await mailsTo(mia);
    expect(many).toHaveLength(30);
    expect(
      many.filter(({ plain }) => plain.includes('You missed messages in 3 more conversations.')),
    ).toHaveLength(1);
    for (let part = 0; part < 20; part++) await sendDirect(app, max, [mia], '<b>'.repeat(3_000));
    const [large] = (await mailsTo(mia)) as [ReceivedMail];
    expect(large.plain.length + large.html.length).toBeLessThan(250_000);
    expect(large.plain).toMatch(/\d+ more messages are not shown\./);
  });

  it('has a clean head and body, whatever things are called', async () => {
    const { mia, max, olivia } = app.cast;
    const hostile = '<script>alert(1)</script>';
    expectSuccess(await app.as(olivia).patch(`/streams/${channel}`, { new_name: `x ${hostile}` }));
    const topic = `${hostile}" Bcc: a@example.com`;
    await sendTo(app, max, channel, topic, `@**Mia Member** ${hostile} [x](javascript:alert)`);
    const [mail] = (await mailsTo(mia)) as [ReceivedMail];
    expect(mail.header.filter((line) => /^bcc/i.test(line))).toEqual([]);
    expect(mail.html).not.toMatch(/<script|javascript:alert"/);
    expect(mail.html).toContain('&lt;script&gt;');
    expectSuccess(await app.as(olivia).patch(`/streams/${channel}`, { new_name: 'kitchen' }));
    const name = 'Max\r\nBcc: b@example.com, <i>';
    await app.writeRows((tx) => {
      tx.touch('accounts', [max.id]);
      return tx.query('UPDATE account SET full_name = ? WHERE id = ?', [name, max.id]);
    });
    await sendDirect(app, max, [mia], 'Soup');
    const [next] = (await mailsTo(mia)) as [ReceivedMail];
    expect(field(next, 'Subject')).toBe('DMs with Max Bcc: b@example.com, <i>');
    expect(next.header.filter((line) => /^bcc/i.test(line))).toEqual([]);
    expect(next.to).toEqual([mia.email]);
    expect(next.html).toContain('Bcc: b@example.com, &lt;i&gt;');
    await app.writeRows((tx) => {
      tx.touch('accounts', [max.id]);
      return tx.query('UPDATE account SET full_name = ? WHERE id = ?', [max.fullName, max.id]);
    });
  });
});

describe('The link that unsubscribes', () => {
  const linkIn = (mail: ReceivedMail) =>
    /<http:\/\/[^/]+(\/\S+)>/.exec(field(mail, 'List-Unsubscribe')!)![1]!;

  /** As a mail program or a browser sends it, without any cookie. */
  const ask = async (method: 'GET' | 'POST', url: string) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const post = { headers, payload: 'List-Unsubscribe=One-Click' };
    const { status, body } = await app.client().send({ method, url, ...(method === 'POST' && post) });
    return { status, body: String(body) };
  };

  it('acts when it is posted, not when it is followed, and ends all such mail', async () => {
    const { mia, max, olivia } = app.cast;
    await property(mia, 'email_notifications', true);
    await sendDirect(app, max, [mia], 'Soup');
    const [mail] = (await mailsTo(mia)) as [ReceivedMail];
    const link = linkIn(mail);
    expect(mail.plain).toContain(`http://chat.example.com${link}`);
    const page = await ask('GET', link);
    expect([page.status, page.body.includes('<form method="post">')]).toEqual([200, true]);
    await sendDirect(app, max, [mia], 'Still');
    expect(await mailsTo(mia)).toHaveLength(1);

    for (const wrong of [
      `${link}a`,
      link.replace(/-./, (start) => (start === '-7' ? '-a' : '-7')),
      link.replace(/\/\d+-/, `/${max.id}-`),
      `${link.slice(0, -30)}`,
    ]) {
      const answers = [await ask('GET', wrong), await ask('POST', wrong)];
      expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    }
    await sendTo(app, max, channel, 'still', 'All of the channel');
    expect(await mailsTo(mia)).toHaveLength(1);

    const events = await app.captureEvents(async () => {
      expect((await ask('POST', link)).status).toBe(200);
    });
    expect(events.map(({ event }) => [event.type, event.property, event.value])).toEqual([
      ['user_settings', 'enable_offline_email_notifications', false],
      ['user_settings', 'enable_followed_topic_email_notifications', false],
      ['subscription', 'email_notifications', false],
    ]);
    expect((await ask('POST', link)).status).toBe(200);
    await policy(mia, 'followed', 3);
    await sendDirect(app, max, [mia], 'No more');
    await sendTo(app, max, channel, 'followed', '@**Mia Member** no more');
    expect(await mailsTo(mia)).toEqual(NONE);

    await settings(mia, { enable_offline_email_notifications: true });
    expectSuccess(await app.as(olivia).patch(`/users/${mia.id}`, { new_email: 'mia.new@example.com' }));
    expect((await ask('POST', link)).status).toBe(404);
    expectSuccess(await app.as(olivia).patch(`/users/${mia.id}`, { new_email: mia.email }));
  });
});

describe('With incoming mail', () => {
  let answering: TestApp;

  beforeAll(async () => {
    const env = { SMTP_URL: server.url, EMAIL_GATEWAY_PATTERN: 'in+%s@mail.example.org' };
    answering = await TestApp.start({ clock, env });
  });

  afterAll(() => answering.stop());

  it('a mail can be answered, unless it shows no content', async () => {
    const { mia, max } = answering.cast;
    const mail = async () => {
      const before = server.mails.length;
      await sendDirect(answering, max, [mia], 'Soup?');
      for (let step = 0; step < 3; step++) await answering.get(Jobs).runDue();
      clock.aheadMs += 121_000;
      for (let step = 0; step < 3; step++) await answering.get(Jobs).runDue();
      return server.mails.slice(before).find(({ to }) => to.includes(mia.email))!;
    };
    const shown = await mail();
    expect(field(shown, 'Reply-To')).toMatch(/<in\+mm[0-9a-f]{32}@mail\.example\.org>$/);
    expect(shown.plain).toContain('You can reply to this email directly.');
    expectSuccess(
      await answering.as(mia).patch('/settings', { message_content_in_email_notifications: false }),
    );
    const hidden = await mail();
    expect(field(hidden, 'Reply-To')).toBeNull();
    expect(hidden.plain).toContain('Replies to this email are not received by anyone.');
  });
});

describe('A server that starts again', () => {
  it('sends what was due, once, but nothing as a restored copy', async () => {
    const { mia, max } = app.cast;
    await settings(mia, { enable_offline_email_notifications: true });
    await sendDirect(app, max, [mia], 'Before the restart');
    await settle();
    app = await app.restarted({ clock });
    expect(titles(await mailsTo(mia))).toEqual(['DMs with Max Member']);
    await sendDirect(app, max, [mia], 'Before the backup');
    await settle();
    await app.writeRows((tx) => beginQuarantine(tx, 'a backup was restored'));
    app = await app.restarted({ clock });
    expect(await mailsTo(mia, 3_600)).toEqual(NONE);
    const before = server.mails.length;
    app.get(Jobs).endQuarantine();
    await settle();
    const mails = server.mails.slice(before);
    expect(mails.map(({ to, plain }) => [to, plain.includes('Before the backup')])).toEqual([
      [[mia.email], true],
    ]);
    expect(await mailsTo(mia, 3_600)).toEqual(NONE);
  });
});
