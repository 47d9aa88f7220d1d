import { PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';

/** The address of a file that arrives piece by piece. */
export class UnfinishedUploadDto {
  /** ID of the upload, from the `Location` that its beginning was answered with. */
  @PathParameter(text({ unchecked: true })) upload_id!: string;
}
