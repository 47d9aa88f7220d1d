import { Injectable, Logger, Global, Module } from '@nestjs/common';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { answerWithin } from '../clock';

export type { Counter } from 'prom-client';

/** One number of a metric. */
export interface Sample {
  /** That of the metric; for durations, with `_bucket`, `_sum` or `_count` behind it. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string | number>>;
  /** Null where it could not be read. */
  readonly value: number | null;
}

/** Buckets in seconds, from answers out of memory to a long poll. */
const SECONDS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

/** Scrapers wait only seconds, and need the other metrics even if the database is silent. */
const PATIENCE_MS = 1_000;

/** Stands for a value that cannot be read just now. */
const UNKNOWN = NaN;

/**
 * Metrics of this node, for a Prometheus server that scrapes them. Each part of the server declares its own, once;
 * their names begin with `parley_`, and their units are seconds.
 */
@Injectable()
export class Metrics {
  private readonly logger = new Logger('Metrics');
  /** Not the library's global registry: a process may run several nodes. */
  readonly registry = new Registry();

  /** Counts something that happens. */
  counter<Label extends string = never>(
    name: string,
    help: string,
    labelNames: readonly Label[] = [],
  ): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  /** Measures how long something takes, by the values of labels, of which there must be few. */
  durations<Label extends string = never>(
    name: string,
    help: string,
    labelNames: readonly Label[] = [],
  ): Histogram<Label> {
    return new Histogram({ name, help, labelNames, buckets: SECONDS, registers: [this.registry] });
  }

  /** Something that goes up and down, read for each scrape. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void {
    this.gauges({ [name]: help }, async () => ({ [name]: await read() }));
  }

  /**
   * Several gauges that are read together.
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
   * @param read answers with the numbers of each value; without any, there are none just now
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

  /**
   * What a metric says just now, for people rather than for a scraper.
   * @throws Error for a name that no part of the server declared, which is a bug
   */
  async read(name: string): Promise<readonly Sample[]> {
    const metric = this.registry.getSingleMetric(name);
    if (!metric) throw new Error(`Unknown metric ${name}.`);
    const { values } = await metric.get();
    return values.map((each) => ({
      name: (each as { metricName?: string }).metricName ?? name,
      labels: each.labels as Sample['labels'],
      value: Number.isNaN(each.value) ? null : each.value,
    }));
  }

  /** Lets gauges that are read together ask once; null if their numbers cannot be read in time. */
  private readOnce<Figures>(read: () => Promise<Figures>): () => Promise<Figures | null> {
    let reading: Promise<Figures> | null = null;
    return async () => {
      // What is late goes on, so that scrapes do not pile up questions.
      reading ??= read().finally(() => {
        reading = null;
      });
      try {
        return await answerWithin(PATIENCE_MS, reading);
      } catch (error) {
        // The other metrics are worth having all the more.
        this.logger.error(error);
        return null;
      }
    };
  }
}

/** Where parts of the server declare their metrics. */
@Global()
@Module({ providers: [Metrics], exports: [Metrics] })
export class MetricsModule {}
