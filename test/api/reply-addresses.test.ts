import { ExpireMailService } from '../../src/features/mail-gateway/expire-mail.service';
import { ReplyAddressService } from '../../src/features/mail-gateway/reply-addresses.service';
import { Database } from '../../src/platform/database/database.service';
import { TransactionService } from '../../src/platform/database/transaction.service';
import type { Member } from '../support/cast';
import { createChannelWith } from '../support/channel-setup';
import { expectSuccess } from '../support/expect-answer';
import { sendDirect, sendTo } from '../support/message-setup';
import { StoppedTimeOfDay } from '../support/test-clocks';
import { TestApp } from '../support/test-app';

const DAY_MS = 86_400_000;
const clock = new StoppedTimeOfDay();
let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start({ clock, env: { EMAIL_GATEWAY_PATTERN: 'In+%s@Mail.Example.org' } });
});

afterAll(() => app.stop());

async function tokenFor(person: Member, messageId: number): Promise<string> {
  const address = await app
    .get(TransactionService)
    .run((tx) => app.get(ReplyAddressService).create(tx, person.id, messageId));
  const [, token = ''] = /^in\+mm([0-9a-f]{32})@mail\.example\.org$/.exec(address ?? '') ?? [];
  return token;
}

const find = (token: string) => app.get(ReplyAddressService).find(app.get(Database).read, token);

const rows = () =>
  app.get(Database).read.query<Record<string, unknown>>('SELECT * FROM reply_address ORDER BY id');

describe('A reply address', () => {
  it('stands for a person and a message, however often it is made', async () => {
    const { mia, max } = app.cast;
    const messageId = await sendDirect(app, max, [mia], 'soup?');
    const token = await tokenFor(mia, messageId);
    expect(token).toHaveLength(32);
    await expect(find(token)).resolves.toMatchObject({
      person: { userId: mia.id },
      readable: { message: { id: messageId } },
    });
    await expect(tokenFor(mia, messageId)).resolves.toBe(token);
    await expect(tokenFor(max, messageId)).resolves.not.toBe(token);
    const another = await sendDirect(app, max, [mia], 'soup?');
    await expect(tokenFor(mia, another)).resolves.not.toBe(token);
    await expect(find('0'.repeat(32))).resolves.toBeNull();
    expect(JSON.stringify(await rows())).not.toContain(token);
  });

  it('ends after 30 days, and is then deleted', async () => {
    const { mia, max } = app.cast;
    const token = await tokenFor(mia, await sendDirect(app, max, [mia], 'soup?'));
    clock.aheadMs += 30 * DAY_MS - 1_000;
    await expect(find(token)).resolves.not.toBeNull();
    clock.aheadMs += 2_000;
    await expect(find(token)).resolves.toBeNull();
    await app.get(ExpireMailService).expire();
    await expect(rows()).resolves.toEqual([]);
  });

  it('ends with the key of the person', async () => {
    const { mia, max } = app.cast;
    const messageId = await sendDirect(app, mia, [max], 'soup?');
    const token = await tokenFor(max, messageId);
    expectSuccess(await app.as(max).post('/users/me/api_key/regenerate'));
    await expect(find(token)).resolves.toBeNull();
    await expect(find(await tokenFor(max, messageId))).resolves.not.toBeNull();
  });

  it('ends with the access to the message, its deletion, and the person', async () => {
    const { olivia, mia, mona } = app.cast;
    const channel = await createChannelWith(app, olivia, [mia, mona], 'secret', { invite_only: true });
    const messageId = await sendTo(app, olivia, channel, 'soup');
    const other = await sendTo(app, olivia, channel, 'soup');
    const [ofMia, ofMona, ofOther] = [
      await tokenFor(mia, messageId),
      await tokenFor(mona, messageId),
      await tokenFor(mona, other),
    ];
    const out = { subscriptions: ['secret'], principals: [mia.id] };
    expectSuccess(await app.as(olivia).delete('/users/me/subscriptions', out));
    await expect(find(ofMia)).resolves.toBeNull();
    expectSuccess(await app.as(olivia).delete(`/messages/${messageId}`));
    await expect(find(ofMona)).resolves.toBeNull();
    expect((await rows()).map((row) => row.message_id)).not.toContain(messageId);
    await expect(find(ofOther)).resolves.not.toBeNull();
    expectSuccess(await app.as(olivia).delete(`/users/${mona.id}`));
    await expect(find(ofOther)).resolves.toBeNull();
  });
});

it('is not made where no mail is received', async () => {
  const plain = await TestApp.start();
  const service = plain.get(ReplyAddressService);
  expect(service.isAvailable).toBe(false);
  await expect(
    plain.get(TransactionService).run((tx) => service.create(tx, plain.cast.mia.id, 1)),
  ).resolves.toBeNull();
  await plain.stop();
});
