import { Global, Module } from '@nestjs/common';
import { FileStore } from './file-store';
import { LateDeletions } from './late-deletions.service';

/** Files that users upload, such as pictures and attachments. */
@Global()
@Module({ providers: [FileStore, LateDeletions], exports: [FileStore] })
export class FilesModule {}
