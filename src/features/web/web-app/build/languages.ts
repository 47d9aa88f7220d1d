/** A language of the web app, as its page expects it. */
export interface Language {
  readonly code: string;
  readonly locale: string;
  readonly name: string;
  readonly percent_translated?: number;
}

/** Parses the list in a build. @throws Error with an explanation */
export function languagesOf(file: string, json: string): Language[] {
  const { name_map: languages } = JSON.parse(json) as { name_map?: unknown };
  if (!Array.isArray(languages) || !languages.every(isLanguage)) {
    throw new Error(`${file} has no languages under "name_map".`);
  }
  return languages;
}

function isLanguage(value: unknown): value is Language {
  const { code, locale, name } = (value ?? {}) as Partial<Record<keyof Language, unknown>>;
  return [code, locale, name].every((part) => typeof part === 'string');
}

/** Converts `de` to `de`, `pt-br` to `pt_BR`, `zh-hans` to `zh_Hans`: two letters are a country, more a script. */
export function localeOf(languageCode: string): string {
  const [language = 'en', part] = languageCode.split('-');
  if (part === undefined) return language;
  const written =
    part.length === 2 ? part.toUpperCase() : part[0]!.toUpperCase() + part.slice(1).toLowerCase();
  return `${language}_${written}`;
}
