import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import type { UnpackLimits, UnpackProgress } from '../../../../platform/archives/unpack-quota';
import { CommandRefused, type OperatorContext } from '../../../../platform/operator/operator-command';

type Unpack = (
  archive: string,
  target: string,
  limits: UnpackLimits,
  progress: UnpackProgress,
) => Promise<void>;

/** Folder for the temporary files of an import. */
export class Scratch {
  private constructor(private readonly root: string) {}

  /** Creates the folder, without leftovers of an interrupted import. */
  static async of(dataDir: string): Promise<Scratch> {
    const root = join(dataDir, 'import-unpacked');
    await fs.rm(root, { recursive: true, force: true });
    await fs.mkdir(root, { mode: 0o700 });
    return new Scratch(root);
  }

  /** Creates a subfolder. */
  async folder(name: string): Promise<string> {
    const path = join(this.root, name);
    await fs.mkdir(path, { mode: 0o700 });
    return path;
  }

  /**
   * The folder that an archive is unpacked into, or the one that it is already.
   * @throws CommandRefused, ArchiveRefused
   */
  async unpacked(
    path: string,
    unpack: Unpack,
    limits: UnpackLimits,
    { signal, report }: OperatorContext,
  ): Promise<string> {
    const stats = await fs.stat(path).catch(() => null);
    if (stats === null) throw new CommandRefused(`${path} does not exist, or the server cannot read it.`);
    if (stats.isDirectory()) return path;
    const target = await this.folder('archive');
    await unpack(path, target, limits, {
      signal,
      report: (progress) => report({ ...progress, what: 'unpacking' }),
    });
    return target;
  }

  async remove(): Promise<void> {
    await fs.rm(this.root, { recursive: true, force: true });
  }
}
