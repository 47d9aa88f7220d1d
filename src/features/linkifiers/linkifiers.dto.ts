import { json } from '../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { text } from '../../platform/http/parameters/text';
import type { LinkifierChanges } from './linkifiers.service';

/** Longest pattern, in code points. Repetitions may blow one up a thousandfold before it can be measured. */
const MAX_PATTERN_LENGTH = 500;
const MAX_TEMPLATE_LENGTH = 1000;
const MAX_EXAMPLE_LENGTH = 1000;
const MAX_ALTERNATIVES = 20;

const optional = { optional: true } as const;
const pattern = text({ trim: true, maxLength: MAX_PATTERN_LENGTH });
const template = text({ trim: true, maxLength: MAX_TEMPLATE_LENGTH });
const example = text({ trim: true, maxLength: MAX_EXAMPLE_LENGTH });
const templates = json.array(json.text({ trim: true, maxLength: MAX_TEMPLATE_LENGTH }), {
  maxItems: MAX_ALTERNATIVES,
});

/** Parameters of `POST /realm/filters`. */
export class AddLinkifierDto {
  @Parameter(pattern) pattern!: string;
  @Parameter(template) url_template!: string;
  @Parameter(example, optional) example_input?: string;
  @Parameter(template, optional) reverse_template?: string;
  @Parameter(templates, optional) alternative_url_templates?: string[];
}

/** Parameters of `PATCH /realm/filters/{filter_id}`. */
export class UpdateLinkifierDto extends AddLinkifierDto {
  @PathParameter() filter_id!: number;
}

/** Parameters of `DELETE /realm/filters/{filter_id}`. */
export class RemoveLinkifierDto {
  @PathParameter() filter_id!: number;
}

/** Parameters of `PATCH /realm/linkifiers`. */
export class ReorderLinkifiersDto {
  @Parameter(json.array(json.integer())) ordered_linkifier_ids!: number[];
}

export function toLinkifierChanges(dto: AddLinkifierDto): LinkifierChanges {
  return {
    pattern: dto.pattern,
    urlTemplate: dto.url_template,
    exampleInput: orNull(dto.example_input),
    reverseTemplate: orNull(dto.reverse_template),
    // Forms of clients have a line for one more.
    alternativeUrlTemplates: dto.alternative_url_templates?.filter((each) => each !== ''),
  };
}

/** An empty text takes a value away. */
function orNull(value: string | undefined): string | null | undefined {
  return value === '' ? null : value;
}
