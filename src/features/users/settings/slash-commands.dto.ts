import { Parameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';

/** Parameters of `POST /zcommand`. */
export class SlashCommandDto {
  /** `/ping`, `/dark`, `/light`, `/fluid-width` or `/fixed-width`. */
  @Parameter(text({ maxLength: 100 })) command!: string;
}
