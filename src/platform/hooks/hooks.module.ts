import { Global, Module } from '@nestjs/common';
import { Hooks } from './hooks';

/** How features act on what happens in features below them. */
@Global()
@Module({ providers: [Hooks], exports: [Hooks] })
export class HooksModule {}
