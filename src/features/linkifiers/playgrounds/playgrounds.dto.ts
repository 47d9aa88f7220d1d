import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';
import type { PlaygroundDraft } from './playgrounds.service';

const MAX_NAME_LENGTH = 200;
const MAX_LANGUAGE_LENGTH = 40;
const MAX_TEMPLATE_LENGTH = 1000;

/** Parameters of `POST /realm/playgrounds`. */
export class AddPlaygroundDto {
  /** Name that people see. */
  @Parameter(text({ trim: true, maxLength: MAX_NAME_LENGTH })) name!: string;
  /** Language of the code blocks that it is for. */
  @Parameter(text({ trim: true, maxLength: MAX_LANGUAGE_LENGTH })) pygments_language!: string;
  /** Web address (RFC 6570) with `{code}`. */
  @Parameter(text({ trim: true, maxLength: MAX_TEMPLATE_LENGTH })) url_template!: string;
}

/** Parameters of `DELETE /realm/playgrounds/{playground_id}`. */
export class RemovePlaygroundDto {
  /** ID of the playground. */
  @PathParameter() playground_id!: number;
}

/** The playground that the parameters describe. */
export function toPlayground(dto: AddPlaygroundDto): PlaygroundDraft {
  return { name: dto.name, language: dto.pygments_language, urlTemplate: dto.url_template };
}
