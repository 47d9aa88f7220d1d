import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction.service';
import { Audience } from '../../platform/events/audience';
import {
  MessageObserverRegistry,
  type MessageObserver,
  type SentMessage,
} from '../messages/message-observer.registry';
import { AttachmentAccess } from './attachment.access';
import type { Attachment } from './attachment.entity';
import { AttachmentRowsService } from './attachment-rows.service';
import { attachmentWire } from './attachments.wire';
import { parseUploadPath } from './naming/upload-path';
import { UploadSpaceService } from './upload-space.service';
import { attachmentUpdated } from './uploads.events';

/**
 * Notes which messages link which files, and by that opens the files to the readers of those messages. A link to a
 * file that its sender cannot read opens nothing, so that knowing an address is not enough.
 */
@Injectable()
export class AttachmentLinksService implements MessageObserver {
  constructor(
    private readonly rows: AttachmentRowsService,
    private readonly access: AttachmentAccess,
    private readonly space: UploadSpaceService,
    observers: MessageObserverRegistry,
  ) {
    observers.register(this);
  }

  async messageSent(tx: Transaction, { messageId, sender, rendered }: SentMessage): Promise<void> {
    const paths = new Set(rendered.attachmentPaths.map(parseUploadPath).filter((path) => path !== null));
    if (paths.size === 0) return;
    const found = await this.rows.keep(tx, [...paths]);
    const linked = await this.access.readable(tx, { userId: sender.id, role: sender.role }, found);
    if (linked.length > 0) await this.link(tx, messageId, linked);
  }

  private async link(tx: Transaction, messageId: number, attachments: readonly Attachment[]): Promise<void> {
    const ids = attachments.map(({ id }) => id);
    await this.rows.link(tx, messageId, ids);
    const messages = await this.rows.linkingMessages(tx, ids);
    const used = await this.space.used(tx);
    for (const attachment of attachments) {
      const record = attachmentWire(attachment, messages.get(attachment.id));
      tx.emit(
        attachmentUpdated({ attachment: record, upload_space_used: used }),
        Audience.of([attachment.ownerId]),
      );
    }
  }
}
