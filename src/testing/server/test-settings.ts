import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../platform/config/config';
import { loadConfig } from '../../platform/config/load-config';

/** In the source, so it guards nothing: that is why every key of a test server is the same every time. */
const SECRET = 'known to everybody, for test servers only';

export const DOMAIN = 'example.com';
/** The owner, whom the first start makes. */
export const OWNER_EMAIL = `olivia@${DOMAIN}`;
export const PASSWORD = 'test';

/** A test server is for the machine that it runs on. */
export const LOOPBACK = '127.0.0.1';

/**
 * Ignores the environment: a test server touches no real data, and is the same everywhere.
 * @param modules as `PARLEY_MODULES` names them
 */
export function testConfig(folder: string, port: number, modules: readonly string[] = []): Config {
  return loadConfig({
    HOST: LOOPBACK,
    PORT: String(port),
    EXTERNAL_URL: `http://${LOOPBACK}:${port}`,
    DATA_DIR: folder,
    SECRET_KEY: SECRET,
    PARLEY_MODULES: modules.join(','),
    SERVER_MODE: 'development',
    ORGANIZATION_NAME: 'Test',
    OWNER_EMAIL,
    // The first start, which comes before passwords are free, refuses what is easy to guess; it is replaced.
    OWNER_PASSWORD: 'a plain lantern at noon',
    EMAIL_DOMAIN: DOMAIN,
    RATE_LIMIT_PER_MINUTE: '0',
    LOGIN_RATE_LIMIT_MAX_ATTEMPTS: '1000000',
    // Nothing has to survive a power cut.
    SQLITE_SYNCHRONOUS: 'normal',
    OUTGOING_WEBHOOKS_PRIVATE_NETWORKS: '127.0.0.0/8,::1/128',
    LOG_LEVEL: 'error',
  });
}

const NAME = 'parley-test';

/**
 * A folder for what happens to one server: in memory where the system has a place for that, or else among temporary files.
 * Those of servers that were killed go, since they could not remove their own.
 */
export function makeMemoryFolder(place = memoryPlace()): string {
  removeAbandoned(place);
  return mkdtempSync(join(place, `${NAME}-${processSpace()}-${process.pid}-`));
}

function memoryPlace(): string {
  return process.platform === 'linux' && existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
}

function removeAbandoned(place: string): void {
  for (const name of readdirSync(place)) {
    const [, space, pid] = new RegExp(`^${NAME}-(\\d+)-(\\d+)-\\w+$`).exec(name) ?? [];
    if (space !== processSpace() || isAlive(Number(pid))) continue;
    try {
      rmSync(join(place, name), { recursive: true, force: true });
    } catch {
      // It belongs to another user.
    }
  }
}

/** Containers may share the place, and a number means another process in each of them. */
function processSpace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
  } catch {
    return '0';
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Processes of others are there as well.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
