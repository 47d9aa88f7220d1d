import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../platform/config/config';
import { loadConfig } from '../../platform/config/load-config';

/** Public, so it protects nothing: it makes every key of a test server the same every time. */
const SECRET = 'known to everybody, for test servers only';

export const DOMAIN = 'example.com';
/** The owner, whom the first start creates. */
export const OWNER_EMAIL = `olivia@${DOMAIN}`;
export const PASSWORD = 'test';

/** A test server is only for its own machine. */
export const LOOPBACK = '127.0.0.1';

/**
 * Ignores the environment: a test server touches no real data, and behaves the same everywhere.
 * @param modules as in `PARLEY_MODULES`
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
    // The first start refuses weak passwords; this one is replaced later.
    OWNER_PASSWORD: 'a plain lantern at noon',
    EMAIL_DOMAIN: DOMAIN,
    RATE_LIMIT_PER_MINUTE: '0',
    LOGIN_RATE_LIMIT_MAX_ATTEMPTS: '1000000',
    // Nothing needs to survive a power cut.
    SQLITE_SYNCHRONOUS: 'normal',
    OUTGOING_WEBHOOKS_PRIVATE_NETWORKS: '127.0.0.0/8,::1/128',
    LOG_LEVEL: 'error',
  });
}

const NAME = 'parley-test';

/**
 * A folder for the data of one server: in memory if the system supports it, otherwise among temporary files. Removes
 * those of killed servers, which could not remove their own.
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

/** Containers may share the location, and have separate process IDs. */
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
    // It also contains processes of other users.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
