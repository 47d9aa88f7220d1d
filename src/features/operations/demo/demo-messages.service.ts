import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import type { OperatorContext } from '../../../platform/operator/operator-commands';
import { MarkAsReadService, UpdateFlagsService } from '../../flags/flags.module';
import { SendMessageService } from '../../messages/messages.module';
import { ReactionsService } from '../../reactions/reactions.module';
import { AccountDirectory } from '../../users/users.module';
import { ANSWERS, BUILD_REPORTS, EMOJI, OPENINGS, type SeededRandom, TOPICS } from './content/sample-texts';
import type { DemoChannel } from './demo-places.service';

const DAY_SECONDS = 86_400;
/** The period of sample messages in days. */
const DAYS = 28;
const WORK_BEGINS = 8;
const WORK_HOURS = 10;
/** Number of concurrently active topics per channel. */
const LIVELY_TOPICS = 4;

/** The people and channels of a sample. */
export interface DemoCompany {
  readonly people: readonly Actor[];
  readonly bots: readonly Actor[];
  readonly channels: readonly DemoChannel[];
}

/** The amount of sample messages. */
interface Talk {
  messages: number;
  reactions: number;
}

/** Creates messages between sample people, spread over the last weeks. */
@Injectable()
export class DemoMessagesService {
  private readonly topics = new Map<string, string[]>();

  constructor(
    private readonly send: SendMessageService,
    private readonly reactions: ReactionsService,
    private readonly flags: UpdateFlagsService,
    private readonly reading: MarkAsReadService,
    private readonly accounts: AccountDirectory,
    private readonly clock: Clock,
  ) {}

  async talk(
    count: number,
    company: DemoCompany,
    random: SeededRandom,
    { signal, report }: OperatorContext,
  ): Promise<Talk> {
    const talk: Talk = { messages: 0, reactions: 0 };
    const times = this.times(count, random);
    for (const [at, sentAt] of times.entries()) {
      signal.throwIfAborted();
      report({ done: at, total: count, what: 'messages' });
      // Only the last tenth is unread for most people.
      if (at === Math.floor(count * 0.9)) await this.markRead(company, random);
      if (random.happens(0.12)) await this.sayDirectly(company, sentAt, random);
      else talk.reactions += await this.sayInChannel(company, sentAt, random);
      talk.messages++;
    }
    return talk;
  }

  /** Times in working hours of the last weeks, oldest first. UNIX seconds. */
  private times(count: number, random: SeededRandom): number[] {
    const now = this.clock.nowSeconds();
    const today = now - (now % DAY_SECONDS);
    const workdays = Array.from({ length: DAYS }, (_, back) => today - back * DAY_SECONDS).filter(
      (day) => ![0, 6].includes(new Date(day * 1000).getUTCDay()),
    );
    const anyTime = () => random.of(workdays) + Math.floor((WORK_BEGINS + random.next() * WORK_HOURS) * 3600);
    return Array.from({ length: count }, () => Math.min(anyTime(), now)).sort((a, b) => a - b);
  }

  /** @returns the number of reactions */
  private async sayInChannel(company: DemoCompany, sentAt: number, random: SeededRandom): Promise<number> {
    const channel = random.of(company.channels);
    const isReport = channel.name === 'releases' && random.happens(0.5);
    const sender = isReport ? random.of(company.bots) : random.of(channel.members);
    const { topic, isNew } = isReport
      ? { topic: 'builds', isNew: false }
      : this.topicOf(channel.name, random);
    const text = isReport ? BUILD_REPORTS : isNew ? OPENINGS : ANSWERS;
    const { id } = await this.send.send(sender, {
      kind: 'channel',
      to: channel.name,
      topic,
      content: {
        content: this.fill(random.of<string>(text), channel.members, random),
        isReadBySender: true,
        sentAt,
      },
      isMirrored: false,
      isForged: false,
    });
    if (random.happens(0.03)) await this.flags.update(random.of(channel.members), [id], 'add', 'starred');
    return random.happens(0.2) ? this.react(id, channel.members, random) : 0;
  }

  private async sayDirectly({ people }: DemoCompany, sentAt: number, random: SeededRandom): Promise<void> {
    const [sender, ...others] = random.some(people, random.happens(0.8) ? 2 : 3);
    if (!sender) return;
    const to = JSON.stringify(others.map(({ userId }) => userId));
    const content = {
      content: this.fill(random.of<string>(ANSWERS), others, random),
      isReadBySender: true,
      sentAt,
    };
    await this.send.send(sender, { kind: 'direct', to, content, isMirrored: false, isForged: false });
  }

  private async react(messageId: number, people: readonly Actor[], random: SeededRandom): Promise<number> {
    const reacting = random.some(people, random.between(1, 4));
    for (const person of reacting) await this.reactions.add(person, messageId, { name: random.of(EMOJI) });
    return reacting.length;
  }

  /** An active topic, or a new one, which then stays active for a while. */
  private topicOf(channel: string, random: SeededRandom): { topic: string; isNew: boolean } {
    const lively = this.topics.get(channel) ?? [];
    if (lively.length > 0 && !random.happens(0.12)) return { topic: random.of(lively), isNew: false };
    const topic = random.of(TOPICS);
    const isNew = !lively.includes(topic);
    if (isNew) this.topics.set(channel, [...lively, topic].slice(-LIVELY_TOPICS));
    return { topic, isNew };
  }

  private fill(text: string, people: readonly Actor[], random: SeededRandom): string {
    const { userId } = random.of(people);
    const name = this.accounts.byId(userId)?.fullName ?? '';
    return text
      .replaceAll('{n}', String(random.between(2, 400)))
      .replaceAll('{name}', `@**${name}|${userId}**`);
  }

  private async markRead({ people }: DemoCompany, random: SeededRandom): Promise<void> {
    for (const person of people.filter(() => random.happens(0.9))) await this.reading.all(person);
  }
}
