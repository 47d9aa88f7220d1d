import { clientOf, pg, type PostgresHosts } from './postgres-hosts';
import type { ProcessControl } from './silence-watch';

/** A server that does not answer within this time is taken for silent. */
const PATIENCE_MS = 5_000;

/** Speaks with PostgreSQL about its processes, on a connection that is made for it: all others may be silent. */
export class PostgresProcesses implements ProcessControl {
  constructor(private readonly hosts: PostgresHosts) {}

  async working(processIds: readonly number[]): Promise<ReadonlySet<number> | null> {
    const rows = await this.ask(
      "SELECT pid FROM pg_stat_activity WHERE pid = ANY($1) AND state = 'active'",
      processIds,
    );
    return rows && new Set(rows.map(({ pid }) => pid));
  }

  /** By now the number of a process may be that of another one, which has just begun to do something. */
  async terminate(processIds: readonly number[]): Promise<boolean> {
    const rows = await this.ask(
      `SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE pid = ANY($1) AND application_name = 'parley' AND datname = current_database()
         AND usename = current_user AND state_change < clock_timestamp() - interval '2 seconds'`,
      processIds,
    );
    return rows !== null;
  }

  /** @returns null where nothing comes back */
  private async ask(sql: string, processIds: readonly number[]): Promise<{ pid: number }[] | null> {
    const limits = { connectionTimeoutMillis: PATIENCE_MS, query_timeout: PATIENCE_MS };
    const Asking = this.hosts.addresses.length > 1 ? clientOf(this.hosts) : pg().Client;
    const client = new Asking({ connectionString: this.hosts.addresses[0], ...limits });
    // What breaks off is answered below.
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
