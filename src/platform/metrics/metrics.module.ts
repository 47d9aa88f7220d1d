import { Global, Module } from '@nestjs/common';
import { Metrics } from './metrics';

/** Where parts of the server declare their metrics. */
@Global()
@Module({ providers: [Metrics], exports: [Metrics] })
export class MetricsModule {}
