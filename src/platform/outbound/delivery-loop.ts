import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';

/** A table of deliveries, and how one of them is carried out. */
export interface DeliveryWork<Delivery> {
  /** Names the log lines. */
  readonly name: string;
  /** How many deliveries one node waits for at once, and how many of those to one receiver. */
  readonly maxAtOnce: number;
  readonly maxAtOnceEach: number;
  /** How long deliveries under way may take to end once the server stops. */
  readonly patienceMs: number;
  receiverOf(delivery: Delivery): number;
  /**
   * Takes deliveries in hand that are due, so that no other node does; oldest first.
   * @param mayTake asked for each in turn, by its receiver
   * @param busy receivers for which it would say no
   */
  take(mayTake: (receiver: number) => boolean, busy: readonly number[]): Promise<Delivery[]>;
  /** @param signal ends it early */
  carryOut(delivery: Delivery, signal: AbortSignal): Promise<void>;
}

/** Deliveries that failed, and what other nodes left behind, come up again by themselves. */
const INTERVAL_MS = 5_000;

/**
 * Carries out the deliveries of a table. Each is a row, written with what it tells of, and one node takes it in hand; if
 * that node dies, another one does so after a while. So nothing is forgotten, and a receiver hears of something twice
 * only when a node dies while it tells of it.
 */
export class DeliveryLoop<Delivery> {
  private readonly logger: Logger;
  private readonly underWay = new Map<Delivery, Promise<void>>();
  private readonly stopping = new AbortController();
  private looking: Promise<void> | null = null;
  private isStopping = false;
  private shouldLookAgain = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly work: DeliveryWork<Delivery>) {
    this.logger = new Logger(work.name);
  }

  /** @param eachTime called before what is due is looked at by itself */
  start(eachTime: () => void = () => undefined): void {
    this.timer = setInterval(() => {
      eachTime();
      this.look();
    }, INTERVAL_MS).unref();
    this.look();
  }

  /** Lets deliveries under way come to their end for a while, and leaves the others to whoever comes next. */
  async stop(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.timer);
    await this.looking;
    const ended = new AbortController();
    const patience = pause(this.work.patienceMs, null, { signal: ended.signal });
    await Promise.race([this.settled(), patience.catch(() => undefined)]);
    ended.abort();
    this.stopping.abort();
    await this.settled();
  }

  /** Takes up what is due. Resolves once everything that this node has in hand is done. */
  async deliver(): Promise<void> {
    this.look();
    await this.settled();
  }

  /** Takes up what is due, soon. */
  look(): void {
    if (this.isStopping) return;
    this.shouldLookAgain = true;
    this.looking ??= this.takeAll()
      .catch((error: unknown) => this.logger.error(error))
      .finally(() => (this.looking = null));
  }

  private async settled(): Promise<void> {
    while (this.looking || this.underWay.size > 0) {
      await this.looking;
      await Promise.all(this.underWay.values());
    }
  }

  private async takeAll(): Promise<void> {
    while (this.shouldLookAgain && !this.isStopping) {
      this.shouldLookAgain = false;
      const { maxAtOnce, maxAtOnceEach } = this.work;
      const room = new Map<number, number>();
      for (const delivery of this.underWay.keys()) {
        const receiver = this.work.receiverOf(delivery);
        room.set(receiver, (room.get(receiver) ?? maxAtOnceEach) - 1);
      }
      let free = maxAtOnce - this.underWay.size;
      if (free <= 0) return;
      const busy = [...room].filter(([, left]) => left <= 0).map(([receiver]) => receiver);
      const mayTake = (receiver: number): boolean => {
        const left = room.get(receiver) ?? maxAtOnceEach;
        if (left <= 0 || free <= 0) return false;
        room.set(receiver, left - 1);
        free -= 1;
        return true;
      };
      for (const delivery of await this.work.take(mayTake, busy)) this.begin(delivery);
    }
  }

  private begin(delivery: Delivery): void {
    const work = this.work
      .carryOut(delivery, this.stopping.signal)
      .catch((error: unknown) => this.logger.error(error))
      .finally(() => {
        this.underWay.delete(delivery);
        this.look();
      });
    this.underWay.set(delivery, work);
  }
}
