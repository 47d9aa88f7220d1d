/** "Portuguese (Brazil)", not "Brazilian Portuguese": as in lists, by language. */
const ENGLISH_NAMES = new Intl.DisplayNames(['en'], {
  type: 'language',
  fallback: 'none',
  languageDisplay: 'standard',
});

/**
 * The name of a language in English, such as "German".
 * @param code tag of the language as clients write it, such as `de` or `pt-br`
 * @returns undefined for a code that no language has
 */
export function languageName(code: string): string | undefined {
  if (!/^[a-zA-Z]{2,3}([-_][a-zA-Z0-9]{2,8})*$/.test(code)) return undefined;
  try {
    return ENGLISH_NAMES.of(code.replaceAll('_', '-'));
  } catch {
    return undefined;
  }
}
