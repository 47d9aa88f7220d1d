/**
 * JSON text that is ready to be sent: a value in a handler's result, or the whole of it, which goes into the answer
 * unchanged. Lists that are stored as text need not be serialized again. The type argument describes the text, for the
 * API description.
 */
export class RawJson<T = unknown> {
  /** @param text valid JSON; it is not checked */
  constructor(readonly text: string) {}

  /** Anywhere but at the top level of a result, the text is parsed once more: correct, but slow. */
  toJSON(): T {
    return JSON.parse(this.text) as T;
  }
}

/**
 * Like `JSON.stringify` of an object, but copies the text of each {@link RawJson}: the object itself, or a value of one
 * of its keys.
 */
export function stringifyMembers(members: object): string {
  if (members instanceof RawJson) return members.text;
  const entries = Object.entries(members as Readonly<Record<string, unknown>>);
  if (!entries.some(([, value]) => value instanceof RawJson)) {
    return JSON.stringify(members);
  }
  const texts: string[] = [];
  for (const [key, value] of entries) {
    const text = value instanceof RawJson ? value.text : (JSON.stringify(value) as string | undefined);
    if (text !== undefined) {
      texts.push(`${JSON.stringify(key)}:${text}`);
    }
  }
  return `{${texts.join(',')}}`;
}
