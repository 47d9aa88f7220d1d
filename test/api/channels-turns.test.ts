import { setTimeout as pause } from 'node:timers/promises';
import { lockChannels } from '../../src/features/channels/store/channel.directory';
import { Database } from '../../src/platform/database/database.service';
import { TransactionService } from '../../src/platform/database/transaction.service';
import { createChannel } from '../support/channel-setup';
import { gate } from '../support/contract-suite';
import { expectSuccess } from '../support/expect-answer';
import { sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';

// SQLite has one writer, for which everybody waits in line.
const describeOnPostgres = process.env.TEST_ENGINE === 'postgres' ? describe : describe.skip;

describeOnPostgres('In a channel to which messages are always on their way', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());

  /** Waits until so many transactions wait for a lock. */
  const untilWaiting = async (count: number): Promise<'waiting'> => {
    const waiting = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    while ((await app.get(Database).read.query(waiting)).length < count) await pause(5);
    return 'waiting';
  };

  it('those who join get their turn before messages that were sent later', async () => {
    const { mia, max } = app.cast;
    const channel = await createChannel(app, mia, 'busy');
    const send = () => sendTo(app, mia, channel, 'busy', 'Hello');
    await send();
    const [begun, held] = [gate(), gate()];
    const underWay = app.get(TransactionService).run(async (tx) => {
      await lockChannels(tx, [channel], 'shared');
      begun.open();
      await held.opened;
    });
    await begun.opened;
    const joined = app.as(max).post('/users/me/subscriptions', { subscriptions: [{ name: 'busy' }] });
    await untilWaiting(1);
    const sent = send().then(() => 'sent');
    // Whoever shares the lock already would let the message pass, and so the next one, and so on.
    await expect(Promise.race([sent, untilWaiting(2)])).resolves.toBe('waiting');
    held.open();
    expectSuccess(await joined);
    await Promise.all([sent, underWay]);
  });
});
