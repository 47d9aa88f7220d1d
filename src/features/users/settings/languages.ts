/**
 * The language's name in itself, such as "Deutsch".
 * @param code tag of the language as clients write it, such as `de` or `pt-br`
 * @returns undefined for a code that no language has
 */
export function languageName(code: string): string | undefined {
  if (!/^[a-zA-Z]{2,3}([-_][a-zA-Z0-9]{2,8})*$/.test(code)) return undefined;
  const tag = code.replaceAll('_', '-');
  try {
    const known = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' }).of(tag);
    return known && new Intl.DisplayNames([tag], { type: 'language' }).of(tag);
  } catch {
    return undefined;
  }
}
