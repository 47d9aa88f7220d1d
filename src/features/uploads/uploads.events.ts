import { defineEvent } from '../../platform/events/server-event';
import type { AttachmentWire } from './attachments.wire';

interface AttachmentPayload {
  attachment: AttachmentWire;
  /** Bytes that all uploads of the organization take. */
  upload_space_used: number;
}

/** The receiver uploaded a file. */
export const attachmentAdded = defineEvent<AttachmentPayload>('attachment', 'add');

/** A message links a file that the receiver uploaded. */
export const attachmentUpdated = defineEvent<AttachmentPayload>('attachment', 'update');

/** The receiver removed a file. */
export const attachmentRemoved = defineEvent<{ attachment: { id: number }; upload_space_used: number }>(
  'attachment',
  'remove',
);
