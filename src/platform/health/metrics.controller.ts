import { Controller, Get, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { NotRateLimited, Public, WithoutDatabase } from '../http/decorators';
import { Metrics } from '../metrics/metrics';
import { WorkerMetrics } from '../workers/worker-metrics';
import { MetricsAccessGuard } from './metrics-access.guard';

/** For Prometheus. */
@Controller('metrics')
@Public()
@NotRateLimited()
@WithoutDatabase('never')
@UseGuards(MetricsAccessGuard)
export class MetricsController {
  constructor(
    private readonly metrics: Metrics,
    private readonly workers: WorkerMetrics,
  ) {}

  /**
   * Serves the metrics of this node, of all its workers, in the format of Prometheus.
   * @answers 401 the token is missing or wrong
   * @answers 403 the caller is on another machine, and there is no token
   */
  @Get()
  read(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    reply.header('content-type', this.metrics.registry.contentType);
    return this.workers.text();
  }
}
