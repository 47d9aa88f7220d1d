import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client';
import { answerWithin } from '../clock';
import type { Metrics } from '../metrics/metrics';
import { type WorkerLink, workerNumber } from './worker-link';

const WANTED = 'metrics-wanted';
const HERE = 'metrics-here';

/** Longer than a worker waits for its own metrics. */
const PATIENCE_MS = 2_000;

type Figures = MetricObjectWithValues<MetricValue<string>>[];

/**
 * Metrics of the whole server: a scrape reaches one of its workers, and returns those of all, distinguished by a label.
 */
export class WorkerMetrics {
  private asked = 0;
  private readonly answers = new Map<string, (figures: Figures) => void>();

  constructor(
    private readonly metrics: Metrics,
    private readonly link: WorkerLink | null,
  ) {
    link?.listen(WANTED, (id) => void this.publishFigures(id));
    link?.listen(HERE, (text) => {
      const { id, figures } = JSON.parse(text) as { id: string; figures: Figures };
      this.answers.get(id)?.(figures);
    });
  }

  /** In the format of Prometheus. */
  async text(): Promise<string> {
    const { registry } = this.metrics;
    if (!this.link || this.link.workers === 1) return registry.metrics();
    const all = await this.ofAll(this.link);
    return AggregatorRegistry.aggregate(all).metrics();
  }

  private async ofAll(link: WorkerLink): Promise<Figures[]> {
    const id = `${workerNumber()} ${++this.asked}`;
    const found: Figures[] = [];
    const complete = new Promise<void>((resolve) => {
      this.answers.set(id, (figures) => {
        if (found.push(figures) >= link.workers - 1) resolve();
      });
    });
    link.publish(WANTED, id);
    // An unavailable worker is left out.
    const others = answerWithin(PATIENCE_MS, complete).catch(() => undefined);
    const [own] = await Promise.all([this.own(), others]);
    this.answers.delete(id);
    return [own, ...found];
  }

  private async publishFigures(id: string): Promise<void> {
    this.link?.publish(HERE, JSON.stringify({ id, figures: await this.own() }));
  }

  private async own(): Promise<Figures> {
    const worker = String(workerNumber());
    const figures = (await this.metrics.registry.getMetricsAsJSON()) as Figures;
    return figures.map((metric) => ({
      ...metric,
      values: metric.values.map((each) => ({ ...each, labels: { ...each.labels, worker } })),
    }));
  }
}
