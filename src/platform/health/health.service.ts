import { Injectable, Logger } from '@nestjs/common';
import { Database } from '../database/database.service';
import { migrations } from '../database/migrations';
import { ShutdownSignal } from '../lifecycle/shutdown-signal';

/** A database that takes longer than this to answer is of no use. */
const PATIENCE_MS = 2_000;

/** Knows whether the server can do its work. */
@Injectable()
export class HealthService {
  private readonly logger = new Logger('Health');

  constructor(
    private readonly database: Database,
    private readonly shutdown: ShutdownSignal,
  ) {}

  /** What keeps the server from serving, a sentence each; empty when nothing does. */
  async problems(): Promise<string[]> {
    if (this.shutdown.isStopping) return ['The server is stopping.'];
    try {
      const newest = await withinPatience(this.newestMigration());
      return newest === migrations.at(-1)?.name ? [] : ['The tables are not those of this version.'];
    } catch (error) {
      // Who may read this answer need not learn what is wrong inside.
      this.logger.error('The database does not answer.', error);
      return ['The database does not answer.'];
    }
  }

  private async newestMigration(): Promise<string | undefined> {
    const newest = 'SELECT name FROM migrations ORDER BY id DESC LIMIT 1';
    const [row] = await this.database.read.query<{ name: string }>(newest);
    return row?.name;
  }
}

async function withinPatience<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${PATIENCE_MS} ms.`)), PATIENCE_MS);
  });
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
