import { Client } from 'pg';
import { cpuMicrosecondsOf } from './server-process';

/** The server for the databases of benchmarks. */
const SERVER = process.env.BENCH_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/** A separate PostgreSQL database for one benchmark. */
export class BenchDatabase {
  /** CPU time by process ID. Entries of closed connections keep the last observed value. */
  private readonly used = new Map<number, number>();

  private constructor(
    readonly name: string,
    private readonly server: string,
  ) {}

  get url(): string {
    const url = new URL(this.server);
    url.pathname = `/${this.name}`;
    return url.href;
  }

  static async create(server = SERVER): Promise<BenchDatabase> {
    const name = `parley_bench_${process.pid}_${Date.now()}`;
    await at(server, `CREATE DATABASE ${name}`);
    return new BenchDatabase(name, server);
  }

  /** Creates a copy with the same rows; nobody may be connected to this one meanwhile. */
  async copy(suffix = 'copy'): Promise<BenchDatabase> {
    const name = `${this.name}_${suffix}`;
    await at(this.server, `CREATE DATABASE ${name} TEMPLATE ${this.name}`);
    return new BenchDatabase(name, this.server);
  }

  /** The same database on a replica of its server. */
  on(replica: string): BenchDatabase {
    return new BenchDatabase(this.name, replica);
  }

  /** CPU time of all processes seen connected to it, if the server runs on this machine. */
  async cpuMicroseconds(): Promise<number> {
    const server = new Client({ connectionString: this.server });
    await server.connect();
    try {
      const sql = "SELECT pid FROM pg_stat_activity WHERE datname = $1 AND backend_type = 'client backend'";
      const { rows } = await server.query<{ pid: number }>(sql, [this.name]);
      for (const { pid } of rows) this.used.set(pid, cpuMicrosecondsOf(pid));
      return [...this.used.values()].reduce((sum, time) => sum + time, 0);
    } finally {
      await server.end();
    }
  }

  async drop(): Promise<void> {
    await at(this.server, `DROP DATABASE ${this.name} WITH (FORCE)`);
  }
}

async function at(address: string, statement: string): Promise<void> {
  const server = new Client({ connectionString: address });
  await server.connect();
  try {
    await server.query(statement);
  } finally {
    await server.end();
  }
}
