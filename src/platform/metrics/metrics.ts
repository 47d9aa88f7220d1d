import { Injectable, Logger } from '@nestjs/common';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

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
  counter(name: string, help: string): Counter {
    return new Counter({ name, help, registers: [this.registry] });
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
    let reading: Promise<Readonly<Record<Name, number>> | null> | null = null;
    const readOnce = () =>
      (reading ??= read()
        .catch((error: unknown) => {
          // The other figures are worth having all the more.
          this.logger.error(error);
          return null;
        })
        .finally(() => {
          reading = null;
        }));
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
}
