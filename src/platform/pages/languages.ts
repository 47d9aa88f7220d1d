import type { FastifyRequest } from 'fastify';

/** The languages of pages. The first is the original of their texts. */
const LANGUAGES = ['en', 'de'] as const;

/** Code of a language available for pages. */
export type PageLanguage = (typeof LANGUAGES)[number];

/** Languages that are written from right to left. */
const FROM_RIGHT = /^(ar|dv|fa|he|ku|ps|ur|yi)\b/;

/** Writing direction of a language. @param code such as `de` or `de-at` */
export const directionOf = (code: string): 'ltr' | 'rtl' => (FROM_RIGHT.test(code) ? 'rtl' : 'ltr');

/** The same texts in another language, complete and with the same parameters. */
export type Translated<T> = {
  readonly [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends (...parts: infer Parts) => string
      ? (...parts: Parts) => string
      : Translated<T[K]>;
};

/** Combines the texts of `words.ts` with their translations. */
export function inEach<T>(
  texts: Readonly<Record<PageLanguage, Translated<T>>>,
): (language: PageLanguage) => Translated<T> {
  return (language) => texts[language];
}

/** The language of a page for this request: the first available one of {@link languagesOf}, or English. */
export function languageOf(request: FastifyRequest): PageLanguage {
  return firstLanguage(languagesOf(request));
}

/** The first available language, or English. @param codes such as `de` or `de-at` */
function firstLanguage(codes: readonly string[]): PageLanguage {
  for (const code of codes) {
    const language = LANGUAGES.find((each) => each === code.split('-', 1)[0]);
    if (language) return language;
  }
  return LANGUAGES[0];
}

/** The language of texts for a person outside a request: the chosen one, or that of the organization. */
export function languageFor(
  settings: Readonly<Record<string, unknown>>,
  ofOrganization: string,
): PageLanguage {
  const { default_language: chosen } = settings;
  return firstLanguage([typeof chosen === 'string' ? chosen : ofOrganization]);
}

/**
 * Language codes in order of preference: the one that the person chose, those of the browser, and that of the
 * organization.
 */
export function languagesOf({ headers, ownLanguage, houseLanguage }: FastifyRequest): readonly string[] {
  const asked = acceptedLanguages(headers['accept-language']);
  return [ownLanguage, ...asked, houseLanguage].filter((code) => code !== null);
}

/** Maximum number of languages considered. */
const MAX_LANGUAGES = 20;

/** The languages that a browser requests (RFC 9110, 12.5.4). */
function acceptedLanguages(accepted = ''): string[] {
  return accepted
    .toLowerCase()
    .split(',', MAX_LANGUAGES)
    .map((each) => {
      const [, code = '', weight = '1'] =
        /^\s*([a-z]{1,8}(?:-[a-z\d]{1,8})*)\s*(?:;\s*q=([\d.]+))?/.exec(each) ?? [];
      return { code, weight: Number(weight) };
    })
    .filter(({ code, weight }) => code !== '' && weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ code }) => code);
}
