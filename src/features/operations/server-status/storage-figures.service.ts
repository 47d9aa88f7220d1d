import { statfs } from 'node:fs/promises';
import { Injectable, Logger } from '@nestjs/common';
import { answerWithin } from '../../../platform/clock';
import { Config } from '../../../platform/config/config';
import { Database } from '../../../platform/database/database.service';
import type { StorageFigures } from './server-status.api';

/** Administrators wait for the answer, and want the other figures all the more when the database is silent. */
const PATIENCE_MS = 2_000;

const BYTES_OF = {
  postgres: 'SELECT pg_database_size(current_database()) AS bytes',
  sqlite: 'SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()',
};

/** Knows how large the database is, how fast it answers, and how much room is on the disk. */
@Injectable()
export class StorageFiguresService {
  private readonly logger = new Logger('Storage');

  constructor(
    private readonly config: Config,
    private readonly database: Database,
  ) {}

  async read(): Promise<StorageFigures> {
    const { engine, driver, read, background } = this.database;
    const began = performance.now();
    const answers = await this.attempt(answerWithin(PATIENCE_MS, read.query('SELECT 1 AS one')));
    const tookMs = performance.now() - began;
    // Slow on a large database, but blocks no other work.
    const size = background.query<{ bytes: number | string }>(BYTES_OF[engine]);
    const [row] = (await this.attempt(answerWithin(PATIENCE_MS, size))) ?? [];
    return {
      database: {
        engine,
        driver,
        bytes: row ? Number(row.bytes) : null,
        answer_ms: answers ? Math.round(tookMs * 100) / 100 : null,
      },
      disk: await this.disk(),
    };
  }

  /** Null if the system does not say. */
  async disk(): Promise<StorageFigures['disk']> {
    const figures = await this.attempt(statfs(this.config.dataDir));
    if (!figures) return null;
    const { bsize, blocks, bavail } = figures;
    return { total_bytes: bsize * blocks, free_bytes: bsize * bavail };
  }

  private async attempt<T>(asked: Promise<T>): Promise<T | null> {
    try {
      return await asked;
    } catch (error) {
      this.logger.warn(error);
      return null;
    }
  }
}
