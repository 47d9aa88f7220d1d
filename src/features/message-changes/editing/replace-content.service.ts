import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { EditedContentService, messageEdited, type ReadableMessage } from '../../messages';
import { type AttachmentWire, UnlinkedUploadsService } from '../../uploads';
import { AccountDirectory } from '../../users';
import type { NewContent } from './new-content.service';

/** What came of new content. */
export interface ReplacedContent {
  /** Files of the sender that the message was the last to link. */
  readonly detachedUploads: readonly AttachmentWire[];
  /** Recipients whom the message mentions by name now and did not before. */
  readonly newlyMentioned: ReadonlySet<number>;
}

/** Puts new content in the place of a message's old one, with all that follows from it. */
@Injectable()
export class ReplaceContentService {
  constructor(
    private readonly contents: EditedContentService,
    private readonly hooks: Hooks,
    private readonly uploads: UnlinkedUploadsService,
    private readonly accounts: AccountDirectory,
  ) {}

  async replace(
    tx: Transaction,
    message: ReadableMessage['message'],
    content: NewContent,
    editedAt: number,
  ): Promise<ReplacedContent> {
    const linked = await this.uploads.linkedBy(tx, message.id);
    const newlyMentioned = await this.contents.replace(tx, message, { ...content, editedAt });
    const sender = this.accounts.existing(message.senderId);
    await this.hooks.run(messageEdited, tx, { messageId: message.id, sender, rendered: content.rendered });
    const detachedUploads = await this.uploads.unlinkedAmong(tx, linked, message.senderId);
    return { detachedUploads, newlyMentioned };
  }
}
