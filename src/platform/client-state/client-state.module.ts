import { Global, Module } from '@nestjs/common';
import { InitialStateRegistry } from './initial-state.registry';

/** The state that a client gets when it registers, put together from what the features know. */
@Global()
@Module({ providers: [InitialStateRegistry], exports: [InitialStateRegistry] })
export class ClientStateModule {}
