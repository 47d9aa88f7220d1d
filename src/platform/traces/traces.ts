import { Global, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { Tracer } from './tracer';
import { Config } from '../config/config';
import { Metrics } from '../metrics/metrics';
import type { AddressRules } from '../outbound/address-rules';
import { type OutboundAnswer, type OutboundRequest, post } from '../outbound/outbound-request';

/** Whether this node records spans, and the tracer that does. */
@Injectable()
export class Traces implements OnApplicationShutdown {
  constructor(readonly tracer: Tracer | null) {}

  /** Posts to another server, within a span of the current request or job. @throws OutboundFailure */
  post(name: string, request: OutboundRequest, rules: AddressRules): Promise<OutboundAnswer> {
    const send = (each: OutboundRequest) => post(each, rules);
    return this.tracer ? this.tracer.call(name, request, send) : send(request);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.tracer?.close();
  }
}

function tracesOf({ tracesEndpoint, tracesHeaders, tracesRatio }: Config, metrics: Metrics): Traces {
  const spans = metrics.counter('parley_spans_total', 'Spans for the collector of traces.', ['outcome']);
  if (tracesEndpoint === null) return new Traces(null);
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- nothing to load where nobody collects spans
  const { Tracer } = require('./tracer') as typeof import('./tracer');
  return new Traces(new Tracer({ endpoint: tracesEndpoint, headers: tracesHeaders, spans }, tracesRatio));
}

/** Provides traces to all modules. */
@Global()
@Module({
  providers: [{ provide: Traces, inject: [Config, Metrics], useFactory: tracesOf }],
  exports: [Traces],
})
export class TracesModule {}
