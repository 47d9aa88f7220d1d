import { idList } from '../../platform/http/parameters/further-types';
import { json } from '../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { text } from '../../platform/http/parameters/text';
import { defineEvent, type ServerEvent } from '../../platform/events/server-event';
import { ApiError, refusal } from '../../platform/errors/api-error';

/** A linkifier to create, or changes to one; omitted properties are empty or do not change. */
export interface LinkifierChanges {
  readonly pattern: string;
  readonly urlTemplate: string;
  readonly exampleInput?: string | null;
  readonly reverseTemplate?: string | null;
  readonly alternativeUrlTemplates?: readonly string[];
}

/** A linkifier as sent to clients. */
export interface LinkifierWire {
  readonly id: number;
  readonly pattern: string;
  readonly url_template: string;
  readonly example_input: string | null;
  readonly reverse_template: string | null;
  readonly alternative_url_templates: readonly string[];
}

interface LinkifierFields {
  readonly id: number;
  readonly pattern: string;
  readonly urlTemplate: string;
  readonly exampleInput: string | null;
  readonly reverseTemplate: string | null;
  readonly alternativeUrlTemplates: readonly string[];
}

/** The record of a linkifier. */
export function linkifierWire(linkifier: LinkifierFields): LinkifierWire {
  return {
    id: linkifier.id,
    pattern: linkifier.pattern,
    url_template: linkifier.urlTemplate,
    example_input: linkifier.exampleInput,
    reverse_template: linkifier.reverseTemplate,
    alternative_url_templates: linkifier.alternativeUrlTemplates,
  };
}

/** Initial state for clients. */
export function linkifierState(linkifiers: readonly LinkifierWire[]): {
  realm_linkifiers: readonly LinkifierWire[];
} {
  return { realm_linkifiers: linkifiers };
}

/** Linkifiers in the form before URL templates: always empty. */
export function olderFilterState(): { realm_filters: readonly never[] } {
  return { realm_filters: [] };
}

/**
 * Maximum length of a pattern, in code points. Repetitions can inflate a pattern a thousandfold before its size can be
 * measured.
 */
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
  /** URL template (RFC 6570) with the names of the groups. */
  @Parameter(template) url_template!: string;
  /** Text that the pattern matches. */
  @Parameter(example, optional) example_input?: string;
  /** Text into which clients convert a pasted link. */
  @Parameter(template, optional) reverse_template?: string;
  /** Additional URL templates for the same link. */
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
  /** IDs of all linkifiers, in order. */
  @Parameter(idList(), { example: [12, 11] }) ordered_linkifier_ids!: number[];
}

/** The fields of a linkifier; empty values become null. */
export function toLinkifierChanges(dto: AddLinkifierDto): LinkifierChanges {
  return {
    pattern: dto.pattern,
    urlTemplate: dto.url_template,
    exampleInput: orNull(dto.example_input),
    reverseTemplate: orNull(dto.reverse_template),
    // Clients' forms send an additional empty line.
    alternativeUrlTemplates: dto.alternative_url_templates?.filter((each) => each !== ''),
  };
}

/** An empty text removes a value. */
function orNull(value: string | undefined): string | null | undefined {
  return value === '' ? null : value;
}

/** The linkifiers changed; the list is complete and in order. */
const changed = defineEvent<{ realm_linkifiers: readonly LinkifierWire[] }>('realm_linkifiers');

/** Linkifiers were added, removed, changed or reordered; contains all of them, in order. */
export function linkifiersChanged(linkifiers: readonly LinkifierWire[]): ServerEvent {
  return changed({ realm_linkifiers: linkifiers });
}

/** The linkifier is invalid. The message is the first problem; `errors` lists all of them by field. */
export class InvalidLinkifier extends ApiError {
  constructor(problems: Readonly<Record<string, readonly string[]>>) {
    super(Object.values(problems)[0]?.[0] ?? '', { data: { errors: problems } });
  }
}

/** A reverse template can only be checked against an example. */
export class ExampleInputMissing extends refusal('Example text is required for the auto-conversion field.') {}

/** The linkifier to change or delete does not exist. */
export class LinkifierNotFound extends refusal('Linkifier not found.') {}

/** The limit on linkifiers, which keeps rendering fast, is reached. */
export class TooManyLinkifiers extends ApiError {
  constructor(limit: number) {
    super(`An organization can have at most ${limit} linkifiers.`);
  }
}

/** Each message is searched for all patterns, so their total size is limited as well. */
export class LinkifierPatternsTooLarge extends refusal(
  'Linkifier patterns too large in total. Delete or shorten some.',
) {}

/** The new order of linkifiers contains duplicates. */
export class LinkifierNamedTwice extends refusal('The ordered list must not contain duplicated linkifiers') {}

/** The new order of linkifiers is incomplete, or contains one that does not exist. */
export class LinkifierOrderIncomplete extends refusal(
  'The ordered list must enumerate all existing linkifiers exactly once',
) {}
