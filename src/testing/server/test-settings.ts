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
