import type { Writable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Config } from '../../../../platform/config/config';
import type { Progress } from '../../../../platform/operator/operator-commands';
import type { ArchiveBuilder } from './archive-builder';
import { ArchiveWriterService } from './archive-writer.service';
import { type ExportContent, ExportContext, ExportScope } from './export-context';
import { addPictures, addUploads } from './file-folders';
import { addMessageFiles } from './message-files';
import { type NamedRows, pagedRows, type RawRow, type Rows } from './row-files';
import { accountTables, groupTables } from './tables/account-tables';
import { channelTables, laterChannelTables } from './tables/channel-tables';
import { mapped, organizationTables } from './tables/organization-tables';
import { draftTables, personalTables } from './tables/personal-tables';

/** The Zulip release whose schema the tables follow. */
const NO_MIGRATIONS = { migrations_by_app: {}, zulip_version: '10.2' };

/** Facts about a finished archive. */
export interface ArchiveFacts {
  /** Users whose private data is included by consent; empty if consent was not requested. */
  readonly consenting: ReadonlySet<number>;
}

/** Options of an archive. */
export interface ArchiveRequest {
  readonly content: ExportContent;
  /** Aborted when the archive is no longer needed. */
  readonly signal: AbortSignal;
  readonly report?: (progress: Progress) => void;
  /** Migration status of the server that will import the archive; if not given, of no particular server. */
  readonly migrationStatus?: object;
}

/** Writes the whole organization in Zulip's export format. */
@Injectable()
export class OrganizationArchiveService {
  constructor(
    private readonly writer: ArchiveWriterService,
    private readonly config: Config,
  ) {}

  /**
   * Writes an archive of a snapshot, without blocking writers. Keeps at most one page of rows in memory.
   * @param sink is ended
   */
  async write(sink: Writable, request: ArchiveRequest): Promise<ArchiveFacts> {
    const { content, signal, report } = request;
    return this.writer.write(sink, { folder: 'zulip-export', signal, report }, async (db, archive) => {
      const scope = await ExportScope.of(db, content);
      const context = await ExportContext.of(db, scope, this.config.emailDomain);
      await this.fill(context, archive, request.migrationStatus ?? NO_MIGRATIONS);
      return { consenting: scope.consenting };
    });
  }

  /** Messages come first, because the tables list the clients that sent them. */
  private async fill(
    context: ExportContext,
    archive: ArchiveBuilder,
    migrationStatus: object,
  ): Promise<void> {
    await addMessageFiles(context, archive);
    await addUploads(context, archive);
    await addPictures(context, archive);
    await archive.tables('realm', realmTables(context));
    await archive.tables('analytics', NO_ANALYTICS);
    await archive.tables('parley', [
      ...laterChannelTables(context),
      ...draftTables(context),
      ['zerver_submessage', submessages(context)],
    ]);
    await archive.object('migration_status.json', migrationStatus);
    const { content, consenting } = context.scope;
    if (content === 'with consent') {
      await archive.object(
        'consented_user_ids.json',
        [...consenting].sort((a, b) => a - b),
      );
    }
    await archive.statistics();
  }
}

const NO_ANALYTICS: readonly NamedRows[] = ['realmcount', 'usercount', 'streamcount'].map((name) => [
  `analytics_${name}`,
  [],
]);

function realmTables(context: ExportContext): NamedRows[] {
  return [
    ...organizationTables(context),
    ...accountTables(context),
    ...groupTables(context),
    ...channelTables(context),
    ...personalTables(context),
    ['zerver_reaction', reactions(context)],
    ['zerver_client', context.clients.rows()],
  ];
}

function reactions(context: ExportContext): Rows {
  return ofMessages(context, 'reaction', (raw) => ({
    id: raw.id,
    user_profile: raw.user_id,
    message: raw.message_id,
    emoji_name: raw.emoji_name,
    emoji_code: raw.emoji_code,
    reaction_type: raw.emoji_type,
  }));
}

/** Polls and to-do lists, with votes and changes. */
function submessages(context: ExportContext): Rows {
  return ofMessages(context, 'submessage', (raw) => ({
    id: raw.id,
    message: raw.message_id,
    sender: raw.sender_id,
    msg_type: raw.msg_type,
    content: raw.content,
  }));
}

/** Rows of a table for exported messages. */
function ofMessages(
  { db, scope }: ExportContext,
  table: 'reaction' | 'submessage',
  row: (raw: RawRow) => object,
): Rows {
  const { sql, values } = scope.messages;
  const query = `SELECT r.* FROM ${table} r JOIN message m ON m.id = r.message_id WHERE ${sql}`;
  return mapped(pagedRows(db, query, ['id'], values), row);
}
