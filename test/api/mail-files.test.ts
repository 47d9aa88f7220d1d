import type { Member } from '../support/cast';
import { createChannelWith } from '../support/channel-setup';
import { channelAddress, deliver, mailOf, messagesIn, multipart } from '../support/mail-setup';
import { TestApp } from '../support/test-app';

let app: TestApp;
let address: string;
let channel: number;

beforeAll(async () => {
  app = await TestApp.start({
    env: { EMAIL_GATEWAY_PATTERN: '%s@mail.example.org', MAX_UPLOAD_MIB: '1', UPLOAD_QUOTA_MIB: '2' },
  });
});

afterAll(() => app.stop());

beforeEach(async () => {
  const { mia, max } = app.cast;
  channel = await createChannelWith(app, mia, [max], expect.getState().currentTestName?.slice(0, 59) ?? '', {
    invite_only: true,
  });
  address = await channelAddress(app, mia, channel);
});

const filePart = (name: string, content: string | Buffer, type = 'application/octet-stream') =>
  [
    `Content-Type: ${type}; name="${name}"`,
    `Content-Disposition: attachment; filename="${name}"`,
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(content).toString('base64').replace(/.{76}/g, '$&\n'),
  ].join('\n');

const textPart = (text: string) => `Content-Type: text/plain\n\n${text}`;

function mixed(parts: readonly string[], header: Readonly<Record<string, string>> = {}): Buffer {
  const { type, body } = multipart('mixed', parts);
  return mailOf({ 'MIME-Version': '1.0', 'Content-Type': type, ...header }, body);
}

/** The one message that came of a mail. */
async function posted(mail: Buffer, reader: Member = app.cast.max): Promise<string> {
  await expect(deliver(app, address, mail)).resolves.toBe('accepted');
  const messages = await messagesIn(app, reader, channel);
  expect(messages).toHaveLength(1);
  return messages[0]!.content;
}

/** Nothing came of a mail, and the server goes on. */
async function expectNotPosted(mail: Buffer): Promise<void> {
  await expect(deliver(app, address, mail)).resolves.toBe('accepted');
  await expect(messagesIn(app, app.cast.max, channel)).resolves.toEqual([]);
}

describe('Files in mails', () => {
  it('are open to the readers of the message, and to nobody else', async () => {
    const content = await posted(
      mixed([textPart('See [this].'), filePart('me[nu]*.txt', 'soup', 'text/plain')]),
    );
    const [, path = ''] = /^See \[this\]\.\n\[menu\.txt\]\((\/user_uploads\/[^)]+)\)$/.exec(content) ?? [];
    const { max, mona } = app.cast;
    const read = await app.as(max).get(path);
    expect(read.body).toMatchObject({ result: 'success' });
    expect((await app.as(mona).get(path)).status).not.toBe(200);
  });

  it('are left out where they are too large, or there is no room, and the message says so', async () => {
    const large = await posted(mixed([textPart('Hi'), filePart('large.bin', Buffer.alloc(1_100_000))]));
    expect(large).toMatch(/^Hi\n\*large\.bin was left out: .*1 MiB.*\*$/);
  });

  it('are twenty at most, of any number', async () => {
    const files = Array.from({ length: 10_000 }, (_, i) => filePart(`${i}.txt`, 'x'));
    const content = await posted(mixed([textPart('Hi'), ...files]));
    expect(content.split('\n')).toHaveLength(22);
    expect(content).toMatch(/\[19\.txt\]\(.*\n\*9980 more files were left out\.\*$/);
  });

  it('may be all that there is, such as winmail.dat', async () => {
    const file = filePart('winmail.dat', Buffer.from('789f3e22', 'hex'), 'application/ms-tnef');
    await expect(posted(mixed([file]))).resolves.toMatch(/^\(No email body\)\n\[winmail\.dat\]\(/);
  });
});

describe('A hostile mail', () => {
  it('of parts within parts is not posted', async () => {
    const opening = Array.from(
      { length: 1_000 },
      (_, i) => `Content-Type: multipart/mixed; boundary="${i}"\n\n--${i}`,
    );
    await expectNotPosted(
      Buffer.from(`From: a@b.example\nMIME-Version: 1.0\n${opening.join('\n')}\n\nsoup\n`),
    );
  });

  it('of a part with a header without end is not posted', async () => {
    await expectNotPosted(mixed([`Content-Type: text/plain\n${'X-A: b\n'.repeat(900_000)}\nsoup`]));
  });

  it('of encoded words without end is posted', async () => {
    const Subject = '=?utf-8?Q?'.repeat(80_000);
    await expect(posted(mailOf({ Subject }))).resolves.toBe('Soup is ready.');
  });

  it('of boundaries that begin alike is posted', async () => {
    const inner =
      'Content-Type: multipart/mixed; boundary="aa"\n\n--aa\nContent-Type: text/plain\n\nsoup\n--aa--';
    const body = `--a\n${inner}\n--a--\n`;
    const mail = mailOf({ 'MIME-Version': '1.0', 'Content-Type': 'multipart/mixed; boundary="a"' }, body);
    await expect(posted(mail)).resolves.toBe('soup');
  });

  it('without any part that can be shown is not posted', async () => {
    await expectNotPosted(mailOf({ 'MIME-Version': '1.0', 'Content-Type': 'image/png' }, 'x'));
  });

  it('of empty lines is posted, unless they take too much memory', async () => {
    await expect(posted(mailOf({}, `soup${' \n'.repeat(20_000)}`))).resolves.toBe('soup');
    const parts = mixed([`Content-Type: text/plain\n\n${' \n'.repeat(8_000_000)}`]);
    await expect(deliver(app, address, parts)).resolves.toBe('accepted');
    await expect(messagesIn(app, app.cast.max, channel)).resolves.toHaveLength(1);
  });

  it('of half a million lines is posted', async () => {
    const content = await posted(
      mailOf({ 'Content-Type': 'text/plain; charset=utf-8' }, 'A line of many.\n'.repeat(500_000)),
    );
    expect(content).toMatch(/^A line of many\.\nA line/);
  });
});
