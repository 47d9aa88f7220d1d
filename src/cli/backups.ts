import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import {
  BackupFolder,
  type BackupManifest,
  copyContent,
  flush,
  MANIFEST,
  MAX_MANIFEST_BYTES,
  parseManifest,
  requireSaved,
} from '../features/operations/operations.module';
import type { Config } from '../platform/config/config';
import { bucketAddress } from '../platform/config/server-addresses';
import { BucketStorage } from '../platform/files/bucket-storage';
import { CommandRefused, type OperatorContext } from '../platform/operator/operator-commands';

/** An uploaded backup, and until when nobody can delete it. */
export interface SentBackup {
  readonly name: string;
  readonly files: number;
  readonly heldUntil: string | null;
}

/** A downloaded backup. */
export interface FetchedBackup {
  readonly folder: string;
  readonly files: number;
}

/** Below the data folder: incomplete downloads. */
const DRAFTS = 'drafts';

/**
 * Uploads a backup to the bucket, its manifest last: without it, nothing counts as a backup there. Nothing is replaced
 * or deleted, so a key without the right to delete is sufficient.
 * @throws CommandRefused, FileStorageUnreachable
 */
export async function sendBackup(
  folder: string,
  config: Config,
  { signal, report }: OperatorContext,
): Promise<SentBackup> {
  const bucket = bucketOf(config);
  const backup = await BackupFolder.open(resolve(folder));
  const { files, hasSecret } = backup.manifest;
  if (hasSecret) throw new CommandRefused('Send a backup without the secret: nobody could delete it there.');
  const name = nameOf(backup.manifest);
  if ((await bucket.sizeOf(`${name}/${MANIFEST}`)) !== null)
    throw new CommandRefused(`The bucket has ${name} already.`);
  for (const [at, file] of files.entries()) {
    signal.throwIfAborted();
    await bucket.write(`${name}/${file.path}`, (sink) => backup.pass(file, sink, signal));
    report({ done: at + 1, total: files.length, what: 'files' });
  }
  await bucket.write(`${name}/${MANIFEST}`, (sink) => pipeline([textOf(backup.manifest)], sink));
  const held = await bucket.heldUntil(`${name}/${MANIFEST}`);
  if (held === null && config.backupLockDays > 0) {
    throw new CommandRefused(
      `The bucket has ${name}, but anyone with the right to delete can delete it. Use a bucket with object lock.`,
    );
  }
  return { name, files: files.length, heldUntil: held?.toISOString() ?? null };
}

/** The names of the backups in the bucket, oldest first. @throws CommandRefused, FileStorageUnreachable */
export async function listBackups(config: Config): Promise<string[]> {
  const paths = await bucketOf(config).paths();
  return paths
    .map((path) => path.split('/'))
    .filter(([, file, ...rest]) => file === MANIFEST && rest.length === 0)
    .map(([name = '']) => name);
}

/**
 * Downloads a backup into a new folder, which appears once every file is complete and matches its checksum.
 * @throws CommandRefused, FileStorageUnreachable
 */
export async function fetchBackup(
  name: string,
  folder: string,
  config: Config,
  { signal, report }: OperatorContext,
): Promise<FetchedBackup> {
  const bucket = bucketOf(config);
  const target = resolve(folder);
  const isTaken = await fs.lstat(target).then(
    () => true,
    () => false,
  );
  if (isTaken) throw new CommandRefused(`${target} already exists. Choose a new folder.`);
  const manifest = await manifestOf(bucket, name);
  const { files } = manifest;
  const draft = `${target}.${randomBytes(6).toString('hex')}.part`;
  try {
    for (const [at, file] of files.entries()) {
      const stored = await bucket.open(`${name}/${file.path}`);
      if (stored === null) throw new CommandRefused(`The bucket lacks ${file.path} of ${name}.`);
      requireSaved(file, await copyContent(stored.content, join(draft, file.path), signal));
      report({ done: at + 1, total: files.length, what: 'files' });
    }
    await fs.writeFile(join(draft, MANIFEST), textOf(manifest), { flag: 'wx', mode: 0o600, flush: true });
    await fs.rename(draft, target);
    await flush(dirname(target));
  } finally {
    await fs.rm(draft, { recursive: true, force: true });
  }
  return { folder: target, files: files.length };
}

async function manifestOf(bucket: BucketStorage, name: string): Promise<BackupManifest> {
  const isName = /^[\w.:-]+$/.test(name);
  const stored = isName ? await bucket.open(`${name}/${MANIFEST}`) : null;
  if (stored === null)
    throw new CommandRefused(`The bucket has no backup ${name}. "parley backups list" lists them.`);
  const isFit = stored.size <= MAX_MANIFEST_BYTES;
  if (!isFit) stored.content.destroy();
  const manifest = isFit ? parseManifest(await text(stored.content)) : null;
  if (manifest === null) throw new CommandRefused(`The manifest of ${name} is damaged. Use another backup.`);
  return manifest;
}

function bucketOf({ backupUrl, backupLockDays, dataDir }: Config): BucketStorage {
  const address = backupUrl === null ? undefined : bucketAddress(backupUrl);
  if (address === undefined) throw new CommandRefused('Set BACKUP_URL to the address of a bucket.');
  return new BucketStorage(address, join(dataDir, DRAFTS), backupLockDays);
}

const textOf = (manifest: BackupManifest) => `${JSON.stringify(manifest, null, 2)}\n`;

/** Based on the time of the backup, so that names sort by age and are unique. */
function nameOf({ createdAt }: BackupManifest): string {
  return new Date(createdAt).toISOString().replaceAll(':', '').replace('.', '-');
}
