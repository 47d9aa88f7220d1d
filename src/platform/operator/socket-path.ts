import * as fs from 'node:fs';
import { join } from 'node:path';

/** What the system has room for in the address of a local socket. */
const LONGEST_PATH = process.platform === 'linux' ? 107 : 103;

/** Folder of the socket in the data folder, accessible to the user of the server only. */
export function socketFolder(dataDir: string): string {
  return join(dataDir, 'run');
}

/** An address of the socket that the system accepts. */
export interface SocketAddress {
  readonly path: string;
  /** To be called when the socket is no longer needed. */
  release(): void;
}

/**
 * The address of the socket in a folder. On Linux a path that is too long is shortened by way of the open folder.
 * @returns null if there is no such folder, or no way to name it
 */
export function socketAddress(dataDir: string): SocketAddress | null {
  const folder = socketFolder(dataDir);
  const path = join(folder, 'parley.sock');
  if (!fs.existsSync(folder)) return null;
  if (Buffer.byteLength(path) <= LONGEST_PATH) return { path, release: () => undefined };
  if (process.platform !== 'linux') return null;
  const handle = fs.openSync(folder, 'r');
  return { path: `/proc/self/fd/${handle}/parley.sock`, release: () => fs.closeSync(handle) };
}
