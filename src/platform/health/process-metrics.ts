import { Injectable, type OnModuleInit } from '@nestjs/common';
import { collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client';
import { Database } from '../database/database.service';
import { Metrics } from '../metrics/metrics';
import { ADVERTISED_VERSION, FEATURE_LEVEL, PROGRAM_VERSION } from '../version';

/** Metrics of the process: memory, garbage collection, event loop, files, and what runs in it. */
@Injectable()
export class ProcessMetrics implements OnModuleInit {
  constructor(
    private readonly metrics: Metrics,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    const { registry } = this.metrics;
    const shared = processFigures();
    for (const { name } of shared.getMetricsAsArray()) {
      registry.registerMetric(shared.getSingleMetric(name) as Metric);
    }
    const labels = {
      version: PROGRAM_VERSION,
      interface_version: ADVERTISED_VERSION,
      feature_level: String(FEATURE_LEVEL),
      engine: this.database.engine,
      driver: this.database.driver,
    };
    const build = { name: 'parley_build_info', help: 'What runs here: 1, with versions as labels.' };
    new Gauge({ ...build, labelNames: Object.keys(labels), registers: [registry] }).set(labels, 1);
  }
}

let figures: Registry | null = null;

/** The metrics of the library. It never stops watching the event loop, so all nodes of a process share it. */
function processFigures(): Registry {
  if (figures === null) {
    figures = new Registry();
    collectDefaultMetrics({ register: figures });
  }
  return figures;
}
