import type { RedisLink } from '../redis/redis-link';
import type { WorkerLink } from '../workers/worker-link';

const TOPIC = 'queue-taken';

/**
 * Notifies other nodes that this one now serves a queue. Best effort: the message is lost without Redis, or while it is
 * down.
 */
export class QueueHandover {
  private readonly listeners: ((queueId: string) => void)[] = [];

  constructor(private readonly link: RedisLink | WorkerLink | null) {
    link?.listen(TOPIC, (queueId) => {
      for (const listener of this.listeners) listener(queueId);
    });
  }

  tellTaken(queueId: string): void {
    this.link?.publish(TOPIC, queueId);
  }

  onTaken(listener: (queueId: string) => void): void {
    this.listeners.push(listener);
  }
}
