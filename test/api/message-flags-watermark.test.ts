import { MessageStoreService } from '../../src/features/messages/sending/message-store.service';
import { Database } from '../../src/platform/database/database.service';
import type { Member } from '../support/cast';
import { createChannel } from '../support/channel-setup';
import { gate } from '../support/contract-suite';
import { expectSuccess } from '../support/expect-answer';
import { copyMessage, fetchIds, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';

const BLOCK = 1024;

// SQLite has one writer, so nothing is on its way while something else is written.
const onPostgres = process.env.TEST_ENGINE === 'postgres' ? it : it.skip;

interface ReadState {
  readonly watermark: number;
  readonly blocks: number;
}

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start({ withoutLaw: 'more is unread than the state tells' });
});

afterAll(() => app.stop());

const read = async (member: Member, messages: readonly number[], op = 'add') =>
  expectSuccess(await app.as(member).post('/messages/flags', { messages, op, flag: 'read' }));
const unread = (member: Member) => fetchIds(app, member, [['is', 'unread']], { num_before: 5000 });

async function stateOf(member: Member): Promise<ReadState> {
  const [row] = await app.get(Database).read.query<ReadState>(
    `SELECT (SELECT message_id FROM read_watermark WHERE user_id = ?) AS watermark,
       (SELECT COUNT(*) FROM read_block WHERE user_id = ?) AS blocks`,
    [member.id, member.id],
  );
  return { watermark: Number(row?.watermark ?? 0), blocks: Number(row?.blocks) };
}

/**
 * Has a person read on until their state is as it should be, or for 200 rounds. How soon the watermark follows is open on
 * PostgreSQL: whatever its server does, for other tests, too, may hold up what counts as settled.
 */
async function readUntil(
  member: Member,
  reached: (state: ReadState) => boolean,
  readOn: () => Promise<void>,
): Promise<ReadState> {
  let state = await stateOf(member);
  for (let round = 0; round < 200 && !reached(state); round++) {
    await readOn();
    state = await stateOf(member);
  }
  return state;
}

/** Reads messages in many small steps, a block at a time, as people do. */
async function readInSteps(member: Member, ids: readonly number[]): Promise<void> {
  for (let at = 0; at < ids.length; at += BLOCK) await read(member, ids.slice(at, at + BLOCK));
}

describe('The watermark', () => {
  it('follows what people read, past what they did not receive and what they left unread', async () => {
    const { mia, max, mona } = app.cast;
    const own = await createChannel(app, mia, 'own', { principals: [mia.id, max.id] });
    const others = await createChannel(app, mia, 'others', { principals: [mia.id, mona.id] });
    expectSuccess(await app.as(max).post('/mark_all_as_read'));
    const start = (await stateOf(max)).watermark;
    const [ours, theirs] = [await sendTo(app, mia, own, 'x'), await sendTo(app, mia, others, 'x')];
    const kept: number[] = [];
    let round = 0;
    const { watermark, blocks } = await readUntil(
      max,
      (state) => state.watermark > start + 15 * BLOCK && state.blocks < 30,
      async () => {
        await copyMessage(app, theirs, 700);
        const ids = await copyMessage(app, ours, 400);
        kept.push(...(round++ % 10 === 3 ? ids.splice(7, 2) : []));
        await read(max, ids);
      },
    );
    expect(watermark).toBeGreaterThan(start + 15 * BLOCK);
    expect(blocks).toBeLessThan(30);
    await expect(unread(max)).resolves.toEqual([ours, ...kept]);
    await read(max, [ours, ...kept]);
    await expect(unread(max)).resolves.toEqual([]);
    await read(max, kept, 'remove');
    await expect(unread(max)).resolves.toEqual(kept);
  });

  onPostgres(
    'does not pass a message that is on its way',
    async () => {
      const { mia, max } = app.cast;
      const busy = await createChannel(app, mia, 'busy', { principals: [mia.id, max.id] });
      const first = await sendTo(app, mia, busy, 'x');
      expectSuccess(await app.as(max).post('/mark_all_as_read'));
      await readInSteps(max, await copyMessage(app, first, 3 * BLOCK));
      const before = await stateOf(max);

      const store = app.get(MessageStoreService);
      const insertFlags = store.insertFlags.bind(store);
      const [reached, released] = [gate(), gate()];
      const delayed = jest.spyOn(store, 'insertFlags').mockImplementationOnce(async (...parameters) => {
        reached.open();
        await released.opened;
        return insertFlags(...parameters);
      });
      const sending = sendTo(app, mia, busy, 'slow');
      await reached.opened;
      delayed.mockRestore();
      await readInSteps(max, await copyMessage(app, first, 30 * BLOCK));
      await readInSteps(max, await copyMessage(app, first, 20 * BLOCK));
      const during = await stateOf(max);
      released.open();
      const slow = await sending;
      expect(during.watermark).toBeLessThan(slow);
      await expect(unread(max)).resolves.toEqual([slow]);

      const after = await readUntil(
        max,
        (state) => state.watermark > slow && state.blocks < 40,
        async () => readInSteps(max, await copyMessage(app, first, BLOCK)),
      );
      expect(after.watermark).toBeGreaterThan(slow);
      expect(after.watermark).toBeGreaterThan(before.watermark);
      expect(after.blocks).toBeLessThan(40);
      await expect(unread(max)).resolves.toEqual([slow]);
    },
    60_000,
  );
});
