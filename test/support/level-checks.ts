import type { Answer } from '../../src/testing';

/** @param what `type/op key=value`, where the key is a property, an entry of the data, or a key of the event */
export function isEvent(event: Answer, what: string): boolean {
  const [name = '', wanted] = what.split(/ (.*)/);
  const [type, op] = name.split('/');
  if (event['type'] !== type || (op !== undefined && event['op'] !== op)) return false;
  if (wanted === undefined) return true;
  const [key = '', value] = wanted.split('=');
  const data = (event['data'] ?? {}) as Answer;
  const isNamed = event['property'] === key || key in data || key in event;
  if (!isNamed || value === undefined) return isNamed;
  const told = event['property'] === key ? event['value'] : (data[key] ?? event[key]);
  return told === value || typeof told === value;
}

/** @param path such as `streams[].name`, `streams[name=lobby].folder_id` or `web_home_view=recent` */
export function has(value: unknown, path: string): boolean {
  const [keys = '', wanted] = path.split(/=(?![^[]*\])/);
  const ends = keys
    .split('.')
    .reduce<unknown[]>((holders, part) => holders.flatMap((holder) => inside(holder, part)), [value]);
  const there = ends.filter((end) => end !== undefined);
  if (wanted === undefined) return there.length > 0;
  if (wanted === 'milliseconds') return there.some((end) => Number(end) > 1e11);
  if (wanted === 'seconds') return there.some((end) => Number(end) < 1e11);
  return there.some(
    (end) => JSON.stringify(end) === JSON.stringify(wanted) || JSON.stringify(end) === wanted,
  );
}

function inside(holder: unknown, part: string): unknown[] {
  const [, key = '', filter] = /^([^[]*)(?:\[(.*)\])?$/.exec(part) ?? [];
  const value = (holder as Answer | undefined)?.[key];
  if (filter === undefined) return [value];
  const [name = '', wanted] = filter.split('=');
  const records = (Array.isArray(value) ? value : []) as Answer[];
  return wanted === undefined ? records : records.filter((record) => String(record[name]) === wanted);
}
