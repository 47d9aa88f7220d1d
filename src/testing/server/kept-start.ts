import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { stateOfProgram, tidyKept, writeKept } from '../../platform/lifecycle/kept-code';

/** What is kept between starts lies where only the user can write. */
export const KEPT_FOLDER = join(homedir(), '.cache', 'parley', 'test-server');

/**
 * An initialised database with the cast in it, kept between starts, so that nothing is made anew while the program is the
 * same.
 */
export class KeptStart {
  private readonly database: string;
  private readonly names: string;

  constructor(private readonly folder = KEPT_FOLDER) {
    const state = stateOfProgram();
    this.database = join(this.folder, `${state}.db`);
    this.names = join(this.folder, `${state}.json`);
  }

  /**
   * Copies it into a data folder.
   * @returns short names and addresses, and where it was copied from; null where none is kept
   */
  fill(dataDir: string): { readonly file: string; readonly names: [string, string][] } | null {
    try {
      const names = JSON.parse(readFileSync(this.names, 'utf8')) as [string, string][];
      copyFileSync(this.database, join(dataDir, 'parley.db'));
      return { file: this.database, names };
    } catch {
      return null;
    }
  }

  /** Keeps a copy for later starts; where that is not possible, they make it anew. */
  keep(copy: string, names: readonly [string, string][]): void {
    try {
      tidyKept(this.folder);
      writeKept(this.database, (draft) => copyFileSync(copy, draft));
      // Last, since it is looked for first.
      writeKept(this.names, (draft) => writeFileSync(draft, JSON.stringify(names)));
    } catch {
      // Nothing is lost but time.
    }
  }
}
