import type { Writable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Config } from '../../../../platform/config/config';
import type { OperatorContext } from '../../../../platform/operator/operator-commands';
import { ChannelAccess, ChannelDirectory } from '../../../channels/channels.module';
import { languageFor } from '../../../../platform/pages/languages';
import { OrganizationDirectory } from '../../../organization-settings/organization-settings.module';
import type { AccountRecord } from '../../../users/users.module';
import { ArchiveWriterService } from '../archive/archive-writer.service';
import { ExportContext, ExportScope } from '../archive/export-context';
import { addAvatars, addUploads } from '../archive/file-folders';
import type { RawRow } from '../archive/row-files';
import { addMessagesOfPerson } from './person-messages';
import { addPages } from './person-pages';
import { personTables } from './person-tables';
import { SeenChannels } from './seen-channels';

/** Writes what the server stores about one person, as JSON and as HTML pages. */
@Injectable()
export class PersonArchiveService {
  constructor(
    private readonly writer: ArchiveWriterService,
    private readonly config: Config,
    private readonly channels: ChannelDirectory,
    private readonly access: ChannelAccess,
    private readonly organization: OrganizationDirectory,
  ) {}

  /**
   * The archive contains no secrets. Of others, it contains only what the person can read anyway: names, direct
   * messages, and the channels visible to the person.
   * @param sink is ended
   */
  async write(
    sink: Writable,
    person: AccountRecord,
    { site, signal, report }: OperatorContext,
  ): Promise<void> {
    await this.writer.write(sink, { folder: 'parley-user-export', signal, report }, async (db, archive) => {
      const { id: userId, role } = person;
      const context = await ExportContext.of(db, ExportScope.ofPerson(userId), this.config.emailDomain);
      const account = await db.queryOne<RawRow>('SELECT * FROM account WHERE id = ?', [userId]);
      const channels = SeenChannels.of(this.channels, this.access, { userId, role });
      await addMessagesOfPerson(context, archive, channels);
      await addUploads(context, archive);
      await addAvatars(context, archive);
      await archive.tables('user', personTables(context, account, channels));
      const language = languageFor(person.settings, this.organization.settings.default_language);
      await addPages(context, archive, { account, site, channels, language });
      await archive.statistics();
    });
  }
}
