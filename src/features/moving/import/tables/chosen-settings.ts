import { ParameterProblem } from '../../../../platform/errors/request.errors';
import { PERSONAL_SETTING_NAMES, PERSONAL_SETTINGS } from '../../../users/users.module';
import type { ArchiveRow } from '../records/archive-row';
import type { Ledger } from '../records/ledger';

/** Personal settings of a row that differ from their initial values; those that cannot be keep the initial one. */
export function chosenSettings(row: ArchiveRow, ledger: Ledger): Record<string, unknown> {
  const chosen: Record<string, unknown> = {};
  for (const name of PERSONAL_SETTING_NAMES) {
    const given = row.value(name);
    if (given === undefined || given === null) continue;
    const { type, initial } = PERSONAL_SETTINGS[name];
    try {
      const value: unknown = type.decode(typeof given === 'string' ? given : JSON.stringify(given), name);
      if (value !== initial) chosen[name] = value;
    } catch (error) {
      if (!(error instanceof ParameterProblem)) throw error;
      ledger.note('replaced', row.table, row.name, `"${name}" has a value that does not exist here.`);
    }
  }
  return chosen;
}
