/** Codes for a full disk or an exhausted quota, from the system and the databases. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', '53100']);

/** Codes of failing or broken connections, and of servers that stop, start, or accept no more connections. */
const AWAY =
  /^(E(CONN(REFUSED|RESET|ABORTED)|PIPE|TIMEDOUT|HOST(UNREACH|DOWN)|NETUNREACH|NOTFOUND)|EAI_AGAIN|08...|57P0\d|53300|55000|3D000|25006|SQLITE_(BUSY|IOERR|CANTOPEN|READONLY|PROTOCOL).*)$/;

/** Messages of the PostgreSQL client without a code. */
const AWAY_WORDS =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout|Client was closed)/;

/** Properties of an error that identify its cause. */
interface Told {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly code?: unknown;
  readonly driverError?: unknown;
  readonly cause?: unknown;
}

/** PostgreSQL's code for a statement that it canceled because of a timeout. */
const CANCELED = '57014';

/** Whether the error, or any of its causes, is a statement timeout. */
export function isTimedOut(error: unknown): boolean {
  return hasReason(error, ({ code }) => code === CANCELED);
}

/** Whether the error, or any of its causes, is a full disk. */
export function isDiskFull(error: unknown): boolean {
  return hasReason(error, ({ code }) => typeof code === 'string' && FULL.has(code));
}

/** Whether the error, or any of its causes, is an unavailable database. */
export function isDatabaseUnreachable(error: unknown): boolean {
  return hasReason(
    error,
    ({ name, message, code }) =>
      (typeof code === 'string' && AWAY.test(code)) ||
      (typeof message === 'string' && AWAY_WORDS.test(message)) ||
      name === 'TransactionTimedOut',
  );
}

function hasReason(error: unknown, matches: (told: Told) => boolean): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const told = error as Told;
  return matches(told) || hasReason(told.driverError, matches) || hasReason(told.cause, matches);
}
