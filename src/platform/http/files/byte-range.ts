/** A range of a file, both ends included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Reads a `Range` header. One that is malformed, uses another unit or asks for several ranges counts as absent, as RFC
 * 9110 allows: the answer is then the whole file.
 * @returns null for the whole file
 */
export function parseByteRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const [, first, last] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '') ?? [];
  if (!first && !last) return null;
  const start = first ? Number(first) : Math.max(size - Number(last), 0);
  const end = first && last ? Number(last) : size - 1;
  if (first && last && start > end) return null;
  return start < size ? { start, end: Math.min(end, size - 1) } : 'unsatisfiable';
}
