import { PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { text } from '../../platform/http/parameters/text';

/** Parameters of adding and removing an emoji; the service has messages of its own for a wrong name. */
export class CustomEmojiDto {
  /** Name of the emoji, without colons. */
  @PathParameter(text({ unchecked: true })) emoji_name!: string;
}

/** The last part of a picture's address. */
export class EmojiPictureDto {
  /** Name of the picture. */
  @PathParameter(text({ unchecked: true })) file!: string;
}
