import type { Writable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Config } from '../../../../platform/config/config';
import type { OperatorContext } from '../../../../platform/operator/operator-commands';
import { ArchiveWriterService } from '../archive/archive-writer.service';
import { ExportContext, ExportScope } from '../archive/export-context';
import { addAvatars, addUploads } from '../archive/file-folders';
import type { RawRow } from '../archive/row-files';
import { addMessagesOfPerson } from './person-messages';
import { addPages } from './person-pages';
import { personTables } from './person-tables';

/** Writes what the server stores about one person, as JSON and as pages to read. */
@Injectable()
export class PersonArchiveService {
  constructor(
    private readonly writer: ArchiveWriterService,
    private readonly config: Config,
  ) {}

  /**
   * The archive has no secrets, and of other people only what the person can read anyway: their names, and direct
   * messages.
   * @param sink is ended
   */
  async write(sink: Writable, userId: number, { site, signal, report }: OperatorContext): Promise<void> {
    await this.writer.write(sink, { folder: 'parley-user-export', signal, report }, async (db, archive) => {
      const scope = ExportScope.ofPerson(userId);
      const context = await ExportContext.of(db, scope, this.config.emailDomain);
      const account = await db.queryOne<RawRow>('SELECT * FROM account WHERE id = ?', [userId]);
      await addMessagesOfPerson(context, archive);
      await addUploads(context, archive);
      await addAvatars(context, archive);
      await archive.tables('user', personTables(context, account));
      await addPages(context, archive, { account, site });
      await archive.statistics();
    });
  }
}
