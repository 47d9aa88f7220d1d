import { Module } from '@nestjs/common';
import { CheckDatabaseService } from './check-database.service';
import { StoredFilesService } from './stored-files.service';

/** Whether everything that is to be true of the database is. */
@Module({ providers: [CheckDatabaseService, StoredFilesService] })
export class IntegrityModule {}
