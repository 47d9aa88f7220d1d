/** How IANA writes names: capitalised parts. `Intl` would also take other spellings and mere offsets. */
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
