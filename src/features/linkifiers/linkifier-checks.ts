import { ExampleInputMissing } from './linkifiers.api';
import { BadPattern, LinkifierPattern } from './patterns/linkifier-pattern';
import { BadReverseTemplate, ReverseTemplate, UrlTemplate } from './patterns/url-template';

/** Texts of problems with fields that clients look for. */
export const BLANK = 'This field cannot be blank.';
export const INVALID_URL_TEMPLATE = 'Invalid URL template.';
export const UNSAFE_URL_TEMPLATE = 'URL template must begin with a scheme such as https: or a path.';

/** The key of problems that involve several fields. */
export const SEVERAL_FIELDS = '__all__';

/** The problems of a submitted linkifier: texts by field, in the order in which they were found. */
class FieldProblems {
  private readonly messages = new Map<string, string[]>();

  add(field: string, message: string): void {
    this.messages.set(field, [...(this.messages.get(field) ?? []), message]);
  }

  get areAny(): boolean {
    return this.messages.size > 0;
  }

  byField(): Record<string, readonly string[]> {
    return Object.fromEntries(this.messages);
  }
}

/** A linkifier as requested. */
export interface LinkifierDraft {
  readonly pattern: string;
  readonly urlTemplate: string;
  readonly exampleInput: string | null;
  readonly reverseTemplate: string | null;
  readonly alternativeUrlTemplates: readonly string[];
}

/** A pattern, or the reason why the text is not one. */
export type PatternOutcome = LinkifierPattern | BadPattern;

/** The slowest of all checks, so it runs before the transaction. */
export function compilePattern(source: string): PatternOutcome {
  try {
    return LinkifierPattern.compile(source);
  } catch (error) {
    if (error instanceof BadPattern) return error;
    throw error;
  }
}

/**
 * Validates a linkifier by itself. Like Zulip, reports one problem per field and one that involves several fields.
 * @throws ExampleInputMissing
 */
export function checkLinkifier(draft: LinkifierDraft, pattern: PatternOutcome): FieldProblems {
  const problems = new FieldProblems();
  if (draft.pattern === '') problems.add('pattern', BLANK);
  if (draft.urlTemplate === '') problems.add('url_template', BLANK);
  const urlTemplate = UrlTemplate.parse(draft.urlTemplate);
  if (!urlTemplate) problems.add('url_template', INVALID_URL_TEMPLATE);
  else if (draft.urlTemplate !== '' && !urlTemplate.isSafe) problems.add('url_template', UNSAFE_URL_TEMPLATE);
  if (draft.alternativeUrlTemplates.some((text) => !UrlTemplate.parse(text))) {
    problems.add('alternative_url_templates', INVALID_URL_TEMPLATE);
  }
  const together =
    pattern instanceof BadPattern
      ? `Bad regular expression: ${pattern.message}`
      : (exampleProblem(draft, pattern) ?? (urlTemplate && groupProblem(pattern, urlTemplate)));
  if (together) problems.add(SEVERAL_FIELDS, together);
  return problems;
}

function exampleProblem(draft: LinkifierDraft, pattern: LinkifierPattern): string | null {
  const { exampleInput, reverseTemplate } = draft;
  if (exampleInput === null) {
    if (reverseTemplate !== null) throw new ExampleInputMissing();
    return null;
  }
  const groups = pattern.find(exampleInput);
  if (!groups) return 'Example input does not match the linkifier pattern.';
  if (reverseTemplate === null) return null;
  const reverse = parseReverse(reverseTemplate);
  if (reverse instanceof BadReverseTemplate) return reverse.message;
  const unknown = [...reverse.variables].find((name) => !pattern.groups.has(name));
  if (unknown !== undefined) {
    return `Group '${unknown}' in auto-conversion field is not present in linkifier pattern.`;
  }
  return reverse.expand(groups) === exampleInput
    ? null
    : 'Example text does not match auto-conversion field.';
}

function parseReverse(text: string): ReverseTemplate | BadReverseTemplate {
  try {
    return ReverseTemplate.parse(text);
  } catch (error) {
    if (error instanceof BadReverseTemplate) return error;
    throw error;
  }
}

/** Names the alphabetically first group that only one of the two contains. */
function groupProblem({ groups }: LinkifierPattern, { variables }: UrlTemplate): string | null {
  const [missing] = [...variables].filter((name) => !groups.has(name)).sort();
  if (missing !== undefined) {
    return `Group '${missing}' in URL template is not present in linkifier pattern.`;
  }
  const [unused] = [...groups].filter((name) => !variables.has(name)).sort();
  return unused === undefined
    ? null
    : `Group '${unused}' in linkifier pattern is not present in URL template.`;
}
