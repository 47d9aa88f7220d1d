import { environment } from './load-config';
import { StartRefused } from './start-refused';

/** Where systemd puts the first socket that it hands over. */
const FIRST_DESCRIPTOR = 3;

/**
 * The descriptor of a socket that systemd listens on for this server (socket activation). It outlives the process: what
 * connects during a restart waits for the next one.
 * @param pid of the process that systemd started
 * @returns null where there is none, or it is meant for another process
 * @throws {StartRefused}
 */
export function givenSocket(pid: number): number | null {
  const { LISTEN_FDS: count = '0', LISTEN_PID: owner } = environment();
  if (Number(owner) !== pid || count === '0') return null;
  if (count === '1') return FIRST_DESCRIPTOR;
  throw new StartRefused(
    `LISTEN_FDS is "${count}", but the server takes one socket. Keep one ListenStream in parley.socket.`,
  );
}

/** What to say where the descriptor cannot be listened on. */
export function explainSocketFailure(error: unknown): StartRefused {
  const { code = String(error) } = error as NodeJS.ErrnoException;
  return new StartRefused(
    `LISTEN_FDS is set, but descriptor ${FIRST_DESCRIPTOR} is no socket to listen on (${code}). Unset it, or start by systemd.`,
  );
}
