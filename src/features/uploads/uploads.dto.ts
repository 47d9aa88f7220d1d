import { PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { text } from '../../platform/http/parameters/text';

/** The address of an upload. */
export class UploadAddressDto {
  @PathParameter() realm_id!: number;
  @PathParameter(text({ unchecked: true })) folder!: string;
  @PathParameter(text({ unchecked: true })) key!: string;
  @PathParameter(text({ unchecked: true })) name!: string;

  /** What stands after `/user_uploads/`. */
  get path(): string {
    return [this.realm_id, this.folder, this.key, this.name].join('/');
  }
}

/** The address of a temporary link; the name is there for whoever saves the file. */
export class TemporaryLinkDto {
  @PathParameter(text({ unchecked: true })) token!: string;
}

/** One of the caller's own attachments. */
export class AttachmentDto {
  @PathParameter() attachment_id!: number;
}
