import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { ArchiveFolder } from '../../../platform/archives/archive-folder';
import { CommandRefused } from '../../../platform/operator/operator-command';
import type { FilePlace } from './converted-archive';

/** Most files that are looked at in one folder. */
const MOST = 5_000_000;

/** The regular files below a folder, by their paths and names. Links are not followed. */
export class FileIndex {
  private readonly names = new Map<string, string>();

  private constructor(
    readonly folder: ArchiveFolder,
    /** Sorted. */
    readonly paths: readonly string[],
  ) {
    for (const path of paths) this.names.set(path.slice(path.lastIndexOf('/') + 1), path);
  }

  /** @param folder null for none @throws CommandRefused */
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

  byName(name: string): FilePlace | null {
    const path = this.names.get(name);
    return path === undefined ? null : { folder: this.folder, path };
  }

  /** Files by the first part of their paths that has a form, such as an ID. */
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
