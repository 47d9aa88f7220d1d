import { Global, Module } from '@nestjs/common';
import { FileStore } from './file-store';

/** Files that users upload, such as pictures and attachments. */
@Global()
@Module({ providers: [FileStore], exports: [FileStore] })
export class FilesModule {}
