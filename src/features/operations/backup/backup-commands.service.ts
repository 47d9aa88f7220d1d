import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { command, NoInput, operatorCommand } from '../../../platform/operator/operator-commands';
import { BackupInput } from '../operations.api';
import { BackupService } from './backup.service';
import { SettleRestoredService } from './settle-restored.service';

/** Offers the commands about the database as a whole. */
@Injectable()
export class BackupCommandsService {
  constructor(hooks: Hooks, database: Database, backups: BackupService, restored: SettleRestoredService) {
    hooks.on(
      operatorCommand,
      command(
        'backup',
        BackupInput,
        (input, context) => backups.create(input, context),
        ({ target }) => target,
      ),
    );
    hooks.on(
      operatorCommand,
      command('restore settle', NoInput, () => restored.settle()),
    );
    // Opening the database has already applied the migrations.
    hooks.on(
      operatorCommand,
      command('migrate', NoInput, async () => ({ engine: database.engine })),
    );
  }
}
