import { Database } from '../../src/platform/database/database.service';
import { Role } from '../../src/platform/actor';
import { ApiClient, type Answer, type Parameters } from '../support/api-client';
import type { Member } from '../support/cast';
import { createChannel, createGroup } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { peopleAlone } from '../support/group-setup';
import { sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';
import { hasPostgres } from '../support/test-database';
import { untilWritesAreIn } from '../support/waiting-writes';

if (!hasPostgres) test.todo('fifty busy senders: TEST_DATABASE_URL names no server');

/** In one channel; some more send to another one. */
const SENDERS = 50;
const SENDERS_ELSEWHERE = 8;

/**
 * Messages that may be begun after a write and answered before it. Whoever waits for a connection, or for a lock, is
 * passed by those in front alone, each of whom may come back once by then; some writes wait more than once. Without turns
 * there is no end.
 */
const MOST_OVERTAKE = 4 * (SENDERS + SENDERS_ELSEWHERE);

let app: TestApp;
let senders: readonly ApiClient[];
let leaver: Member;
let busy: number;
let other: number;
let quiet: number;
let group: number;
/** In a topic of the busy channel to which somebody sends. */
let message: number;

/** People who send without a pause, and what overtakes the write that is under way beside them. */
class Rush {
  private isOver = false;
  private write: symbol | null = null;
  private overtaking = 0;

  /** Has everybody send while the work is done. */
  static async around(work: (rush: Rush) => Promise<void>): Promise<void> {
    const rush = new Rush();
    const sending = senders.map((sender, at) => rush.keepSending(sender, at));
    try {
      await untilWritesAreIn(app, SENDERS);
      await work(rush);
    } finally {
      rush.isOver = true;
      await Promise.all(sending);
    }
  }

  /** Asserts that a write is done while all go on sending, and that few messages overtake it. */
  async expectTurn(write: () => Promise<Answer>): Promise<void> {
    this.overtaking = 0;
    this.write = Symbol('write');
    const answer = await write();
    this.write = null;
    expect(this.overtaking).toBeLessThanOrEqual(MOST_OVERTAKE);
    expectSuccess(answer);
  }

  private async keepSending(sender: ApiClient, at: number): Promise<void> {
    const to = at < SENDERS ? busy : other;
    const parameters = { type: 'channel', to, topic: `topic ${at}`, content: 'Soup?' };
    while (!this.isOver) {
      const { write } = this;
      const answer = await sender.post('/messages', parameters);
      if (answer.status === 200) this.count(write);
      // While the channel is archived.
      else expectError(answer, "Not authorized to send to channel 'busy'");
    }
  }

  private count(write: symbol | null): void {
    if (write === null || write !== this.write) return;
    this.overtaking += 1;
    // Without turns, the write is answered only once nobody sends any more.
    if (this.overtaking > MOST_OVERTAKE) this.isOver = true;
  }
}

/**
 * Has each message take its time once its channel is locked. All connections are in use then, on slow machines too, and
 * there is hardly a moment without a message on its way to the busy channel. Not the same time for all: they would
 * stay in step, with a gap after each.
 */
async function slowDown(): Promise<void> {
  await app.behindTheInterface(() =>
    app.get(Database).writeSource.query(
      `CREATE FUNCTION wait_a_moment() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN PERFORM pg_sleep(0.1 + random() * 0.4); RETURN NEW; END $$;
       CREATE TRIGGER slow BEFORE UPDATE ON topic FOR EACH ROW EXECUTE FUNCTION wait_a_moment()`,
    ),
  );
}

/** A write, and what undoes it. */
type Pair = readonly [() => Promise<Answer>, () => Promise<Answer>];

const olivia = () => app.as(app.cast.olivia);
const changing = (change: (side: 0 | 1) => Promise<Answer>): Pair => [() => change(0), () => change(1)];
const changingChannel = (changes: readonly [Parameters, Parameters]): Pair =>
  changing((side) => olivia().patch(`/streams/${busy}`, changes[side]));
const moving = (changes: readonly [Parameters, Parameters]): Pair => {
  const all = { propagate_mode: 'change_all', send_notification_to_new_thread: false };
  return changing((side) => olivia().patch(`/messages/${message}`, { ...all, ...changes[side] }));
};
const joining = (name: string): Pair => [
  () => app.as(app.cast.max).post('/users/me/subscriptions', { subscriptions: [{ name }] }),
  () => app.as(app.cast.max).delete('/users/me/subscriptions', { subscriptions: [name] }),
];
const marking = (): Pair => {
  const narrow = [{ operator: 'channel', operand: busy }];
  const newest = { anchor: 'newest', num_before: 1000, num_after: 0, narrow, flag: 'read' };
  return changing((side) =>
    olivia().post('/messages/flags/narrow', { ...newest, op: side === 0 ? 'add' : 'remove' }),
  );
};
const administeredBy = (...people: Member[]) => ({
  can_administer_channel_group: { new: peopleAlone(...people) },
});

const WRITES: Readonly<Record<string, () => Pair>> = {
  'joins the channel, and leaves it': () => joining('busy'),
  'joins another channel, and leaves it': () => joining('quiet'),
  'renames the channel': () => changingChannel([{ new_name: 'busier' }, { new_name: 'busy' }]),
  'changes a permission of the channel': () =>
    changingChannel([administeredBy(app.cast.adam), administeredBy(app.cast.mona)]),
  'moves a topic of the channel': () => moving([{ topic: 'elsewhere' }, { topic: 'topic 1' }]),
  'moves a topic to another channel': () => moving([{ stream_id: quiet }, { stream_id: busy }]),
  'changes the members of a group': () =>
    changing((side) =>
      olivia().post(`/user_groups/${group}/members`, { [side === 0 ? 'add' : 'delete']: [app.cast.mia.id] }),
    ),
  'deactivates a subscriber, and brings him back': () => [
    () => olivia().delete(`/users/${leaver.id}`),
    () => olivia().post(`/users/${leaver.id}/reactivate`),
  ],
  'marks the channel as read': marking,
  'archives the channel, and brings it back': () => [
    () => olivia().delete(`/streams/${busy}`),
    () => olivia().patch(`/streams/${busy}`, { is_archived: false }),
  ],
};

(hasPostgres ? describe : describe.skip)('beside fifty people who send without a pause', () => {
  beforeAll(async () => {
    app = await TestApp.start({
      engine: 'postgres',
      // On a slow machine, a connection or a lock may be long in coming.
      env: {
        DATABASE_POOL_SIZE: '40',
        DATABASE_CONNECT_TIMEOUT_SECONDS: '60',
        DATABASE_WRITE_TIMEOUT_SECONDS: '60',
      },
      withoutLaw: 'thousands of messages are sent',
    });
    const people: Member[] = [];
    for (let n = 0; n <= SENDERS + SENDERS_ELSEWHERE; n++) {
      const deliveryEmail = `sender${n}@example.com`;
      people.push(await app.addAccount({ deliveryEmail, fullName: `Sender ${n}`, role: Role.member }));
    }
    leaver = people.pop() as Member;
    senders = people.map((person) => new ApiClient(app.nest, app.credentialsOf(person), undefined, false));
    const principals = [app.cast.olivia, leaver, ...people].map(({ id }) => id);
    busy = await createChannel(app, app.cast.olivia, 'busy', { principals });
    other = await createChannel(app, app.cast.olivia, 'other', { principals });
    quiet = await createChannel(app, app.cast.olivia, 'quiet', { principals });
    group = await createGroup(app, 'cooks', []);
    message = await sendTo(app, app.cast.olivia, busy, 'topic 1');
    // The first message of a channel has to be alone.
    await sendTo(app, app.cast.olivia, other, 'topic 1');
    await sendTo(app, app.cast.olivia, quiet, 'topic 1');
    await slowDown();
  });

  afterAll(() => app.stop());

  it.each(Object.entries(WRITES))('somebody who %s gets a turn', async (_what, pair) => {
    await Rush.around(async (rush) => {
      for (const write of pair()) await rush.expectTurn(write);
    });
  });
});
