import { Injectable } from '@nestjs/common';
import { Metrics } from '../../../platform/metrics/metrics';
import type { LiveQueue } from './live-queue';
import type { EmittedEvent } from './outgoing-events.service';

/** The queues whose clients this node serves, indexed for lookups. */
@Injectable()
export class LiveQueues {
  private readonly queues = new Map<string, LiveQueue>();
  private readonly byUser = new Map<number, Set<LiveQueue>>();
  private readonly open = new Set<LiveQueue>();

  constructor(metrics: Metrics) {
    metrics.gauge('parley_event_queues', 'Queues of clients that this node serves.', () => this.queues.size);
    metrics.gauge('parley_parked_polls', 'Polls that wait for events.', () => this.countParked());
  }

  byId(id: string): LiveQueue | undefined {
    return this.queues.get(id);
  }

  has(queue: LiveQueue): boolean {
    return this.queues.get(queue.id) === queue;
  }

  ofUser(userId: number): readonly LiveQueue[] {
    return [...(this.byUser.get(userId) ?? [])];
  }

  all(): Iterable<LiveQueue> {
    return this.queues.values();
  }

  private countParked(): number {
    let count = 0;
    for (const queue of this.queues.values()) if (queue.parked) count++;
    return count;
  }

  add(queue: LiveQueue): LiveQueue {
    this.queues.set(queue.id, queue);
    const others = this.byUser.get(queue.userId);
    if (others) others.add(queue);
    else this.byUser.set(queue.userId, new Set([queue]));
    if (queue.takesOpenMessages) this.open.add(queue);
    return queue;
  }

  remove(queue: LiveQueue): void {
    this.queues.delete(queue.id);
    this.open.delete(queue);
    const ofUser = this.byUser.get(queue.userId);
    ofUser?.delete(queue);
    if (ofUser?.size === 0) this.byUser.delete(queue.userId);
  }

  /** Visits each queue that an event may be for, and few others. */
  forEachConcerned({ audience, options }: EmittedEvent, visit: (queue: LiveQueue) => void): void {
    if (audience.size < this.byUser.size) {
      for (const userId of audience.ids()) this.byUser.get(userId)?.forEach(visit);
    } else {
      for (const [userId, queues] of this.byUser) if (audience.has(userId)) queues.forEach(visit);
    }
    if (!options.open) return;
    for (const queue of this.open) if (!audience.has(queue.userId)) visit(queue);
  }
}
