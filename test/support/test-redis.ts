import { once } from 'node:events';
import { connect } from 'node:net';
import { Line } from './line';

const url = new URL(process.env.TEST_REDIS_URL || 'redis://127.0.0.1:6379');
const port = Number(url.port || 6379);

/** Whether the tests' Redis is available: what they store in it expires, under separate keys for each database. */
export async function hasRedis(): Promise<boolean> {
  const socket = connect(port, url.hostname);
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(1_000) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** A proxied connection to the tests' Redis that can be cut and restored. */
export const openRedisLine = (): Promise<Line> => Line.open(url.href, 6379);
