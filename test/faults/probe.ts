import { setTimeout as pause } from 'node:timers/promises';
import type { Site } from './caller';
import { Reader, Writer } from './load';

/** Goes to one address alone, and no other. */
export class Probe {
  readonly writer: Writer;
  readonly reader: Reader;

  /** @param name of what is at the address */
  constructor(
    readonly site: Site,
    readonly name: string,
  ) {
    this.writer = new Writer(site, `probe of ${name}`);
    this.reader = new Reader(site, false);
  }

  /**
   * Once a queue could be registered there, somebody has to go on following it.
   * @param untilMs when to give up, by `performance.now()`
   */
  async register(untilMs: number): Promise<boolean> {
    while (performance.now() < untilMs) {
      if (await this.reader.register()) return true;
      await pause(50);
    }
    return false;
  }

  /** @returns whether a message was stored there, and the queue told of it */
  async works(untilMs: number): Promise<boolean> {
    const isOver = () => performance.now() > untilMs;
    const { acknowledged } = this.writer;
    await this.writer.writeUntil(() => acknowledged.length > 0 || isOver());
    const [message] = acknowledged;
    while (message && !isOver()) {
      const { told, knownTo } = this.reader;
      if (knownTo >= message.id || told.some(({ id }) => id === message.id)) return true;
      await pause(10);
    }
    return false;
  }
}
