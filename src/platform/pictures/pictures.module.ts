import { Global, Module } from '@nestjs/common';
import { Pictures } from './pictures';

/** Pictures that users upload. */
@Global()
@Module({ providers: [Pictures], exports: [Pictures] })
export class PicturesModule {}
