import { PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { text } from '../../platform/http/parameters/text';

/** The address of an upload. */
export class UploadAddressDto {
  /** Number of the organization. */
  @PathParameter() realm_id!: number;
  /** Part of the address of the file. */
  @PathParameter(text({ unchecked: true })) folder!: string;
  /** Secret part of the address of the file. */
  @PathParameter(text({ unchecked: true })) key!: string;
  /** Name of the file. */
  @PathParameter(text({ unchecked: true })) name!: string;

  /** What stands after `/user_uploads/`. */
  get path(): string {
    return [this.realm_id, this.folder, this.key, this.name].join('/');
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
