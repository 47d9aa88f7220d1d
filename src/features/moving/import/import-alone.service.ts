import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Config } from '../../../platform/config/config';
import { Database } from '../../../platform/database/database.service';
import { ProcessPurpose } from '../../../platform/lifecycle/periodic-task';
import { CommandRefused } from '../../../platform/operator/operator-commands';
import type { Queryable } from '../../../platform/sql/queryable';

/** Connections of a killed process are closed within this time. */
const PATIENCE_MS = 5_000;
const LOOK_EVERY_MS = 250;

/** Finds connections older than this process, which belong to other processes. */
const OLDER_CONNECTIONS = `
  SELECT pid FROM pg_stat_activity
  WHERE application_name = 'parley' AND datname = current_database()
    AND backend_start < clock_timestamp() - make_interval(secs => ?) LIMIT 1`;

/** Ensures that an import has the database to itself. On SQLite, the lock of the database file ensures that. */
@Injectable()
export class ImportAloneService {
  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly purpose: ProcessPurpose,
  ) {}

  /**
   * Looks for other connections: servers on other machines can use the same PostgreSQL. Behind a pooler they are
   * invisible.
   * @throws CommandRefused
   */
  async requireAlone(): Promise<void> {
    if (this.purpose.isServer)
      throw new CommandRefused('The server is running. Stop it, import, and start it again.');
    if (this.config.databaseUrl === null || this.config.databasePooler !== 'none') return;
    const until = performance.now() + PATIENCE_MS;
    while (await this.isShared()) {
      if (performance.now() > until)
        throw new CommandRefused(
          'Another process uses this database: a server, perhaps on another machine, or another command. Stop it, and import ' +
            'again.',
        );
      await sleep(LOOK_EVERY_MS);
    }
  }

  private async isShared(): Promise<boolean> {
    return (await this.database.read.query(OLDER_CONNECTIONS, [process.uptime()])).length > 0;
  }

  /** @throws CommandRefused if the organization has more than the first start creates */
  async requireEmpty(db: Queryable): Promise<void> {
    const rows = await db.query(
      `SELECT m.id FROM message m JOIN account a ON a.id = m.sender_id WHERE a.is_system_bot = ?
       UNION ALL SELECT id FROM account WHERE is_system_bot = ? AND id > (SELECT MIN(id) FROM account WHERE is_system_bot = ?)
       UNION ALL SELECT id FROM channel WHERE id <> (SELECT MIN(id) FROM channel)
       UNION ALL SELECT id FROM user_group WHERE is_system = ? AND name IS NOT NULL`,
      [false, false, false, false],
    );
    if (rows.length > 0)
      throw new CommandRefused(
        'This organization is in use. An archive can only be imported into an empty one: create it with "parley init" in ' +
          'another data folder.',
      );
  }
}
