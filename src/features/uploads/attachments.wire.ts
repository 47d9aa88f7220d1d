import type { Attachment } from './attachment.entity';

/** An attachment as its owner sees it; times are UNIX seconds. */
export interface AttachmentWire {
  readonly id: number;
  readonly name: string;
  readonly path_id: string;
  readonly size: number;
  readonly create_time: number;
  readonly message_ids: readonly number[];
}

/** @param messageIds those of the messages that link it, ascending */
export function attachmentWire(attachment: Attachment, messageIds: readonly number[] = []): AttachmentWire {
  return {
    id: attachment.id,
    name: attachment.fileName,
    path_id: attachment.path,
    size: attachment.size,
    create_time: Math.floor(attachment.createdAt / 1000),
    message_ids: messageIds,
  };
}
