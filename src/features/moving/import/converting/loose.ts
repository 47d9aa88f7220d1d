import type { JsonRow } from '../../../../platform/archives/json-rows';
import { isObject } from '../../../../platform/collections';

/** The text of a field; empty if missing. */
export function textOf(row: JsonRow | null, field: string): string {
  const value = row?.[field];
  return typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : '';
}

/** The object of a field; null if missing. */
export function rowOf(row: JsonRow | null, field: string): JsonRow | null {
  const value = row?.[field];
  return isObject(value) ? value : null;
}

/** The objects of a list. */
export function rowsOf(row: JsonRow | null, field: string): JsonRow[] {
  const value = row?.[field];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The texts of a list. */
export function textsOf(row: JsonRow | null, field: string): string[] {
  const value = row?.[field];
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
}

/** The finite number of a field; null if missing. */
export function numberOf(row: JsonRow | null, field: string): number | null {
  const value = row?.[field];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
