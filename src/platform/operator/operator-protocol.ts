import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { Progress } from './operator-command';

/** A request: one line of JSON, the first of its connection. */
export interface OperatorRequest {
  readonly command: string;
  readonly input: object;
  /** The database that is meant, if the other side was told: see {@link databaseMark}. */
  readonly database: string | null;
}

/** A line of the answer: the progress, and at the end the result. */
export type OperatorAnswer =
  { readonly progress: Progress } | { readonly result: object } | { readonly error: string };

/** Requests contain names, addresses and passwords. */
const LONGEST_LINE = 100_000;

/** Writes one line of JSON; nothing happens where the other side has gone. */
export function sendLine(socket: Socket, content: OperatorRequest | OperatorAnswer): void {
  if (socket.writable) socket.write(`${JSON.stringify(content)}\n`);
}

/** The lines that arrive, until the other side ends. */
export async function* linesOf(socket: Socket): AsyncGenerator<string> {
  for await (const line of createInterface({ input: socket, crlfDelay: Infinity })) yield line;
}

/** Tells databases apart without naming them; null for the one in the data folder. */
export function databaseMark(databaseUrl: string | null): string | null {
  return databaseUrl === null ? null : createHash('sha256').update(databaseUrl).digest('hex');
}

/** The first line; null if the other side ends before, or sends more than any request has. */
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
