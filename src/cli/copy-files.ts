import { pipeline } from 'node:stream/promises';
import type { Config } from '../platform/config/config';
import { storageOf } from '../platform/files/file-store';
import { CommandRefused, type OperatorContext } from '../platform/operator/operator-commands';

/** Numbers of copied files, and of those that already existed. */
export interface CopiedFiles {
  readonly copied: number;
  readonly kept: number;
  readonly bytes: number;
}

/** Number of concurrent transfers. */
const AT_ONCE = 4;

/**
 * Copies all files between the folder and the bucket of FILES_URL, even while the server runs. Files that already exist
 * in full length are skipped, so that it can be interrupted and repeated. Nothing is deleted.
 * @throws CommandRefused, FileStorageUnreachable
 */
export async function copyFiles(
  to: 'bucket' | 'folder',
  config: Config,
  { signal, report }: OperatorContext,
): Promise<CopiedFiles> {
  if (config.filesUrl === null) throw new CommandRefused('Set FILES_URL to the address of the bucket.');
  const [bucket, folder] = [storageOf(config), storageOf({ ...config, filesUrl: null })];
  const [source, target] = to === 'bucket' ? [folder, bucket] : [bucket, folder];
  const paths = await source.paths();
  const there = new Set(await target.paths());
  const left = paths.entries();
  let [copied, bytes, done] = [0, 0, 0];
  const copyNext = async () => {
    for (const [, path] of left) {
      signal.throwIfAborted();
      const size = await source.sizeOf(path);
      const isThere = size !== null && there.has(path) && (await target.sizeOf(path)) === size;
      const file = isThere ? null : await source.open(path);
      if (file) {
        await target.write(path, (sink) => pipeline(file.content, sink, { signal }));
        copied++;
        bytes += file.size;
      }
      report({ done: ++done, total: paths.length, what: 'files' });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, copyNext));
  return { copied, kept: paths.length - copied, bytes };
}
