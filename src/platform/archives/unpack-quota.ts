import { ArchiveRefused } from './archive-refused';

/** Limits of an archive. */
export interface UnpackLimits {
  readonly entries: number;
  /** Total size of all files in bytes. */
  readonly bytes: number;
}

/** Progress and cancellation of unpacking. */
export interface UnpackProgress {
  readonly signal: AbortSignal;
  /** In bytes of the compressed file. */
  readonly report: (progress: { readonly done: number; readonly total: number }) => void;
}

/** Maximum compression ratio. DEFLATE reaches 1,032; real archives stay far below this. */
const MOST_COMPRESSED = 400;

/** The ratio is not checked below this number of bytes. */
const FREE_BYTES = 256 * 1024 ** 2;

/** Enforces the limits while unpacking. */
export class UnpackQuota {
  private entries = 0;
  private bytes = 0;

  /** @param compressed number of compressed bytes read so far */
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
      throw new ArchiveRefused(path, 'Suspiciously high compression ratio.');
  }
}
