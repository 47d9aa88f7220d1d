import { PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';

/** The last part of a picture's address. */
export class AvatarFileDto {
  /** Name of the picture. */
  @PathParameter(text({ unchecked: true })) file!: string;
}

/** Whose picture is looked for. */
export class AvatarOwnerDto {
  /** ID or address of a person or bot. */
  @PathParameter(text({ maxLength: 320 })) user_id_or_email!: string;
}
