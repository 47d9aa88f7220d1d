import { Global, Module } from '@nestjs/common';
import { Jobs } from './jobs.service';

/** Jobs: work that follows a change, for every module. */
@Global()
@Module({ providers: [Jobs], exports: [Jobs] })
export class JobsModule {}
