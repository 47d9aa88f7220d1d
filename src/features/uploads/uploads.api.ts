import type { Attachment } from './attachment.entity';
import { PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { text } from '../../platform/http/parameters/text';
import { defineEvent } from '../../platform/events/server-event';
import { ApiError, refusal } from '../../platform/errors/api-error';

/** An attachment as sent to its owner; times are UNIX seconds. */
export interface AttachmentWire {
  readonly id: number;
  readonly name: string;
  readonly path_id: string;
  readonly size: number;
  readonly create_time: number;
  readonly message_ids: readonly number[];
}

/** @param messageIds of messages that link it, ascending */
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

/** The URL of an upload. */
export class UploadAddressDto {
  /** Number of the organization. */
  @PathParameter() realm_id!: number;
  /** Part of the address of the file; missing in addresses of servers that kept files in S3. */
  @PathParameter(text({ unchecked: true }), { optional: true }) folder?: string;
  /** Secret part of the file's URL. */
  @PathParameter(text({ unchecked: true })) key!: string;
  /** Name of the file. */
  @PathParameter(text({ unchecked: true })) name!: string;

  /** The part of the URL after `/user_uploads/`. */
  get path(): string {
    const folder = this.folder === undefined ? [] : [this.folder];
    return [this.realm_id, ...folder, this.key, this.name].join('/');
  }
}

/** The URL of a thumbnail. */
export class ThumbnailAddressDto extends UploadAddressDto {
  /** Size and format, as in `840x560.webp`. */
  @PathParameter(text({ unchecked: true })) format!: string;
}

/** The URL of a temporary link. */
export class TemporaryLinkDto {
  /** Signed token, valid for a short time. */
  @PathParameter(text({ unchecked: true })) token!: string;
  /** Name of the file, as in the issued link. */
  @PathParameter(text({ unchecked: true })) name!: string;
}

/** One of the caller's own attachments. */
export class AttachmentDto {
  /** ID of the attachment. */
  @PathParameter() attachment_id!: number;
}

interface AttachmentPayload {
  attachment: AttachmentWire;
  /** Total size of all uploads of the organization, in bytes. */
  upload_space_used: number;
}

/** The recipient uploaded a file. */
export const attachmentAdded = defineEvent<AttachmentPayload>('attachment', 'add');

/** A message links a file that the recipient uploaded. */
export const attachmentUpdated = defineEvent<AttachmentPayload>('attachment', 'update');

/** The recipient deleted a file. */
export const attachmentRemoved = defineEvent<{ attachment: { id: number }; upload_space_used: number }>(
  'attachment',
  'remove',
);

/** The upload does not exist, or no longer exists. */
export class NoSuchUpload extends refusal('File not found.', { code: 'NOT_FOUND', status: 404 }) {}

/** The upload exists, but the caller neither uploaded it nor can read a message that links it. */
export class UploadNotAccessible extends refusal('You are not authorized to view this file.', {
  code: 'FORBIDDEN',
  status: 403,
}) {}

/** A temporary link has expired or was never issued. */
export class InvalidTemporaryLink extends refusal('Invalid token') {}

/** The file name in a temporary link was changed. */
export class InvalidTemporaryFileName extends refusal('Invalid filename') {}

/** The file is larger than the operator allows. */
export class FileTooLarge extends ApiError {
  constructor(maxMib: number) {
    super(`File is larger than this server's configured maximum upload size (${maxMib} MiB).`);
  }
}

/** An upload would exceed a quota. */
export abstract class UploadQuotaExceeded extends ApiError {}

/** All uploads together would exceed the organization's quota. */
export class OrganizationUploadQuotaExceeded extends UploadQuotaExceeded {
  constructor() {
    super("Upload would exceed your organization's upload quota.", { code: 'REALM_UPLOAD_QUOTA' });
  }
}

/** The uploads of a person and their bots would exceed the quota per person. */
export class PersonalUploadQuotaExceeded extends UploadQuotaExceeded {
  constructor(quotaMib: number) {
    super(`Upload would exceed your upload quota of ${quotaMib} MiB.`, { code: 'USER_UPLOAD_QUOTA' });
  }
}

/** The caller has no attachment with this ID. */
export class InvalidAttachment extends refusal('Invalid attachment') {}

/** A message on legal hold needs the file. */
export class AttachmentHeld extends refusal('This file is on legal hold, and cannot be deleted.') {}

/** The caller has no unfinished upload with this ID, or no longer has it. */
export class NoSuchUnfinishedUpload extends refusal(
  'Upload not found: it was completed, canceled, or expired.',
  {
    code: 'NOT_FOUND',
    status: 404,
  },
) {}

/** The part does not start where the last one ended. */
export class UploadOffsetMismatch extends ApiError {
  /** @param received number of bytes received so far */
  constructor(received: number) {
    super(`The next piece must start at byte ${received}.`, {
      status: 409,
      headers: { 'upload-offset': String(received) },
    });
  }
}

/** The part exceeds the declared length of the file. */
export class PieceTooLong extends refusal('Upload exceeds the declared length.', { status: 413 }) {}

/** The file was sent in too many parts. */
export class TooManyPieces extends ApiError {
  constructor(most: number) {
    super(`Too many pieces (limit: ${most}).`, { status: 413 });
  }
}

/** Another node has a part of the file, in a folder that this node cannot access. */
export class PartOnAnotherNode extends refusal(
  'Part of this file is missing on this node. All nodes must share one DATA_DIR.',
  {
    status: 503,
  },
) {}

/**
 * There is no room for an upload in parts: the error of an ordinary upload, with the status that the protocol requires.
 */
export class UploadPartRefused extends ApiError {
  constructor({ message, code, data }: ApiError) {
    super(message, { code, data, status: 413 });
  }
}

/** The URL of an upload in parts. */
export class UnfinishedUploadDto {
  /** ID of the upload, from the `Location` in the first response. */
  @PathParameter(text({ unchecked: true })) upload_id!: string;
}
