/**
 * JSON text that is ready to be sent: a value of a handler's result, or the whole of it, that is spliced into
 * the answer as it is. Lists that are kept as text cost nothing to write again. The type argument says what the text
 * holds; the API description is made from it.
 */
export class RawJson<T = unknown> {
  /** @param text valid JSON; nobody checks it. */
  constructor(readonly text: string) {}

  /** Anywhere but at the top level of a result, the text is parsed once more: right, but slow. */
  toJSON(): T {
    return JSON.parse(this.text) as T;
  }
}

/** Like `JSON.stringify` of an object, with {@link RawJson} spliced in: the whole of it, or values of its keys. */
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
