import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../platform/database/queryable';
import type { Attachment } from './attachment.entity';
import { AttachmentRowsService } from './attachment-rows.service';
import { attachmentWire, type AttachmentWire } from './attachments.wire';

/** Finds files that an edit takes out of the last message that linked them. */
@Injectable()
export class DetachedUploadsService {
  constructor(private readonly rows: AttachmentRowsService) {}

  linkedBy(db: Queryable, messageId: number): Promise<Attachment[]> {
    return this.rows.linkedBy(db, messageId);
  }

  /** Those of somebody's own among the files that no message links. */
  async unlinkedAmong(
    db: Queryable,
    attachments: readonly Attachment[],
    ownerId: number,
  ): Promise<AttachmentWire[]> {
    const own = attachments.filter((attachment) => attachment.ownerId === ownerId);
    const messages = await this.rows.linkingMessages(
      db,
      own.map(({ id }) => id),
    );
    return own
      .filter(({ id }) => messages.get(id)?.length === 0)
      .map((attachment) => attachmentWire(attachment));
  }
}
