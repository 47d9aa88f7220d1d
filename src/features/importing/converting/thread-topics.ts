import { composedName, withoutHidden } from '../../../platform/names/visible-name';
import { topicKey } from '../../topics/topics.module';
import { cutText } from '../records/archive-row';

const MAX_TOPIC = 60;
/** Room for the number of one of several threads that begin alike. */
const MAX_NUMBER = 8;

/** Names the topics that threads become: by the day, and the words they begin with. */
export class ThreadTopics {
  private readonly threads = new Map<string, string>();
  private readonly taken = new Map<string, number>();

  /** The topic of a thread. @param beginning what its first message says, as plain text; asked once */
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
    // Without what would be a mark in a link to the topic.
    const words = composedName(
      withoutHidden(text.slice(0, 1000).replace(/[*`\\[\]<>|$@#\p{C}\p{Z}]+/gu, ' ')),
    );
    const whole = `${day} ${words || 'thread'}`;
    const name = whole.length > MAX_TOPIC ? `${cutText(whole, MAX_TOPIC - 1).trimEnd()}…` : whole;
    const key = `${channelId} ${topicKey(name)}`;
    const count = (this.taken.get(key) ?? 0) + 1;
    this.taken.set(key, count);
    if (count === 1) return name;
    // Another thread may bear this very name by its own words.
    const numbered = `${cutText(name, MAX_TOPIC - MAX_NUMBER)
      .replace(/…$/, '')
      .trimEnd()} (${count})`;
    const numberedKey = `${channelId} ${topicKey(numbered)}`;
    if (this.taken.has(numberedKey)) return this.free(channelId, at, text);
    this.taken.set(numberedKey, 1);
    return numbered;
  }
}
