import type { RedisLink } from '../redis/redis-link';
import { InProcessWakeUp } from './wake-up';

const TOPIC = 'wake-up';

/** Wakes the readers in this process at once, and those of other nodes over Redis. */
export class NodeWakeUp extends InProcessWakeUp {
  private highest = 0;
  private isDue = false;

  constructor(private readonly link: RedisLink) {
    super();
    link.listen(TOPIC, (text) => {
      const number = Number(text);
      if (Number.isSafeInteger(number)) super.announce(number);
    });
  }

  override announce(lastNumber: number): void {
    super.announce(lastNumber);
    this.highest = Math.max(this.highest, lastNumber);
    if (this.isDue) return;
    this.isDue = true;
    // Of commits at about the same time, the last one speaks for all.
    setImmediate(() => {
      this.isDue = false;
      this.link.publish(TOPIC, String(this.highest));
    });
  }
}
