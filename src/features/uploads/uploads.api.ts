import type { Attachment } from './attachment.entity';
import { PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { text } from '../../platform/http/parameters/text';
import { defineEvent } from '../../platform/events/server-event';
import { ApiError, refusal } from '../../platform/errors/api-error';

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

/** The address of an upload. */
export class UploadAddressDto {
  /** Number of the organization. */
  @PathParameter() realm_id!: number;
  /** Part of the address of the file; missing in addresses of servers that kept files in S3. */
  @PathParameter(text({ unchecked: true }), { optional: true }) folder?: string;
  /** Secret part of the address of the file. */
  @PathParameter(text({ unchecked: true })) key!: string;
  /** Name of the file. */
  @PathParameter(text({ unchecked: true })) name!: string;

  /** What stands after `/user_uploads/`. */
  get path(): string {
    const folder = this.folder === undefined ? [] : [this.folder];
    return [this.realm_id, ...folder, this.key, this.name].join('/');
  }
}

/** The address of a smaller version of an upload. */
export class ThumbnailAddressDto extends UploadAddressDto {
  /** Size and format, as in `840x560.webp`. */
  @PathParameter(text({ unchecked: true })) format!: string;
}

/** The address of a temporary link. */
export class TemporaryLinkDto {
  /** What makes the link work, for a short time. */
  @PathParameter(text({ unchecked: true })) token!: string;
  /** Name of the file, as the link was handed out. */
  @PathParameter(text({ unchecked: true })) name!: string;
}

/** One of the caller's own attachments. */
export class AttachmentDto {
  /** ID of the attachment. */
  @PathParameter() attachment_id!: number;
}

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

/** There is no upload under this path, at least not any more. */
export class NoSuchUpload extends refusal('File not found.', { code: 'NOT_FOUND', status: 404 }) {}

/** The upload exists, but the caller neither made it nor can read a message that links it. */
export class UploadOutOfReach extends refusal('You are not authorized to view this file.', {
  code: 'FORBIDDEN',
  status: 403,
}) {}

/** A link that is good for a minute was used after that, or was never handed out. */
export class InvalidTemporaryLink extends refusal('Invalid token') {}

/** A link that is good for a minute was given another file name. */
export class InvalidTemporaryFileName extends refusal('Invalid filename') {}

/** The file is larger than the operator allows. */
export class FileTooLarge extends ApiError {
  constructor(maxMib: number) {
    super(`File is larger than this server's configured maximum upload size (${maxMib} MiB).`);
  }
}

/** An upload would take more than the operator gives. */
export abstract class UploadQuotaExceeded extends ApiError {}

/** All uploads together would take more than the operator gives the organization. */
export class OrganizationUploadQuotaExceeded extends UploadQuotaExceeded {
  constructor() {
    super("Upload would exceed your organization's upload quota.", { code: 'REALM_UPLOAD_QUOTA' });
  }
}

/** The uploads of a person and their bots would take more than the operator gives each person. */
export class PersonalUploadQuotaExceeded extends UploadQuotaExceeded {
  constructor(quotaMib: number) {
    super(`Upload would exceed your upload quota of ${quotaMib} MiB.`, { code: 'USER_UPLOAD_QUOTA' });
  }
}

/** No attachment of the caller's own has this ID. */
export class InvalidAttachment extends refusal('Invalid attachment') {}

/** A message on legal hold needs the file. */
export class AttachmentHeld extends refusal('This file is on legal hold, and cannot be deleted.') {}

/** No unfinished upload of the caller's own has this ID, at least not any more. */
export class NoSuchUnfinishedUpload extends refusal(
  'Upload not found: it was completed, canceled, or expired.',
  {
    code: 'NOT_FOUND',
    status: 404,
  },
) {}

/** The piece does not begin where the last one ended. */
export class UploadOffsetMismatch extends ApiError {
  /** @param received bytes that are here */
  constructor(received: number) {
    super(`The next piece must start at byte ${received}.`, {
      status: 409,
      headers: { 'upload-offset': String(received) },
    });
  }
}

/** The piece goes beyond the end of the file. */
export class PieceTooLong extends refusal('Upload exceeds the declared length.', { status: 413 }) {}

/** The file came in more pieces than the server keeps. */
export class TooManyPieces extends ApiError {
  constructor(most: number) {
    super(`Too many pieces (limit: ${most}).`, { status: 413 });
  }
}

/** Another node has a part of the file, in a folder that this one does not see. */
export class PieceElsewhere extends refusal(
  'Part of this file is missing on this node. All nodes must share one DATA_DIR.',
  {
    status: 503,
  },
) {}

/** There is no room for a file that was to arrive piece by piece: what is told otherwise, with the status for that. */
export class UploadNotTaken extends ApiError {
  constructor({ message, code, data }: ApiError) {
    super(message, { code, data, status: 413 });
  }
}

/** The address of a file that arrives piece by piece. */
export class UnfinishedUploadDto {
  /** ID of the upload, from the `Location` that its beginning was answered with. */
  @PathParameter(text({ unchecked: true })) upload_id!: string;
}
