import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { ServerEvent } from '../../src/platform/events/server-event';

const root = join(__dirname, '..', '..');
const seen = new Set<string>();

/**
 * Records which kinds of events the running test file has captured, by engine; `npm run events` compares them with
 * those that the features declare. Events invented by tests are named `test_...` and omitted.
 */
export function noteSeenEvents(events: readonly ServerEvent[]): void {
  const kinds = events
    .map(({ type, op }) => (op === undefined ? type : `${type} ${op}`))
    .filter((kind) => !kind.startsWith('test_'));
  if (kinds.every((kind) => seen.has(kind))) return;
  for (const kind of kinds) seen.add(kind);
  const testFile = relative(root, expect.getState().testPath ?? '');
  const engine = process.env.TEST_ENGINE || 'sqlite';
  const record = join(root, 'node_modules/.cache/seen-events', engine, `${testFile}.json`);
  mkdirSync(dirname(record), { recursive: true });
  writeFileSync(record, JSON.stringify([...seen].sort(), null, 1));
}
