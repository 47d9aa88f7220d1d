import { PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { text } from '../../platform/http/parameters/text';

/** The address of a file of the web app. */
export class StaticFileDto {
  /** Path of the file. */
  @PathParameter(text({ unchecked: true })) file!: string;
}
