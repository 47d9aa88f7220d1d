import type { Member } from '../support/cast';
import { expectError, expectSuccess } from '../support/expect-answer';
import { LocalReceiver } from '../support/local-receiver';
import { sendDirect } from '../support/message-setup';
import { StoppedTimeOfDay } from '../support/test-clocks';
import { TestApp } from '../support/test-app';
import { Jobs } from '../../src/platform/jobs/jobs.service';

const clock = new StoppedTimeOfDay();
let app: TestApp;
let receiver: LocalReceiver;
let bot: Pick<Member, 'id'>;

beforeAll(async () => {
  receiver = await LocalReceiver.start();
  app = await TestApp.start({ clock, env: { OUTGOING_WEBHOOKS_PRIVATE_NETWORKS: '127.0.0.1' } });
  const answer = await app.as(app.cast.mia).post('/bots', {
    full_name: 'Lunch Bot',
    short_name: 'lunch',
    bot_type: 3,
    payload_url: `${receiver.origin}/hook`,
  });
  bot = { id: expectSuccess(answer).user_id };
});

afterAll(async () => {
  await app.stop();
  await receiver.stop();
});

const list = async (who: Member) =>
  expectSuccess(await app.as(who).get(`/bots/${bot.id}/deliveries`)).deliveries;

async function tell(text: string): Promise<number> {
  const id = await sendDirect(app, app.cast.mia, [bot], text);
  await app.get(Jobs).runDue();
  return id;
}

describe('Calls of a webhook', () => {
  it('are listed, with why they failed', async () => {
    receiver.answer({});
    expect(await list(app.cast.mia)).toEqual([]);
    const good = await tell('one');
    receiver.answer('no \u0000soup today', 400);
    const bad = await tell('two');
    expect(await list(app.cast.mia)).toEqual([
      {
        id: expect.any(Number),
        message_id: bad,
        called_at: clock.nowSeconds(),
        duration_ms: expect.any(Number),
        attempt: 1,
        status: 400,
        error: 'response status 400',
        answer: 'no soup today',
      },
      expect.objectContaining({ message_id: good, status: 200, error: null, answer: null }),
    ]);
  });

  it('count attempts', async () => {
    receiver.answer('', 503);
    const message_id = await tell('three');
    clock.aheadMs += 6_000;
    receiver.answer({});
    await app.get(Jobs).runDue();
    expect((await list(app.cast.mia)).slice(0, 2)).toMatchObject([
      { message_id, attempt: 2, status: 200, error: null },
      { message_id, attempt: 1, status: 503 },
    ]);
  });

  it('are kept to the last fifty', async () => {
    receiver.answer({});
    for (let sent = 0; sent < 52; sent++) await sendDirect(app, app.cast.mia, [bot], `number ${sent}`);
    await app.get(Jobs).runDue();
    await app.get(Jobs).runDue();
    const kept: { id: number }[] = await list(app.cast.adam);
    expect(kept).toHaveLength(50);
    expect(kept.map(({ id }) => id)).toEqual(kept.map(({ id }) => id).sort((one, other) => other - one));
  });

  it('are for those who administer the bot', async () => {
    const { max, gus, olivia } = app.cast;
    await list(olivia);
    expectError(await app.as(max).get(`/bots/${bot.id}/deliveries`), 'Insufficient permission');
    expect((await app.as(gus).get(`/bots/${bot.id}/deliveries`)).status).toBe(400);
    expectError(await app.as(max).get(`/bots/${max.id}/deliveries`), 'No such bot');
    expectError(await app.as(max).get('/bots/999999/deliveries'), 'No such bot');
  });
});
