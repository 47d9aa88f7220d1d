import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PRELOADED = require.resolve('./preloaded-time.cjs');

/** The time of day as nodes see it. All nodes of an installation have the same, as they should. */
export class ShiftedTime {
  private readonly file: string;

  constructor(folder: string) {
    this.file = join(folder, 'time-shift');
    this.shiftBy(0);
  }

  /** What a node needs in its environment to see this time. */
  get environment(): Readonly<Record<string, string>> {
    return { NODE_OPTIONS: `--require "${PRELOADED}"`, TIME_SHIFT_FILE: this.file };
  }

  /** @param ms how far it is ahead of what is so; less than 0 where it is behind */
  shiftBy(ms: number): void {
    // Nodes read it at any moment, and never half of it.
    writeFileSync(`${this.file}.new`, String(ms));
    renameSync(`${this.file}.new`, this.file);
  }
}
