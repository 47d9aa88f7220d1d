import { Module } from '@nestjs/common';
import { HealthModule } from '../../platform/health/health.module';
import { AuditModule } from '../audit/audit.module';
import { ServerConfigurationService } from './server-configuration.service';
import { ServerFiguresService } from './server-figures.service';
import { ServerStatusController } from './server-status.controller';
import { ServerStatusService } from './server-status.service';
import { StorageFiguresService } from './storage-figures.service';

/** How the server is, for administrators: what runs, how fast it answers, what waits, and how it is configured. */
@Module({
  imports: [AuditModule, HealthModule],
  controllers: [ServerStatusController],
  providers: [ServerConfigurationService, ServerFiguresService, ServerStatusService, StorageFiguresService],
})
export class ServerStatusModule {}
