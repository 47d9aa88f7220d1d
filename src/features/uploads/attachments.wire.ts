import type { Attachment } from './attachment.entity';

/** A message that links an attachment. */
export interface LinkingMessage {
  readonly id: number;
  /** UNIX seconds. */
  readonly sentAt: number;
}

/** An attachment as its owner sees it; times are UNIX seconds. */
export interface AttachmentWire {
  readonly id: number;
  readonly name: string;
  readonly path_id: string;
  readonly size: number;
  readonly create_time: number;
  readonly messages: readonly { readonly id: number; readonly date_sent: number }[];
  readonly message_ids: readonly number[];
}

/** @param messages ascending by ID */
export function attachmentWire(
  attachment: Attachment,
  messages: readonly LinkingMessage[] = [],
): AttachmentWire {
  return {
    id: attachment.id,
    name: attachment.fileName,
    path_id: attachment.path,
    size: attachment.size,
    create_time: Math.floor(attachment.createdAt / 1000),
    messages: messages.map(({ id, sentAt }) => ({ id, date_sent: sentAt })),
    message_ids: messages.map(({ id }) => id),
  };
}
