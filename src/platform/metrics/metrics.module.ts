import { Global, Module } from '@nestjs/common';
import { Metrics } from './metrics';

/** Where parts of the server declare what can be measured of them. */
@Global()
@Module({ providers: [Metrics], exports: [Metrics] })
export class MetricsModule {}
