import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { stateOfProgram, tidyKept, writeKept } from '../../platform/lifecycle/kept-code';

/** The cache is in a folder where only the user can write. */
export const KEPT_FOLDER = join(homedir(), '.cache', 'parley', 'test-server');

/** A cached, initialized database with the cast, reused while the program is unchanged. */
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
   * @returns short names and addresses, and the path of the cached file; null if there is none
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

  /** Caches a copy for later starts; if that fails, they create it again. */
  keep(copy: string, names: readonly [string, string][]): void {
    try {
      tidyKept(this.folder);
      writeKept(this.database, (draft) => copyFileSync(copy, draft));
      // Written last, because it is checked first.
      writeKept(this.names, (draft) => writeFileSync(draft, JSON.stringify(names)));
    } catch {
      // Without the cache, starts are merely slower.
    }
  }
}
