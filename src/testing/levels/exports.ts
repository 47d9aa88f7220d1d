import { isNamed, objectsIn } from './keys';
import type { ChangePart, Json } from './level-change';

/** What archives of the organization hold, by the numbers that stood for the words. */
const TYPES: Readonly<Record<string, string>> = { 1: 'public', 2: 'full_with_consent' };

/** Records of exports were different, in the list and in events. */
export function exportRecords(change: (record: Json) => void): ChangePart {
  const changeAll = (holder: Json) => objectsIn(holder, 'exports').forEach(change);
  return {
    answers: { 'GET /export/realm': changeAll },
    event: (event) => {
      if (isNamed(event, 'realm_export')) changeAll(event);
      return event;
    },
  };
}

/** Requests named what the archive holds by a number. */
export function exportTypeByNumber(parameters: Map<string, string>): void {
  const sent = parameters.get('export_type');
  if (sent !== undefined) parameters.set('export_type', TYPES[sent] ?? 'unknown');
}

/** Records named it so, too. */
export function exportTypeAsNumber(record: Json): void {
  const number = Object.keys(TYPES).find((key) => TYPES[key] === record['export_type']);
  record['export_type'] = Number(number ?? 3);
}

/** Consents came without who sees the address. */
export function consentsWithoutVisibility(answer: Json): void {
  for (const consent of objectsIn(answer, 'export_consents')) delete consent['email_address_visibility'];
}
