import { Global, Module } from '@nestjs/common';
import { Hooks } from './hooks';

/** Lets features act on what happens in the features below them. */
@Global()
@Module({ providers: [Hooks], exports: [Hooks] })
export class HooksModule {}
