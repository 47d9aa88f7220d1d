import { Injectable, Logger } from '@nestjs/common';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

export type { Counter } from 'prom-client';

/** Seconds, from what memory answers to a long poll. */
const SECONDS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

/** What is written into the place of a figure that cannot be had just now. */
const UNKNOWN = NaN;

/**
 * Figures about this node, for a Prometheus that asks from time to time. Each part of the server declares its own, once;
 * the names begin with `parley_`, and units are seconds.
 */
@Injectable()
export class Metrics {
  private readonly logger = new Logger('Metrics');
  /** Not the one that the library shares: a process may hold several nodes. */
  readonly registry = new Registry();

  /** Something that happens, counted. */
  counter<Label extends string = never>(
    name: string,
    help: string,
    labelNames: readonly Label[] = [],
  ): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  /** How long something takes, by the values of labels, of which there must be few. */
  durations<Label extends string = never>(
    name: string,
    help: string,
    labelNames: readonly Label[] = [],
  ): Histogram<Label> {
    return new Histogram({ name, help, labelNames, buckets: SECONDS, registers: [this.registry] });
  }

  /** Something that goes up and down, looked at when somebody asks. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void {
    this.gauges({ [name]: help }, async () => ({ [name]: await read() }));
  }

  /**
   * Several of them that are looked at together.
   * @param helps by name
   */
  gauges<Name extends string>(
    helps: Readonly<Record<Name, string>>,
    read: () => Promise<Readonly<Record<Name, number>>>,
  ): void {
    const readOnce = this.readOnce(read);
    for (const name of Object.keys(helps) as Name[]) {
      new Gauge({
        name,
        help: helps[name],
        registers: [this.registry],
        async collect() {
          this.set((await readOnce())?.[name] ?? UNKNOWN);
        },
      });
    }
  }

  /**
   * The same by the values of a label, of which there must be few.
   * @param read answers with the figures of each value; without any, there are none just now
   */
  gaugesBy<Name extends string>(
    label: string,
    helps: Readonly<Record<Name, string>>,
    read: () => Promise<ReadonlyMap<string, Readonly<Record<Name, number>>>>,
  ): void {
    const readOnce = this.readOnce(read);
    for (const name of Object.keys(helps) as Name[]) {
      new Gauge({
        name,
        help: helps[name],
        labelNames: [label],
        registers: [this.registry],
        async collect() {
          const found = await readOnce();
          this.reset();
          for (const [value, figures] of found ?? []) this.set({ [label]: value }, figures[name]);
        },
      });
    }
  }

  /** Gauges that are looked at together ask once; null where their figures cannot be had. */
  private readOnce<Figures>(read: () => Promise<Figures>): () => Promise<Figures | null> {
    let reading: Promise<Figures | null> | null = null;
    return () =>
      (reading ??= read()
        .catch((error: unknown) => {
          // The other figures are worth having all the more.
          this.logger.error(error);
          return null;
        })
        .finally(() => {
          reading = null;
        }));
  }
}
