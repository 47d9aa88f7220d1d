import { Global, Module, type DynamicModule } from '@nestjs/common';
import { DescriptorWatch } from './descriptor-watch';
import { ProcessPurpose } from './periodic-task';
import { ShutdownSignal } from './graceful-stop';

/** Provides the {@link ShutdownSignal} and the {@link ProcessPurpose} to all modules. */
@Global()
@Module({ providers: [ShutdownSignal, DescriptorWatch], exports: [ShutdownSignal] })
export class LifecycleModule {
  static forRoot(purpose: ProcessPurpose): DynamicModule {
    return {
      module: LifecycleModule,
      providers: [{ provide: ProcessPurpose, useValue: purpose }],
      exports: [ProcessPurpose],
    };
  }
}
