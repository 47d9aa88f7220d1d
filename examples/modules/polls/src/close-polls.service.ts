import { Channels, Database, defineJob, Injectable, Jobs, Messages, type ReactionInfo } from 'parley/module';
import { Poll, PollOption } from './poll.entity';
import { optionsOf, recordOf } from './poll-rows';
import { pollClosed } from './polls.events';

/** A poll has reached its deadline. */
export const closePoll = defineJob<{ pollId: number }>('module_polls_close');

/** Another one closed the poll at the same moment, so what this one did is undone. */
class ClosedMeanwhile extends Error {}

/** Closes polls: counts the reactions, and says what came out. */
@Injectable()
export class ClosePollsService {
  constructor(
    private readonly database: Database,
    private readonly messages: Messages,
    private readonly channels: Channels,
    jobs: Jobs,
  ) {
    jobs.handle(closePoll, {
      work: async ({ data }) => void (await this.close(data.pollId)),
      retry: { delaysMs: [1_000, 60_000, 600_000] },
      timeoutMs: 30_000,
    });
  }

  /** @returns false where the poll is closed already, or gone */
  async close(id: number): Promise<boolean> {
    const db = this.database.read;
    const poll = await db.repository(Poll).findOneBy({ id, isClosed: false });
    const message = poll && (await this.messages.find(db, poll.messageId));
    if (!poll || !message || message.channelId === null) return false;
    const { channelId, topic } = message;
    const options = counted(await optionsOf(db, [poll]), await this.messages.reactions(db, poll.messageId));
    const result = textOf(poll.question, options);
    try {
      await this.messages.notify({ channelId, topic }, result, async (tx) => {
        // The message and this are stored together: no poll is closed twice, and none in silence.
        const { affected } = await tx.repository(Poll).update({ id, isClosed: false }, { isClosed: true });
        if (!affected) throw new ClosedMeanwhile();
        await tx.repository(PollOption).save(options);
        const record = recordOf({ ...poll, isClosed: true }, options);
        tx.emit(pollClosed({ poll: record }), this.channels.subscribers(channelId));
      });
      return true;
    } catch (error) {
      if (error instanceof ClosedMeanwhile) return false;
      throw error;
    }
  }
}

function counted(options: readonly PollOption[], reactions: readonly ReactionInfo[]): PollOption[] {
  return options
    .map((option) =>
      Object.assign(option, { votes: reactions.filter(({ emoji }) => emoji === option.emoji).length }),
    )
    .sort((a, b) => a.position - b.position);
}

function textOf(question: string, options: readonly PollOption[]): string {
  const best = Math.max(...options.map(({ votes }) => votes ?? 0));
  const lines = options.map(({ emoji, text, votes }) => {
    const line = `:${emoji}: ${text}: ${votes}`;
    return votes === best && best > 0 ? `- **${line}**` : `- ${line}`;
  });
  return `The poll is over: **${question}**\n\n${lines.join('\n')}`;
}
