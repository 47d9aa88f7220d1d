import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../platform/sql/queryable';
import { MessageAccess } from '../messages/messages.module';
import type { Requester as Reader } from '../user-groups/user-groups.module';
import type { Attachment } from './attachment.entity';
import { AttachmentRowsService } from './attachment-rows.service';
import { parseUploadPath, pathOfImported } from './upload-path';
import { NoSuchUpload, UploadNotAccessible } from './uploads.api';

/** Decides who may read a file: its owner, and everyone who may read a message that links it. */
@Injectable()
export class AttachmentAccess {
  constructor(
    private readonly rows: AttachmentRowsService,
    private readonly messages: MessageAccess,
  ) {}

  /**
   * @param reader null for a person without an account
   * @param path the part of the URL after `/user_uploads/`
   * @throws NoSuchUpload, UploadNotAccessible
   */
  async forReading(db: Queryable, reader: Reader | null, path: string): Promise<Attachment> {
    const attachment = await this.rows.byPath(db, parseUploadPath(path) ?? pathOfImported(path));
    if (!attachment) throw new NoSuchUpload();
    const [readable] = await this.readable(db, reader, [attachment]);
    if (!readable) throw new UploadNotAccessible();
    return readable;
  }

  /** Filters attachments down to those that the reader may read. */
  async readable(
    db: Queryable,
    reader: Reader | null,
    attachments: readonly Attachment[],
  ): Promise<Attachment[]> {
    const own = attachments.filter(({ ownerId }) => ownerId === reader?.userId).map(({ id }) => id);
    // A key that is limited to channels cannot read its account's files that are linked only elsewhere.
    const free = new Set(reader?.limit?.channelIds ? await this.unlinked(db, own) : own);
    const others = attachments.flatMap(({ id }) => (free.has(id) ? [] : [id]));
    const linked = others.length === 0 ? new Set() : await this.linkedWithinReach(db, reader, others);
    return attachments.filter(({ id }) => free.has(id) || linked.has(id));
  }

  private async unlinked(db: Queryable, attachmentIds: readonly number[]): Promise<number[]> {
    const messages = await this.rows.linkingMessages(db, attachmentIds);
    return attachmentIds.filter((id) => messages.get(id)?.length === 0);
  }

  private async linkedWithinReach(
    db: Queryable,
    reader: Reader | null,
    attachmentIds: readonly number[],
  ): Promise<Set<number>> {
    const links = `FROM attachment_message l JOIN message m ON m.id = l.message_id WHERE l.attachment_id IN (?)`;
    const channels = await db.query<{ id: number }>(
      `SELECT DISTINCT m.channel_id AS id ${links} AND m.channel_id IS NOT NULL`,
      [attachmentIds],
    );
    const reach = this.messages.withinReach(
      reader,
      channels.map(({ id }) => id),
    );
    const rows = await db.query<{ id: number }>(
      `SELECT DISTINCT l.attachment_id AS id ${links} AND (${reach.sql})`,
      [attachmentIds, ...reach.values],
    );
    return new Set(rows.map(({ id }) => id));
  }
}
