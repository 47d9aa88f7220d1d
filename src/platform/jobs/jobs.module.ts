import { Global, Module } from '@nestjs/common';
import { Jobs } from './jobs.service';

/** Work that is done after the change that it follows from, for every module. */
@Global()
@Module({ providers: [Jobs], exports: [Jobs] })
export class JobsModule {}
