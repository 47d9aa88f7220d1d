import { Module } from '@nestjs/common';
import { CheckDatabaseService } from './check-database.service';
import { StoredFilesService } from './stored-files.service';

/** Checks whether the database fulfils every invariant. */
@Module({ providers: [CheckDatabaseService, StoredFilesService] })
export class IntegrityModule {}

/** Hooks: what else the database has to fulfil. */

// What other features use of this one.
export { invariantsSought } from './integrity.hooks';
