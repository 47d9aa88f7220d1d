import { Injectable, Logger, Global, Module } from '@nestjs/common';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { answerWithin } from '../clock';

export type { Counter } from 'prom-client';

/** A sample of a metric. */
export interface Sample {
  /** Name of the metric; for durations, with the suffix `_bucket`, `_sum` or `_count`. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string | number>>;
  /** Null if it could not be read. */
  readonly value: number | null;
}

/** Buckets in seconds, from in-memory answers to a long poll. */
const SECONDS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

/** Scrapers wait only seconds, and need the other metrics even if the database does not respond. */
const PATIENCE_MS = 1_000;

/** Represents a value that is currently unavailable. */
const UNKNOWN = NaN;

/**
 * Metrics of this node, for a Prometheus server that scrapes them. Each part of the server declares its own, once;
 * names begin with `parley_`, and units are seconds.
 */
@Injectable()
export class Metrics {
  private readonly logger = new Logger('Metrics');
  /** Not the library's global registry: a process may run several nodes. */
  readonly registry = new Registry();

  /** A counter. */
  counter<Label extends string = never>(
    name: string,
    help: string,
    labelNames: readonly Label[] = [],
  ): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  /** A histogram of durations, with labels of few values. */
  durations<Label extends string = never>(
    name: string,
    help: string,
    labelNames: readonly Label[] = [],
  ): Histogram<Label> {
    return new Histogram({ name, help, labelNames, buckets: SECONDS, registers: [this.registry] });
  }

  /** A gauge whose value is read on each scrape. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void {
    this.gauges({ [name]: help }, async () => ({ [name]: await read() }));
  }

  /**
   * Several gauges read together.
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
   * Gauges with one label, which must have few values.
   * @param read returns the numbers by label value; without any, there are no samples
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
   * The current samples of a metric, for people rather than scrapers.
   * @throws Error for an undeclared name, which is a bug
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

  /** Shares one read among gauges that are read together; null if it does not finish in time. */
  private readOnce<Figures>(read: () => Promise<Figures>): () => Promise<Figures | null> {
    let reading: Promise<Figures> | null = null;
    return async () => {
      // A late read continues, so that scrapes do not pile up queries.
      reading ??= read().finally(() => {
        reading = null;
      });
      try {
        return await answerWithin(PATIENCE_MS, reading);
      } catch (error) {
        // The other metrics are all the more important now.
        this.logger.error(error);
        return null;
      }
    };
  }
}

/** Provides the metrics registry to all modules. */
@Global()
@Module({ providers: [Metrics], exports: [Metrics] })
export class MetricsModule {}
