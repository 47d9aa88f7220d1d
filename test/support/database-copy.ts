import { Client } from 'pg';

/** A copy of a PostgreSQL database that replaces it later, like a replica that lags behind. */
export class DatabaseCopy {
  private readonly name: string;

  /** @param url URL of the database, on a server where other databases may be created */
  constructor(readonly url: string) {
    this.name = new URL(url).pathname.slice(1);
  }

  /** Copies the database, which ends all connections to it; the caller must prevent new ones. */
  async take(): Promise<void> {
    await this.administer(`CREATE DATABASE ${this.name}_copy TEMPLATE ${this.name}`);
  }

  /** Replaces the database with the copy, likewise. */
  async putBack(): Promise<void> {
    await this.administer(
      `DROP DATABASE ${this.name} WITH (FORCE)`,
      `ALTER DATABASE ${this.name}_copy RENAME TO ${this.name}`,
    );
  }

  private async administer(...statements: readonly string[]): Promise<void> {
    const address = new URL(this.url);
    address.pathname = '/postgres';
    const server = new Client({ connectionString: address.href });
    await server.connect();
    try {
      await server.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
        this.name,
      ]);
      for (const statement of statements) await server.query(statement);
    } finally {
      await server.end();
    }
  }
}
