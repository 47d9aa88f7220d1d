import { createReadStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Maximum number of characters sorted in memory. */
const RUN = 32 * 1024 * 1024;

interface Kept {
  readonly key: number;
  readonly order: number;
  readonly text: string;
}

/** External merge sort for values that do not fit into memory. Stable. */
export class SortedSpool<T> {
  private kept: Kept[] = [];
  private length = 0;
  private order = 0;
  private runs = 0;

  /** @param folder for temporary files */
  constructor(private readonly folder: string) {}

  /** Number of values. */
  get size(): number {
    return this.order;
  }

  add(key: number, value: T): void {
    const text = JSON.stringify(value);
    this.kept.push({ key, order: this.order++, text });
    this.length += text.length;
    if (this.length > RUN) this.flush();
  }

  /** Yields all values in order. Nothing can be added afterwards. */
  async *read(): AsyncGenerator<T> {
    this.kept.sort(compare);
    const last = this.kept.values();
    const runs = [
      ...Array.from({ length: this.runs }, (_, at) => linesOf(this.path(at))),
      (async function* () {
        yield* last;
      })(),
    ];
    const heads: Head[] = [];
    for (const run of runs) {
      const first = await run.next();
      if (!first.done) heads.push({ head: first.value, run });
    }
    while (heads.length > 0) {
      let least = 0;
      for (let at = 1; at < heads.length; at++)
        if (compare((heads[at] as Head).head, (heads[least] as Head).head) < 0) least = at;
      const { head, run } = heads[least] as Head;
      yield JSON.parse(head.text) as T;
      const next = await run.next();
      if (next.done) heads.splice(least, 1);
      else heads[least] = { head: next.value, run };
    }
  }

  private flush(): void {
    this.kept.sort(compare);
    const text = this.kept.map((each) => `${each.key} ${each.order} ${each.text}\n`).join('');
    writeFileSync(this.path(this.runs++), text, { mode: 0o600 });
    this.kept = [];
    this.length = 0;
  }

  private path(run: number): string {
    return join(this.folder, `sorted-${run}`);
  }
}

interface Head {
  readonly head: Kept;
  readonly run: AsyncGenerator<Kept>;
}

function compare(a: Kept, b: Kept): number {
  return a.key - b.key || a.order - b.order;
}

/** Splits at line feeds only, as JSON may contain other line separators. */
async function* linesOf(path: string): AsyncGenerator<Kept> {
  let rest = '';
  for await (const chunk of createReadStream(path, { encoding: 'utf8' }) as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [, key, order, text = ''] = /^(\S+) (\d+) (.*)$/s.exec(line) ?? [];
      yield { key: Number(key), order: Number(order), text };
    }
  }
}
