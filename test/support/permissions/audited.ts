import { Database } from '../../../src/platform/database/database.service';
import type { TestApp } from '../test-app';
import { readTable } from './table';

/**
 * Audit log actions of endpoints, in brackets those that the permission matrix does not trigger; none for endpoints
 * that record nothing.
 */
export const AUDITED: ReadonlyMap<string, readonly string[]> = new Map(
  [...readTable().endpoints].map(([endpoint, { recorded }]) => [
    endpoint,
    recorded === '' || recorded.startsWith('- ') ? [] : recorded.split(' '),
  ]),
);

/** @returns the given actions that were recorded after this entry */
export async function recordedSince(
  app: TestApp,
  entryId: number,
  actions: readonly string[],
): Promise<string[]> {
  const rows = await app
    .get(Database)
    .read.query<{ action: string }>('SELECT DISTINCT action FROM audit_entry WHERE id > ?', [entryId]);
  const recorded = new Set(rows.map(({ action }) => action));
  return actions.filter((action) => recorded.has(action));
}

/** The newest entry of the audit log. */
export async function newestEntry(app: TestApp): Promise<number> {
  const [row] = await app
    .get(Database)
    .read.query<{ id: number }>('SELECT COALESCE(MAX(id), 0) AS id FROM audit_entry');
  return row?.id ?? 0;
}
