import type { Duplex } from 'node:stream';
import type { PoolClient, QueryResult, Submittable } from 'pg';
import { QueryFailedError } from 'typeorm';
import { NumberList } from '../query-runner';
import { pg } from './postgres-hosts';

/** How to decode a column. */
interface Column {
  readonly name: string;
  readonly parse: (text: string) => unknown;
}

/** The part of a connection that pg uses for its own statements. */
interface Wire {
  /** Texts of statements by name: those that PostgreSQL has prepared, and those being sent. */
  readonly parsedStatements: Record<string, string>;
  readonly submittedNamedStatements: Record<string, string>;
  readonly stream: Pick<Duplex, 'cork' | 'uncork'>;
  _send(bytes: Buffer): void;
  parse(statement: { text: string; name: string | undefined }): void;
  query(text: string): void;
}

/** Columns of the statements prepared on a connection. They are fixed: PostgreSQL refuses to change the result type. */
const described = new WeakMap<Wire, Map<string, readonly Column[]>>();

/**
 * A statement in the PostgreSQL protocol. pg's own class is an event emitter that copies its configuration, keeps a
 * result with counts and fields, requests the columns of a prepared statement each time, and sends it in four parts.
 * All this is half of the driver's cost.
 */
export class LeanStatement {
  /** Called at the end by all methods that begin with `handle`. pg replaces it to cancel its `query_timeout`. */
  callback: (error?: Error) => void = ignore;
  private readonly rowsSoFar: object[] = [];
  private columns: readonly Column[] | undefined;
  private unreadable: Error | undefined;
  private resolve!: (rows: object[]) => void;
  private reject!: (error: QueryFailedError) => void;

  /** @param name of the prepared statement on the connection, if prepared */
  constructor(
    private readonly client: PoolClient,
    readonly text: string,
    readonly values: readonly unknown[] = [],
    readonly name?: string,
  ) {}

  /**
   * @returns the rows, once PostgreSQL has sent them all
   * @throws {QueryFailedError} as TypeORM does, so that the log shows the statement
   */
  send(): Promise<object[]> {
    adopt();
    return new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
      this.client.query(this as unknown as Submittable);
    });
  }

  /** A text without values may contain several statements. */
  submit(wire: Wire): Error | null {
    const { name, text, values } = this;
    if (name === undefined && values.length === 0) {
      wire.query(text);
      return null;
    }
    let bound: Buffer;
    const isKnown =
      name !== undefined &&
      (wire.parsedStatements[name] !== undefined || wire.submittedNamedStatements[name] !== undefined);
    if (isKnown) this.columns = described.get(wire)?.get(name);
    try {
      bound = boundStatement(name ?? '', values, this.columns === undefined);
    } catch (error) {
      return error as Error;
    }
    wire.stream.cork();
    if (!isKnown) wire.parse({ text, name });
    if (name !== undefined && !isKnown) wire.submittedNamedStatements[name] = text;
    wire._send(bound);
    wire.stream.uncork();
    return null;
  }

  handleRowDescription({ fields }: Pick<QueryResult, 'fields'>): void {
    this.columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: this.client.getTypeParser(dataTypeID, 'text') as Column['parse'],
    }));
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const row: Record<string, unknown> = {};
    try {
      const columns = this.columns as readonly Column[];
      // A plain loop: lists have thousands of rows.
      for (let at = 0; at < columns.length; at++) {
        const { name, parse } = columns[at] as Column;
        const text = fields[at];
        row[name] = text == null ? null : parse(text);
      }
    } catch (error) {
      this.unreadable ??= error as Error;
    }
    this.rowsSoFar.push(row);
  }

  handleCommandComplete(): void {}

  handleError(error: Error): void {
    this.reject(new QueryFailedError(this.text, [...this.values], error));
    this.callback(error);
  }

  handleReadyForQuery(wire: Wire): void {
    if (this.unreadable) return this.handleError(this.unreadable);
    if (this.name !== undefined) {
      const known = described.get(wire) ?? new Map<string, readonly Column[]>();
      if (known.size === 0) described.set(wire, known);
      if (!known.has(this.name)) known.set(this.name, this.columns ?? []);
    }
    this.resolve(this.rowsSoFar);
    this.callback();
  }
}

function ignore(): void {}

/** Connections that pipeline accept only statements that are instances of pg's class. */
function adopt(): void {
  const { prototype } = LeanStatement;
  const { Query } = pg();
  if (!(prototype instanceof Query)) Object.setPrototypeOf(prototype, Query.prototype as object);
}

/** "Describe the portal", which answers with the columns. */
const DESCRIBE = Buffer.from('D\0\0\0\x06P\0', 'latin1');
/** "Execute the portal" without a row limit, and "sync", which ends the statement. */
const EXECUTE = Buffer.from('E\0\0\0\x09\0\0\0\0\0S\0\0\0\x04', 'latin1');

/**
 * The messages that bind a prepared statement to its values and execute it.
 * @param name empty for the statement parsed last
 */
function boundStatement(name: string, values: readonly unknown[], describes: boolean): Buffer {
  const parts = values.map(encoded);
  // Portal, statement, and three counts; for each value its format and length.
  let length = 4 + 1 + name.length + 1 + 3 * 2;
  for (const part of parts)
    length += 2 + 4 + (typeof part === 'string' ? Buffer.byteLength(part) : (part?.length ?? 0));
  const bytes = Buffer.allocUnsafe(1 + length + (describes ? DESCRIBE.length : 0) + EXECUTE.length);
  let at = bytes.writeUInt8(0x42);
  at = bytes.writeInt32BE(length, at);
  at = bytes.writeUInt8(0, at);
  at += bytes.write(name, at, 'latin1');
  at = bytes.writeUInt8(0, at);
  at = bytes.writeUInt16BE(parts.length, at);
  for (const part of parts) at = bytes.writeUInt16BE(typeof part === 'object' && part ? 1 : 0, at);
  at = bytes.writeUInt16BE(parts.length, at);
  for (const part of parts) {
    if (part === null) {
      at = bytes.writeInt32BE(-1, at);
      continue;
    }
    const written = typeof part === 'string' ? bytes.write(part, at + 4) : part.copy(bytes, at + 4);
    at = bytes.writeInt32BE(written, at) + written;
  }
  // All columns are requested as text.
  at = bytes.writeUInt16BE(0, at);
  if (describes) at += DESCRIBE.copy(bytes, at);
  EXECUTE.copy(bytes, at);
  return bytes;
}

/** Encodes a value for PostgreSQL: bytes unchanged, everything else as text. */
function encoded(value: unknown): string | Buffer | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value === undefined) return null;
  if (value === null || Buffer.isBuffer(value)) return value;
  if (value instanceof NumberList) return value.toPostgres();
  if (Array.isArray(value)) return `{${value.map(quoted).join()}}`;
  throw new TypeError('A value of a statement is neither text, number, truth value, bytes nor a list.');
}

function quoted(item: unknown): string {
  return `"${String(item).replace(/["\\]/g, '\\$&')}"`;
}
