import { PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';
import { refusal } from '../../../platform/errors/api-error';

/** The path of a console page, which its script reads. */
export class ConsolePageDto {
  /** The rest of the path. */
  @PathParameter(text({ unchecked: true })) page!: string;
}

/** The last segment of a console file's URL. */
export class ConsoleFileDto {
  /** Name of the file. */
  @PathParameter(text({ unchecked: true })) file!: string;
}

/** The file does not exist, the console was not built, or the operator has disabled it. */
export class NoSuchConsoleFile extends refusal('Page not found', { status: 404 }) {}
