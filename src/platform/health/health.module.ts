import { Module } from '@nestjs/common';
import { HealthController } from './health.controller';
import { HealthService } from './health.service';
import { MetricsController } from './metrics.controller';
import { ProcessMetrics } from './process-metrics';

/** `/health/live`, `/health/ready` and `/metrics`. */
@Module({
  controllers: [HealthController, MetricsController],
  providers: [HealthService, ProcessMetrics],
  exports: [HealthService],
})
export class HealthModule {}
