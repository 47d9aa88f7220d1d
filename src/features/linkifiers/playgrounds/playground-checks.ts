import { UrlTemplate } from '../patterns/url-template';
import { BLANK, INVALID_URL_TEMPLATE } from '../field-problems';

/** A playground as somebody wants to have it. */
export interface PlaygroundDraft {
  readonly name: string;
  readonly language: string;
  readonly urlTemplate: string;
}

/** Any name of a language that code blocks can have, known or not. */
const LANGUAGE = /^[ a-zA-Z0-9_+\-./#]*$/;

/** The variable that stands for the code. */
const CODE = 'code';

/** The first thing that is wrong with a playground by itself; null where nothing is. */
export function playgroundProblem({ name, language, urlTemplate }: PlaygroundDraft): string | null {
  if (!LANGUAGE.test(language)) return 'Invalid characters in pygments language';
  if ([urlTemplate, name, language].includes('')) return BLANK;
  const template = UrlTemplate.parse(urlTemplate);
  if (!template) return INVALID_URL_TEMPLATE;
  if (!template.variables.has(CODE)) return 'Missing the required variable "code" in the URL template';
  if (template.variables.size > 1) return '"code" should be the only variable present in the URL template';
  return null;
}
