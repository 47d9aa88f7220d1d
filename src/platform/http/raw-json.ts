/**
 * JSON text that is ready to be sent: a value of a handler's result that is spliced into the answer as
 * it is. Lists that are kept as text cost nothing to write again. The type argument says what the text
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

/** Like `JSON.stringify`, with {@link RawJson} values of the object spliced in. */
export function stringifyMembers(members: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(members);
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
