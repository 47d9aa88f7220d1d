import type { SqliteConnection, SqliteDriver } from '../sqlite/sqlite-driver';

/** What a database file held at one moment, while a server goes on writing into it: that waits for no reader. */
export class SqliteView {
  private constructor(private readonly connection: SqliteConnection) {}

  static open({ Connection }: SqliteDriver, file: string): SqliteView {
    const connection = new Connection(file, { timeout: 5_000 });
    connection.pragma('query_only = ON');
    connection.exec('BEGIN');
    const view = new SqliteView(connection);
    // The first statement that reads fixes the moment.
    view.rows('SELECT COUNT(*) FROM sqlite_master');
    return view;
  }

  rows<Row extends object>(sql: string, ...values: readonly unknown[]): Row[] {
    return this.connection.prepare(sql).all(...values) as Row[];
  }

  close(): void {
    // A driver may keep a closed connection, and what it holds, for a while.
    this.connection.exec('ROLLBACK');
    this.connection.close();
  }
}
