import { type DynamicModule, type FactoryProvider, Module, type Provider } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { getOptionsToken, getStorageToken } from '@nestjs/throttler';
import { AccessGuard } from './access.guard';
import { ApiErrorFilter } from './api-error.filter';
import { runLean } from './lean-interceptors';
import { FormMethodGuard, ParametersGuard } from './parameters/parameters.guard';
import { RateLimitGuard, RollingWindowStorage, throttlerOptions } from './rate-limit.guard';
import { IgnoredParametersInterceptor, ResponseEnvelopeInterceptor } from './envelope.interceptor';

/** The operator's settings for requests. */
export interface HttpOptions {
  /** Maximum number of requests per account and minute; 0 means no limit. */
  readonly rateLimitPerMinute: number;
}

const HTTP_OPTIONS = Symbol('HttpOptions');

runLean();

/** Nest runs global guards and interceptors in the order of registration. */
const pipeline: Provider[] = [
  { provide: APP_GUARD, useClass: FormMethodGuard },
  { provide: APP_GUARD, useClass: RateLimitGuard },
  { provide: APP_GUARD, useClass: AccessGuard },
  { provide: APP_GUARD, useClass: ParametersGuard },
  { provide: APP_INTERCEPTOR, useClass: ResponseEnvelopeInterceptor },
  { provide: APP_INTERCEPTOR, useClass: IgnoredParametersInterceptor },
  { provide: APP_FILTER, useClass: ApiErrorFilter },
];

/**
 * The path of every request between authentication and controller. Import it once, after the module that provides the
 * authentication guard: guards run in import order.
 */
@Module({})
export class HttpModule {
  static forRootAsync(options: Pick<FactoryProvider<HttpOptions>, 'inject' | 'useFactory'>): DynamicModule {
    return {
      module: HttpModule,
      providers: [
        { provide: HTTP_OPTIONS, ...options },
        {
          provide: getOptionsToken(),
          useFactory: ({ rateLimitPerMinute }: HttpOptions) => throttlerOptions(rateLimitPerMinute),
          inject: [HTTP_OPTIONS],
        },
        { provide: getStorageToken(), useClass: RollingWindowStorage },
        ...pipeline,
      ],
    };
  }
}
