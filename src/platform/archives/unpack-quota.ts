import { ArchiveRefused } from './archive-refused';

/** Most that an archive may hold. */
export interface UnpackLimits {
  readonly entries: number;
  /** Bytes of all files together. */
  readonly bytes: number;
}

/** How unpacking goes on, and how it is ended. */
export interface UnpackProgress {
  readonly signal: AbortSignal;
  /** Told in bytes of the compressed file. */
  readonly report: (progress: { readonly done: number; readonly total: number }) => void;
}

/** DEFLATE makes at most 1 of 1,032; what people write, and tables of it, never comes near this. */
const MOST_COMPRESSED = 400;

/** Bytes up to which compression does not matter. */
const FREE_BYTES = 256 * 1024 ** 2;

/** Counts what an archive has brought so far. */
export class UnpackQuota {
  private entries = 0;
  private bytes = 0;

  /** @param compressed how many bytes were read for it */
  constructor(
    private readonly limits: UnpackLimits,
    private readonly compressed: () => number,
  ) {}

  /** @throws ArchiveRefused */
  entry({ path, size }: { readonly path: string; readonly size: number }): void {
    if (++this.entries > this.limits.entries)
      throw new ArchiveRefused(path, `The archive has more than ${this.limits.entries} entries.`);
    if (this.bytes + size > this.limits.bytes)
      throw new ArchiveRefused(path, `The archive holds more than ${this.limits.bytes} bytes.`);
  }

  /** @throws ArchiveRefused */
  add(path: string, count: number): void {
    this.bytes += count;
    if (this.bytes > FREE_BYTES && this.bytes > this.compressed() * MOST_COMPRESSED)
      throw new ArchiveRefused(path, 'The archive unpacks to far more than what people write would.');
  }
}
