import { composedName, withoutHidden } from '../../../../platform/names/visible-name';
import { topicKey } from '../../../channels/channels.module';
import { cutText } from '../records/archive-row';

const MAX_TOPIC = 60;

/** Names the topics of threads by date and first words. */
export class ThreadTopics {
  private readonly threads = new Map<string, string>();
  private readonly taken = new Map<string, number>();

  /** The topic of a thread. @param beginning returns the plain text of the first message; called once */
  of(channelId: number, thread: string, at: number, beginning: () => string): string {
    const key = `${channelId} ${thread}`;
    const known = this.threads.get(key);
    if (known !== undefined) return known;
    const topic = this.free(channelId, at, beginning());
    this.threads.set(key, topic);
    return topic;
  }

  private free(channelId: number, at: number, text: string): string {
    const day = new Date(at * 1000).toISOString().slice(0, 10);
    // Without characters that have a meaning in topic links.
    const words = composedName(
      withoutHidden(text.slice(0, 1000).replace(/[*`\\[\]<>|$@#\p{C}\p{Z}]+/gu, ' ')),
    );
    const whole = `${day} ${words || 'thread'}`;
    const name = whole.length > MAX_TOPIC ? `${cutText(whole, MAX_TOPIC - 1).trimEnd()}…` : whole;
    let free = name;
    // The first words of another thread may equal a numbered name.
    while (this.taken.has(`${channelId} ${topicKey(free)}`)) {
      const number = ` (${this.numberOf(`${channelId} ${topicKey(name)}`)})`;
      free =
        cutText(name, MAX_TOPIC - number.length)
          .replace(/…$/, '')
          .trimEnd() + number;
    }
    this.taken.set(`${channelId} ${topicKey(free)}`, 1);
    return free;
  }

  /** The next suffix for threads with the same first words. */
  private numberOf(key: string): number {
    const number = (this.taken.get(key) ?? 0) + 1;
    this.taken.set(key, number);
    return number;
  }
}
