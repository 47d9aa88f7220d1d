import { idList } from '../../platform/http/parameters/id-list';
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
  maxCharacters: 131_072,
});

/** Parameters of `POST /realm/filters`. */
export class AddLinkifierDto {
  /** Regular expression (RE2) with named groups. */
  @Parameter(pattern) pattern!: string;
  /** Web address (RFC 6570) with the names of the groups. */
  @Parameter(template) url_template!: string;
  /** Text that the pattern finds. */
  @Parameter(example, optional) example_input?: string;
  /** Text that a link becomes when it is pasted. */
  @Parameter(template, optional) reverse_template?: string;
  /** Further addresses that stand for the same link. */
  @Parameter(templates, { ...optional, example: ['https://issues.example.com/{id}'] })
  alternative_url_templates?: string[];
}

/** Parameters of `PATCH /realm/filters/{filter_id}`. */
export class UpdateLinkifierDto extends AddLinkifierDto {
  /** ID of the linkifier. */
  @PathParameter() filter_id!: number;
}

/** Parameters of `DELETE /realm/filters/{filter_id}`. */
export class RemoveLinkifierDto {
  /** ID of the linkifier. */
  @PathParameter() filter_id!: number;
}

/** Parameters of `PATCH /realm/linkifiers`. */
export class ReorderLinkifiersDto {
  /** IDs of all linkifiers, first to last. */
  @Parameter(idList(), { example: [12, 11] }) ordered_linkifier_ids!: number[];
}

/** The fields of a linkifier; what was sent empty counts as null. */
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
