import { Injectable } from '@nestjs/common';
import { Hooks } from '../../../platform/hooks/hooks';
import {
  type Account,
  accountActivityChanged,
  personalSetting,
  personalSettingsChanged,
} from '../../users/users.module';
import { ExportRowsService } from './export-rows.service';
import { consentChanged } from './exports.api';

/** Emits consent to private exports to administrators, when it changes or the user is reactivated. */
@Injectable()
export class ConsentEventsService {
  constructor(hooks: Hooks, rows: ExportRowsService) {
    const name = 'allow_private_data_export';
    hooks.on(personalSettingsChanged, (tx, row, changed) => {
      const consented = changed[name];
      if (consented === undefined) return;
      tx.emit(consentChanged({ user_id: row.id, consented }), rows.administrators());
    });
    hooks.on(accountActivityChanged, (tx, row) => {
      if (!row.isActive || row.isBot) return;
      tx.emit(consentChanged({ user_id: row.id, consented: consentOf(row, name) }), rows.administrators());
    });
  }
}

function consentOf({ settings }: Account, name: 'allow_private_data_export'): boolean {
  return personalSetting(JSON.parse(settings) as Record<string, unknown>, name);
}
