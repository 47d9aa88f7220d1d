import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/transaction.service';
import { Audience } from '../../platform/events/audience';
import { Hooks } from '../../platform/hooks/hooks';
import {
  awaitedPaths,
  type EditedMessage,
  messageEdited,
  messagesDeleted,
  messageSent,
  type SentMessage,
} from '../messages/messages.module';
import { AttachmentAccess } from './attachment.access';
import type { Attachment } from './attachment.entity';
import { AttachmentRowsService } from './attachment-rows.service';
import { attachmentUpdated, attachmentWire } from './uploads.api';
import { AttachmentPicturesService } from './attachment-pictures.service';
import { parseUploadPath } from './upload-path';
import { UploadSpaceService } from './upload-space.service';
import { picturesSettled } from './uploads.hooks';

/**
 * Records which messages link which files, which opens the files to the readers of those messages. A link to a file
 * that its sender cannot read opens nothing, so that knowing a URL is not enough.
 */
@Injectable()
export class AttachmentLinksService {
  constructor(
    private readonly rows: AttachmentRowsService,
    private readonly space: UploadSpaceService,
    private readonly access: AttachmentAccess,
    private readonly pictures: AttachmentPicturesService,
    private readonly hooks: Hooks,
  ) {
    hooks.on(messageSent, (tx, message) => this.link(tx, message));
    hooks.on(messageEdited, (tx, message) => this.relink(tx, message));
    hooks.on(messagesDeleted, (tx, messageIds) => this.unlink(tx, messageIds));
  }

  private async link(tx: Transaction, message: SentMessage): Promise<void> {
    if (message.rendered.attachmentPaths.length === 0) return;
    const linked = await this.linkedIn(tx, message, new Set());
    await this.rows.link(tx, message.messageId, idsOf(linked));
    await this.settle(tx, message, linked);
    await this.tell(tx, linked);
  }

  private async relink(tx: Transaction, message: EditedMessage): Promise<void> {
    const before = await this.rows.linkedBy(tx, message.messageId);
    const after = await this.linkedIn(tx, message, new Set(idsOf(before)));
    const dropped = without(before, after);
    const added = without(after, before);
    await this.rows.unlink(tx, message.messageId, idsOf(dropped));
    await this.rows.link(tx, message.messageId, idsOf(added));
    await this.settle(tx, message, after);
    await this.tell(tx, [...dropped, ...added]);
  }

  private async unlink(tx: Transaction, messageIds: readonly number[]): Promise<void> {
    await this.tell(tx, await this.rows.unlinkMessages(tx, messageIds));
  }

  /** Images may have become ready since the message was rendered, or may have been deleted. */
  private async settle(
    tx: Transaction,
    { messageId, rendered }: Pick<EditedMessage, 'messageId' | 'rendered'>,
    linked: readonly Attachment[],
  ): Promise<void> {
    const awaited = awaitedPaths(rendered.html);
    if (awaited.length === 0) return;
    const pictures = await this.pictures.of(tx, idsOf(linked));
    const waiting = linked.filter(({ id }) => pictures.get(id)?.thumbnails === 'waiting');
    const paths = new Set(waiting.map(({ path }) => path));
    if (awaited.every((path) => paths.has(parseUploadPath(path) ?? ''))) return;
    await this.hooks.run(picturesSettled, tx, { messageIds: [messageId] });
  }

  /**
   * The files that the message links and that its sender may link.
   * @param known attachments that the message linked before, which it may keep
   */
  private async linkedIn(
    tx: Transaction,
    { sender, limit, rendered }: Pick<EditedMessage, 'sender' | 'limit' | 'rendered'>,
    known: ReadonlySet<number>,
  ): Promise<Attachment[]> {
    const paths = new Set(rendered.attachmentPaths.map(parseUploadPath).filter((path) => path !== null));
    if (paths.size === 0) return [];
    const found = await this.rows.keep(tx, [...paths]);
    const reader = { userId: sender.id, role: sender.role, limit };
    const added = found.filter(({ id }) => !known.has(id));
    const readable = new Set(idsOf(await this.access.readable(tx, reader, added)));
    return found.filter(({ id }) => known.has(id) || readable.has(id));
  }

  /** Emits to the owners which messages now link their files. */
  private async tell(tx: Transaction, attachments: readonly Attachment[]): Promise<void> {
    if (attachments.length === 0) return;
    const messages = await this.rows.linkingMessages(tx, idsOf(attachments));
    const used = await this.space.total(tx);
    for (const attachment of attachments) {
      const record = attachmentWire(attachment, messages.get(attachment.id));
      tx.emit(
        attachmentUpdated({ attachment: record, upload_space_used: used }),
        Audience.of([attachment.ownerId]),
      );
    }
  }
}

function idsOf(attachments: readonly Attachment[]): number[] {
  return attachments.map(({ id }) => id);
}

function without(attachments: readonly Attachment[], others: readonly Attachment[]): Attachment[] {
  const left = new Set(idsOf(others));
  return attachments.filter(({ id }) => !left.has(id));
}
