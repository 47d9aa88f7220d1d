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

/** The form of IANA names: capitalised parts. `Intl` would also accept other spellings and mere offsets. */
const SHAPE = /^[A-Z][A-Za-z0-9_+-]*(\/[A-Z][A-Za-z0-9_+-]*)*$/;

/** Whether a text is the IANA name of a time zone, spelled as IANA spells it. */
export function isTimezone(name: string): boolean {
  if (!SHAPE.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
