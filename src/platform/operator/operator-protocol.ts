import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CommandRefused, type Progress } from './operator-commands';
import { StartRefused } from '../config/start-refused';
import { ApiError } from '../errors/api-error';
import { isDiskFull } from '../errors/outages';

/** A request: one line of JSON, the first of its connection. */
export interface OperatorRequest {
  readonly command: string;
  readonly input: object;
  /** The expected database, if known to the client: see {@link databaseMark}. */
  readonly database: string | null;
}

/** A line of the answer: progress reports, and at the end the result. */
export type OperatorAnswer =
  { readonly progress: Progress } | { readonly result: object } | { readonly error: string };

/** Requests contain names, addresses and passwords. */
const LONGEST_LINE = 100_000;

/** Writes one line of JSON; does nothing if the other side has disconnected. */
export function sendLine(socket: Socket, content: OperatorRequest | OperatorAnswer): void {
  if (socket.writable) socket.write(`${JSON.stringify(content)}\n`);
}

/** The lines that arrive, until the other side ends. */
export async function* linesOf(socket: Socket): AsyncGenerator<string> {
  for await (const line of createInterface({ input: socket, crlfDelay: Infinity })) yield line;
}

/** Identifies a database without naming it; null for the one in the data folder. */
export function databaseMark(databaseUrl: string | null): string | null {
  return databaseUrl === null ? null : createHash('sha256').update(databaseUrl).digest('hex');
}

/** The first line; null if the connection ends before it, or the line is too long for a request. */
export function firstLine(socket: Socket): Promise<string | null> {
  return new Promise((resolve) => {
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      text += chunk;
      const end = text.indexOf('\n');
      if (end !== -1) resolve(text.slice(0, end));
      else if (text.length > LONGEST_LINE) resolve(null);
    });
    socket.on('close', () => resolve(null));
  });
}

/** Maximum length of the path of a local socket. */
const LONGEST_PATH = process.platform === 'linux' ? 107 : 103;

/** Folder of the socket in the data folder, accessible to the user of the server only. */
export function socketFolder(dataDir: string): string {
  return join(dataDir, 'run');
}

/** An address of the socket that the system accepts. */
export interface SocketAddress {
  readonly path: string;
  /** Call this when the socket is no longer needed. */
  release(): void;
}

/**
 * The address of the socket in a folder. On Linux, a path that is too long is replaced by one through the open folder.
 * @returns null if there is no such folder, or no usable path
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

/** The report of a failed command. */
interface CommandFailure {
  readonly message: string;
  /** Whether the failure is unexpected, so that its stack is useful. */
  readonly isSurprise: boolean;
}

/** Explains a failure; for our own errors, the message alone. */
export function explainCommandFailure(error: unknown): CommandFailure {
  if (error instanceof ApiError) return { message: error.advisedMessage, isSurprise: false };
  if (error instanceof CommandRefused || error instanceof StartRefused) {
    return { message: error.message, isSurprise: false };
  }
  if (error instanceof Error && error.name === 'AbortError') {
    return { message: 'Stopped before completion.', isSurprise: false };
  }
  const sentence = error instanceof Error ? systemSentence(error) : undefined;
  if (sentence !== undefined) return { message: sentence, isSurprise: false };
  const { message = String(error), code } = error as { message?: string; code?: unknown };
  const isOfSystem = error instanceof Error && 'syscall' in error && typeof code === 'string';
  return { message: isOfSystem ? message : `Unexpected error: ${message}`, isSurprise: true };
}

/** Advice for an error of the system or the database. */
function systemSentence(error: NodeJS.ErrnoException): string | undefined {
  if (isDiskFull(error)) return 'The disk is full. Free some space and try again.';
  const { path = 'a file', code } = error;
  switch (code) {
    case 'ENOENT':
      return `${path} does not exist, or nothing can be created there.`;
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `This user cannot read or write ${path} (${code}). Run this as the user of the server, or choose another location.`;
    case 'EMFILE':
    case 'ENFILE':
      return `Too many open files (${code}). Raise the limit, for example with "ulimit -n".`;
    default:
      return undefined;
  }
}
