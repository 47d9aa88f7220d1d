import { randomBytes } from 'node:crypto';
import type { Writable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { TarGzWriter } from '../../../../platform/archives/tar-gz-writer';
import { Clock } from '../../../../platform/clock';
import { Database } from '../../../../platform/database/database.service';
import { FileStore } from '../../../../platform/files/file-store';
import type { OperatorContext } from '../../../../platform/operator/operator-commands';
import type { Queryable } from '../../../../platform/sql/queryable';
import { ArchiveBuilder } from './archive-builder';

/** What an archive is called, and who waits for it. */
interface ArchiveOrder extends Pick<OperatorContext, 'signal'>, Partial<Pick<OperatorContext, 'report'>> {
  /** Its only folder; random letters follow. */
  readonly folder: string;
}

/** Writes archives of one moment, while others go on writing. */
@Injectable()
export class ArchiveWriterService {
  constructor(
    private readonly database: Database,
    private readonly files: FileStore,
    private readonly clock: Clock,
  ) {}

  /**
   * @param sink is ended, or destroyed where writing fails
   * @param fill gets a snapshot of the database; files that it names stay until it is done
   */
  async write<Result>(
    sink: Writable,
    { folder, signal, report = () => undefined }: ArchiveOrder,
    fill: (db: Queryable, archive: ArchiveBuilder) => Promise<Result>,
  ): Promise<Result> {
    const name = randomBytes(4).toString('hex');
    const tar = new TarGzWriter(sink);
    const release = this.files.deferDeletions();
    try {
      const archive = new ArchiveBuilder(this.files, {
        tar,
        folder: `${folder}-${name}`,
        piecePath: `exports/${name}.part`,
        madeAt: this.clock.nowSeconds(),
        signal,
        report,
      });
      const result = await this.database.longSnapshot((db) => fill(db, archive));
      await tar.end();
      return result;
    } catch (error) {
      await tar.destroy();
      throw error;
    } finally {
      await release();
    }
  }
}
