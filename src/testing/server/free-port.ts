import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { LOOPBACK } from './test-settings';

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, LOOPBACK);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
