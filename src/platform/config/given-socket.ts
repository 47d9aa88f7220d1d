import type { Config } from './config';
import { environment } from './load-config';
import { StartRefused } from './start-refused';

/** File descriptor of the first socket that systemd passes. */
const FIRST_DESCRIPTOR = 3;

/**
 * The descriptor of a socket that systemd listens on for this server (socket activation). It outlives the process:
 * connections during a restart wait for the next one.
 * @param pid of the process that systemd started
 * @returns null if there is none, or it is meant for another process
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

/**
 * Refuses development mode on a systemd socket, which may listen on any address, unless it is allowed on any address.
 * @throws {StartRefused}
 */
export function refuseDevelopmentOnSocket(config: Config): void {
  if (!config.isDevelopment || config.allowDevelopmentOnAnyAddress) return;
  throw new StartRefused(
    'SERVER_MODE is "development", which gives every API key to anyone who asks, and systemd holds the port: ' +
      'start without parley.socket, or set ALLOW_DEVELOPMENT_ON_ANY_ADDRESS to true.',
  );
}

/** The error for a descriptor that cannot be listened on. */
export function explainSocketFailure(error: unknown): StartRefused {
  const { code = String(error) } = error as NodeJS.ErrnoException;
  return new StartRefused(
    `LISTEN_FDS is set, but descriptor ${FIRST_DESCRIPTOR} is no socket to listen on (${code}). Unset it, or start by systemd.`,
  );
}
