import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Contract coverage of the answers and events of one test file. */
export interface ContractRecord {
  /** Operations that answered with success. */
  readonly answered: readonly string[];
  /** Kinds of events. */
  readonly events: readonly string[];
  /** Keys by the location of their object: anchor and path. */
  readonly keys: Readonly<Record<string, readonly string[]>>;
  /** Lines of `differences.tsv` that applied. */
  readonly differences: readonly string[];
}

const root = join(__dirname, '../../..');

/** Folder with the records of an engine's last runs, one per test file. */
export function recordFolder(engine: string): string {
  return join(root, 'node_modules/.cache/contract', engine);
}

/** Collects the coverage of the running test file; `npm run contract` reads it. */
export class ContractRecorder {
  readonly answered = new Set<string>();
  readonly events = new Set<string>();
  readonly keys = new Map<string, Set<string>>();
  readonly differences = new Set<string>();

  keysAt(place: string): Set<string> {
    let keys = this.keys.get(place);
    if (keys === undefined) this.keys.set(place, (keys = new Set()));
    return keys;
  }

  /** Discards the coverage of the previous test file. */
  clear(): void {
    this.answered.clear();
    this.events.clear();
    this.differences.clear();
    // Others hold references to these sets, so they are cleared rather than replaced.
    for (const keys of this.keys.values()) keys.clear();
  }

  /** @param testPath path of the running test file */
  write(testPath: string): void {
    const engine = process.env.TEST_ENGINE || 'sqlite';
    const target = join(recordFolder(engine), `${relative(root, testPath)}.json`);
    const keys = [...this.keys].filter(([, names]) => names.size > 0).sort();
    const record: ContractRecord = {
      answered: [...this.answered].sort(),
      events: [...this.events].sort(),
      keys: Object.fromEntries(keys.map(([place, names]) => [place, [...names].sort()])),
      differences: [...this.differences].sort(),
    };
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, JSON.stringify(record, null, 1));
  }
}
