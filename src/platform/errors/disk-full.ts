/** Codes with which the system and the databases say that a disk, or a share of it, is full. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', '53100']);

/** What an error may tell of its reason. */
interface Told {
  readonly code?: unknown;
  readonly driverError?: unknown;
  readonly cause?: unknown;
}

/** Whether the reason of an error, or the reason of that, is that a disk is full. */
export function isDiskFull(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, driverError, cause } = error as Told;
  return (typeof code === 'string' && FULL.has(code)) || isDiskFull(driverError) || isDiskFull(cause);
}
