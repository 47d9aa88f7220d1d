import { siteAt, type Site } from './caller';
import { direct, inTopic, Reader, Writer } from './load';
import { Marker } from './marker';
import type { Probe } from './probe';
import type { Clients } from './scenario';
import { stored, type Stored } from './stored';
import { skipped } from './verdict';

const READERS = 3;

/**
 * Clients have this long to hear of the last message, once there are no more. Most hear of it at once; where the node that
 * stored it was lost a moment later, another one looks within seconds.
 */
const TELLS_WITHIN_MS = 30_000;

/** How long something took from the end of the fault; null where it did not come about. */
interface Recovery {
  readonly name: string;
  readonly tookMs: number | null;
}

/** Those who write and read while a fault befalls a server, and afterwards. */
export class Crowd implements Clients {
  readonly writers: Writer[];
  readonly readers: Reader[];
  private readonly writing: Promise<void>[] = [];
  private readonly following: Promise<void>[] = [];
  private isOver = false;
  private all: readonly Stored[] | null = null;
  private patienceEndsMs = Infinity;

  constructor(private readonly site: Site) {
    const { addresses } = site;
    // Each of the two goes to a node of its own, where there are several.
    const sharing = [addresses[0], addresses.at(-1)].map((address = '') => siteAt(site, address));
    this.writers = [
      ...[0, 1, 2].map((n) => new Writer(site, `writer ${n}`)),
      ...sharing.map((at, n) => new Writer(at, `sharing writer ${n}`, inTopic('shared'))),
      new Writer(site, 'direct writer', direct(site)),
      new Marker(site, 'marking writer'),
    ];
    this.readers = Array.from({ length: READERS }, (_, n) => new Reader(site, n === 0));
  }

  /** Returns once they write and read. */
  async begin(): Promise<void> {
    for (const reader of this.readers)
      if (!(await reader.register())) throw new Error('A client cannot register.');
    for (const reader of this.readers) this.follow(reader);
    for (const writer of this.writers) this.writing.push(writer.writeUntil(() => this.isOver));
  }

  /**
   * Has others join once the fault is over, each of them at one address.
   * @param patienceMs after this long they give up
   * @returns how long each address took to take a message and tell of it
   */
  async join(probes: readonly Probe[], patienceMs: number): Promise<Recovery[]> {
    const sinceMs = performance.now();
    const untilMs = sinceMs + patienceMs;
    return Promise.all(
      probes.map(async (probe) => {
        const { name, writer, reader } = probe;
        this.writers.push(writer);
        if (!(await probe.register(untilMs))) return { name, tookMs: null };
        this.readers.push(reader);
        this.follow(reader);
        const works = await probe.works(untilMs);
        return { name, tookMs: works ? Math.round(performance.now() - sinceMs) : null };
      }),
    );
  }

  /**
   * Has nobody write any more, and returns once readers have heard everything, or had the time for it.
   * @param site where to look what there is
   */
  async end(site: Site): Promise<readonly Stored[]> {
    this.isOver = true;
    await Promise.all(this.writing);
    this.all = await stored(site);
    this.patienceEndsMs = performance.now() + TELLS_WITHIN_MS;
    await Promise.all(this.following);
    return this.all;
  }

  private follow(reader: Reader): void {
    this.following.push(reader.followUntil(() => this.hasHeard(reader)));
  }

  private hasHeard(reader: Reader): boolean {
    const { all } = this;
    return all !== null && (skipped(all, reader).length === 0 || performance.now() > this.patienceEndsMs);
  }
}
