import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Clock } from './clock';

/** Makes the one {@link Clock} injectable everywhere. */
@Global()
@Module({})
export class ClockModule {
  static forRoot(clock: Clock): DynamicModule {
    return { module: ClockModule, providers: [{ provide: Clock, useValue: clock }], exports: [Clock] };
  }
}
