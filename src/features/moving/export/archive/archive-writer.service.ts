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

/** Name of an archive, and the progress callbacks of its caller. */
interface ArchiveOrder extends Pick<OperatorContext, 'signal'>, Partial<Pick<OperatorContext, 'report'>> {
  /** Prefix of the archive's only folder; random characters follow. */
  readonly folder: string;
}

/** Writes archives from a consistent snapshot, without blocking writers. */
@Injectable()
export class ArchiveWriterService {
  constructor(
    private readonly database: Database,
    private readonly files: FileStore,
    private readonly clock: Clock,
  ) {}

  /**
   * @param sink is ended, or destroyed if writing fails
   * @param fill receives a snapshot of the database; files that the snapshot references are kept until it returns
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
