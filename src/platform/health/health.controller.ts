import { Controller, Get, HttpStatus, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { HealthService } from './health.service';
import { MetricsAccessGuard } from './metrics-access.guard';
import { NotRateLimited, Public, WithoutDatabase } from '../http/decorators';
import { Metrics } from '../metrics/metrics';
import { WorkerMetrics } from '../workers/worker-metrics';

/** For service managers and load balancers. */
@Controller('health')
@Public()
@NotRateLimited()
@WithoutDatabase('never')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  /** The process runs and answers; if this fails, it should be restarted. */
  @Get('live')
  live() {
    return { status: 'live' };
  }

  /**
   * Whether requests may be sent here.
   * @answersAlike 503 requests may not be sent here; the answer says why
   */
  @Get('ready')
  async ready(@Res({ passthrough: true }) reply: FastifyReply) {
    const { checks, problems, warnings } = await this.health.readiness();
    const isReady = problems.length === 0;
    if (!isReady) reply.status(HttpStatus.SERVICE_UNAVAILABLE);
    return {
      status: isReady ? 'ready' : 'not ready',
      ...(checks && { checks }),
      ...(!isReady && { problems }),
      ...(warnings.length > 0 && { warnings }),
    };
  }
}

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
