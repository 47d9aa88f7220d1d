import { Module } from '@nestjs/common';
import { HealthController, MetricsController } from './health.controller';
import { HealthService } from './health.service';
import { ProcessMetrics } from './process-metrics';

/** `/health/live`, `/health/ready` and `/metrics`. */
@Module({
  controllers: [HealthController, MetricsController],
  providers: [HealthService, ProcessMetrics],
  exports: [HealthService],
})
export class HealthModule {}
