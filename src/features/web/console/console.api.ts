import { PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';
import { refusal } from '../../../platform/errors/api-error';

/** What the address of a page of the console names; its script reads it. */
export class ConsolePageDto {
  /** The rest of the address. */
  @PathParameter(text({ unchecked: true })) page!: string;
}

/** The last part of the address of a file of the console. */
export class ConsoleFileDto {
  /** Name of the file. */
  @PathParameter(text({ unchecked: true })) file!: string;
}

/** There is no such file, the console was not built, or the operator has switched it off. */
export class NoSuchConsoleFile extends refusal('Page not found', { status: 404 }) {}
