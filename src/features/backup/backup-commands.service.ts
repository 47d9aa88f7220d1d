import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.service';
import { NoInput } from '../../platform/operator/operator-command';
import { OperatorCommandRegistry } from '../../platform/operator/operator-command.registry';
import { BackupInput } from './backup.dto';
import { BackupService } from './backup.service';
import { SettleRestoredService } from './settle-restored.service';

/** Offers the commands about the database as a whole. */
@Injectable()
export class BackupCommandsService {
  constructor(
    registry: OperatorCommandRegistry,
    database: Database,
    backups: BackupService,
    restored: SettleRestoredService,
  ) {
    registry.register({
      name: 'backup',
      input: BackupInput,
      run: (input, context) => backups.create(input, context),
    });
    registry.register({ name: 'restore settle', input: NoInput, run: () => restored.settle() });
    // Whoever opens the database migrates it.
    registry.register({
      name: 'migrate',
      input: NoInput,
      run: async () => ({ engine: database.engine }),
    });
  }
}
