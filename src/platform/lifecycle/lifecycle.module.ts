import { Global, Module } from '@nestjs/common';
import { ShutdownSignal } from './shutdown-signal';

/** Makes the {@link ShutdownSignal} injectable everywhere. */
@Global()
@Module({ providers: [ShutdownSignal], exports: [ShutdownSignal] })
export class LifecycleModule {}
