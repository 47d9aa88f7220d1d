import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { ArchiveFolder } from '../../../../platform/archives/archive-folder';
import { CommandRefused } from '../../../../platform/operator/operator-commands';
import type { FilePlace } from './converted-archive';

/** Maximum number of files in a folder. */
const MOST = 5_000_000;

/** Index of the regular files below a folder. Symbolic links are not followed. */
export class FileIndex {
  private readonly names = new Map<string, string>();
  private readonly known: ReadonlySet<string>;

  private constructor(
    readonly folder: ArchiveFolder,
    /** Sorted. */
    readonly paths: readonly string[],
  ) {
    this.known = new Set(paths);
    for (const path of paths) this.names.set(path.slice(path.lastIndexOf('/') + 1), path);
  }

  /**
   * @param folder null for an empty index
   * @throws CommandRefused
   */
  static async of(folder: string | null): Promise<FileIndex> {
    const paths: string[] = [];
    const waiting = folder === null ? [] : [''];
    for (;;) {
      const inside = waiting.pop();
      if (inside === undefined) break;
      const entries = await fs.readdir(join(folder ?? '', inside), { withFileTypes: true }).catch(() => null);
      if (entries === null)
        throw new CommandRefused(`${join(folder ?? '', inside)} is no folder, or the server cannot read it.`);
      for (const entry of entries) {
        const path = inside === '' ? entry.name : `${inside}/${entry.name}`;
        if (entry.isDirectory()) waiting.push(path);
        else if (entry.isFile()) paths.push(path);
        if (paths.length + waiting.length > MOST)
          throw new CommandRefused(`${folder} has more than ${MOST} files.`);
      }
    }
    return new FileIndex(new ArchiveFolder(folder ?? '/'), paths.sort());
  }

  /** Finds a file by its path; null if the folder lacks it or the path leads out of the folder. */
  byPath(path: string): FilePlace | null {
    return this.known.has(path) ? { folder: this.folder, path } : null;
  }

  byName(name: string): FilePlace | null {
    const path = this.names.get(name);
    return path === undefined ? null : { folder: this.folder, path };
  }

  /** Indexes files by the first part of the path that matches a pattern, such as an ID. */
  byPart(form: RegExp): Map<string, FilePlace> {
    const found = new Map<string, FilePlace>();
    for (const path of this.paths) {
      for (const part of path.split('/')) {
        const id = form.exec(part)?.[1];
        if (id === undefined) continue;
        if (!found.has(id)) found.set(id, { folder: this.folder, path });
        break;
      }
    }
    return found;
  }
}
