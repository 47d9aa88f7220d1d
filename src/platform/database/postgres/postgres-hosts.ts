import { Logger } from '@nestjs/common';
import type { Client } from 'pg';
import type { ProcessControl } from './silence-watch';
import { Rounds } from '../../rounds';

/** A server that does not answer within this time is skipped. */
const PATIENCE_MS = 3_000;

/** Maximum age of what is known about the servers. */
const KNOWN_FOR_MS = 1_000;

/**
 * None of the servers currently accepts writes. Its code is the one with which PostgreSQL itself refuses temporarily.
 */
class NoneWritable extends Error {
  readonly code = '57P03';

  constructor() {
    super('None of the servers in DATABASE_URL is reachable and accepts writes.');
    this.name = 'NoneWritable';
  }
}

/** The servers in `DATABASE_URL`, one of which accepts writes; a failover changes which one. */
export class PostgresHosts {
  private readonly logger = new Logger('PostgreSQL');
  private readonly rounds = new Rounds(() => this.look());
  private writable: string | undefined;
  private lookedAtMs = -Infinity;

  /** @param addresses one per server */
  constructor(readonly addresses: readonly string[]) {}

  /**
   * The address of the server that accepts writes.
   * @throws if none does
   */
  async choose(): Promise<string> {
    if (this.writable !== undefined && performance.now() - this.lookedAtMs < KNOWN_FOR_MS)
      return this.writable;
    return this.rounds.join();
  }

  /** Keeps the previous server while it accepts writes; there should never be two. */
  private async look(): Promise<string> {
    const answers = new Map(this.addresses.map((address) => [address, takesWrites(address)]));
    const before = this.writable;
    const chosen =
      before !== undefined && (await answers.get(before))
        ? before
        : await Promise.any([...answers].map(([address, answer]) => addressIf(address, answer))).catch(() => {
            throw new NoneWritable();
          });
    if (before !== undefined && chosen !== before) this.logger.warn(`Switched to ${new URL(chosen).host}.`);
    this.writable = chosen;
    this.lookedAtMs = performance.now();
    return chosen;
  }
}

async function addressIf(address: string, answer: Promise<boolean>): Promise<string> {
  if (await answer) return address;
  throw new NoneWritable();
}

async function takesWrites(address: string): Promise<boolean> {
  const client = new (pg().Client)({
    connectionString: address,
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
  });
  // The query below reports broken connections.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ transaction_read_only: string }>('SHOW transaction_read_only');
    return rows[0]?.transaction_read_only === 'off';
  } catch {
    return false;
  } finally {
    client.end().catch(() => undefined);
  }
}

/** A client for pools that connects to the server that accepts writes at that moment. */
export function clientOf(hosts: PostgresHosts): typeof Client {
  return class extends pg().Client {
    override connect(): Promise<Client>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<Client> | void {
      const connected = hosts.choose().then((address) => {
        const { hostname, port } = new URL(address);
        Object.assign(this, { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 5432) });
        return super.connect();
      });
      if (!callback) return connected;
      // As pg does: the callback gets the error, and nothing else.
      connected.then(() => (callback as () => void)(), callback);
    }
  };
}

/** Loaded here because an import would load it on SQLite too. */
export function pg(): typeof import('pg') {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- see above
  return require('pg') as typeof import('pg');
}

/** A server that does not answer within this time counts as silent. */
const QUERY_PATIENCE_MS = 5_000;

/** Queries PostgreSQL about its backend processes, on a new connection: all others may be stalled. */
export class PostgresProcesses implements ProcessControl {
  constructor(private readonly hosts: PostgresHosts) {}

  async working(processIds: readonly number[]): Promise<ReadonlySet<number> | null> {
    const rows = await this.ask(
      "SELECT pid FROM pg_stat_activity WHERE pid = ANY($1) AND state = 'active'",
      processIds,
    );
    return rows && new Set(rows.map(({ pid }) => pid));
  }

  /** Restricted to idle processes: the process ID may meanwhile belong to another one, which has just started work. */
  async terminate(processIds: readonly number[]): Promise<boolean> {
    const rows = await this.ask(
      `SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE pid = ANY($1) AND application_name = 'parley' AND datname = current_database()
         AND usename = current_user AND state_change < clock_timestamp() - interval '2 seconds'`,
      processIds,
    );
    return rows !== null;
  }

  /** @returns null if there is no answer */
  private async ask(sql: string, processIds: readonly number[]): Promise<{ pid: number }[] | null> {
    const limits = { connectionTimeoutMillis: QUERY_PATIENCE_MS, query_timeout: QUERY_PATIENCE_MS };
    const Asking = this.hosts.addresses.length > 1 ? clientOf(this.hosts) : pg().Client;
    const client = new Asking({ connectionString: this.hosts.addresses[0], ...limits });
    // The query below reports broken connections.
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query<{ pid: number }>(sql, [processIds])).rows;
    } catch (error) {
      if (error instanceof pg().DatabaseError) throw error;
      return null;
    } finally {
      client.end().catch(() => undefined);
    }
  }
}
