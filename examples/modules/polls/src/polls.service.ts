import {
  type Actor,
  ApiError,
  Channels,
  Clock,
  Database,
  In,
  Injectable,
  isAdministrator,
  Jobs,
  Messages,
  Moments,
  type Queryable,
  type Transaction,
} from 'parley/module';
import { ClosePollsService, closePoll } from './close-polls.service';
import { Poll, PollOption } from './poll.entity';
import { optionsOf, recordOf } from './poll-rows';
import { PollSettings } from './poll-settings';
import type { OpenPollDto, OptionInput } from './polls.dto';
import { BadPoll, NoSuchPoll, NotYourPoll } from './polls.errors';
import { pollOpened, type PollRecord } from './polls.events';

const DAY_SECONDS = 86_400;
const MOST_LISTED = 50;

/** Opens polls and shows them. */
@Injectable()
export class PollsService {
  constructor(
    private readonly database: Database,
    private readonly messages: Messages,
    private readonly channels: Channels,
    private readonly closing: ClosePollsService,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
    private readonly settings: PollSettings,
    moments: Moments,
  ) {
    moments.onMessagesDeleted((tx, messageIds) => this.forget(tx, messageIds));
    moments.onCheck('module_polls_options', 'Every option is one of a poll.', strayOptions);
  }

  /** The newest ones whose messages the actor may read. */
  async list(actor: Actor): Promise<PollRecord[]> {
    const db = this.database.read;
    const newest = await db.repository(Poll).find({ order: { id: 'DESC' }, take: MOST_LISTED });
    const readable = await Promise.all(newest.map((poll) => this.mayRead(actor, poll)));
    const polls = newest.filter((_, at) => readable[at]);
    const options = await optionsOf(db, polls);
    return polls.map((poll) => recordOf(poll, options));
  }

  /** The poll, its message and the job that will close it are stored together, or none of them is. */
  async open(
    actor: Actor,
    { channel_id, topic, question, options, seconds }: OpenPollDto,
  ): Promise<PollRecord> {
    this.check(options, seconds);
    this.channels.readable(actor, channel_id);
    const closesAt = this.clock.nowSeconds() + seconds;
    let record: PollRecord | undefined;
    const content = textOf(question, options, closesAt);
    await this.messages.send(actor, { channelId: channel_id, topic }, content, async (tx, messageId) => {
      const poll = await tx
        .repository(Poll)
        .save({ messageId, creatorId: actor.userId, question, closesAt, isClosed: false });
      const rows = options.map(({ emoji, text }, position) => ({
        pollId: poll.id,
        position,
        emoji: bare(emoji),
        text,
        votes: null,
      }));
      await tx.repository(PollOption).insert(rows);
      await this.jobs.enqueue(tx, {
        kind: closePoll,
        data: { pollId: poll.id },
        key: String(poll.id),
        dueAt: closesAt * 1000,
      });
      record = recordOf(poll, rows);
      tx.emit(pollOpened({ poll: record }), this.channels.subscribers(channel_id));
    });
    if (!record) throw new Error('The message was sent, and no poll was stored.');
    return record;
  }

  async close(actor: Actor, id: number): Promise<void> {
    const poll = await this.database.read.repository(Poll).findOneBy({ id });
    if (!poll || !(await this.mayRead(actor, poll))) throw new NoSuchPoll();
    if (poll.creatorId !== actor.userId && !isAdministrator(actor)) throw new NotYourPoll();
    if (!(await this.closing.close(id))) throw new BadPoll('This poll is closed already.');
  }

  private check(options: readonly OptionInput[], seconds: number): void {
    if (options.length < 2) throw new BadPoll('A poll needs at least two options.');
    const emojis = options.map(({ emoji }) => bare(emoji));
    if (emojis.some((emoji) => !/^[\w+-]+$/.test(emoji))) throw new BadPoll('Name an emoji for each option.');
    if (new Set(emojis).size < emojis.length) throw new BadPoll('Each option needs an emoji of its own.');
    if (seconds > this.settings.maxDays * DAY_SECONDS) {
      throw new BadPoll(`A poll can be open for at most ${this.settings.maxDays} days.`);
    }
  }

  private async mayRead(actor: Actor, { messageId }: Poll): Promise<boolean> {
    try {
      await this.messages.readable(this.database.read, actor, messageId);
      return true;
    } catch (error) {
      if (error instanceof ApiError) return false;
      throw error;
    }
  }

  private async forget(tx: Transaction, messageIds: readonly number[]): Promise<void> {
    const polls = await tx.repository(Poll).findBy({ messageId: In([...messageIds]) });
    if (polls.length === 0) return;
    const ids = polls.map(({ id }) => id);
    await tx.repository(PollOption).delete({ pollId: In(ids) });
    await tx.repository(Poll).delete({ id: In(ids) });
    await this.jobs.cancel(tx, closePoll, ids.map(String));
  }
}

async function strayOptions(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ poll_id: number }>(
    `SELECT o.poll_id FROM module_polls_option o LEFT JOIN module_polls_poll p ON p.id = o.poll_id
     WHERE p.id IS NULL LIMIT 20`,
  );
  return rows.map(({ poll_id }) => `There is an option of poll ${poll_id}, which is not there.`);
}

/** `:pizza:` and `pizza` are the same. */
function bare(emoji: string): string {
  return emoji.trim().replace(/^:|:$/g, '');
}

function textOf(question: string, options: readonly OptionInput[], closesAt: number): string {
  const lines = options.map(({ emoji, text }) => `- :${bare(emoji)}: ${text}`);
  const time = new Date(closesAt * 1000).toISOString().replace('.000', '');
  return `**${question}**\n\n${lines.join('\n')}\n\nReact with what you choose, until <time:${time}>.`;
}
