/** Texts and lists up to here are small: such an answer is made at once. */
const SMALL_TEXT = 64 * 1024;
const SMALL_LIST = 16;
const SMALL_MAP = 64;

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

/** JSON text of a whole result that goes to many callers: what is sent is put together once for all of them. */
export class SharedJson<T = unknown> extends RawJson<T> {
  private success: string | undefined;

  /** The JSON text of the success for callers all of whose parameters are supported. */
  get successText(): string {
    this.success ??= successText({ result: this, ignored: [] });
    return this.success;
  }
}

/** The handler's result, and the names of parameters that were sent but are not supported. */
export interface Success {
  /** The keys of the endpoint, if it has any; `msg` is one of them where it says something. */
  readonly result: object;
  /** The key that names them is left out when there are none (WIRE-6). */
  readonly ignored: readonly string[];
}

/** The JSON text of a success of the main interface. */
export function successText({ result, ignored }: Success): string {
  const members = stringifyMembers(result);
  const own = members === '{}' ? '' : `,${members.slice(1, -1)}`;
  return `${beginning(result)}${own}${ending(ignored)}`;
}

/** The same piece by piece: an entry of a list or map at a time. */
export function* successPieces({ result, ignored }: Success): Generator<string> {
  yield beginning(result);
  if (result instanceof RawJson) {
    if (result.text !== '{}') yield `,${result.text.slice(1, -1)}`;
  } else {
    for (const [key, value] of Object.entries(result as Readonly<Record<string, unknown>>)) {
      yield* memberPieces(`,${JSON.stringify(key)}:`, value);
    }
  }
  yield ending(ignored);
}

/** Whether the text may be so long that it is worth while to make it piece by piece. Does not look far. */
export function mayBeLarge(result: object): boolean {
  if (result instanceof RawJson) return result.text.length > SMALL_TEXT;
  return Object.values(result as Readonly<Record<string, unknown>>).some(isLargeValue);
}

function beginning(result: object): string {
  return `{"result":"success"${'msg' in result ? '' : ',"msg":""'}`;
}

function ending(ignored: readonly string[]): string {
  const names = ignored.length === 0 ? '' : `,"ignored_parameters_unsupported":${JSON.stringify(ignored)}`;
  return `${names}}\n`;
}

/**
 * Like `JSON.stringify` of an object, but copies the text of each {@link RawJson}: the object itself, or a value of one
 * of its keys.
 */
function stringifyMembers(members: object): string {
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

function isLargeValue(value: unknown): boolean {
  if (typeof value === 'string') return value.length > SMALL_TEXT;
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof RawJson) return value.text.length > SMALL_TEXT;
  if (Array.isArray(value)) return value.length > SMALL_LIST;
  return Object.keys(value).length > SMALL_MAP;
}

function* memberPieces(name: string, value: unknown): Generator<string> {
  if (value instanceof RawJson) {
    yield name;
    yield value.text;
  } else if (Array.isArray(value)) {
    yield `${name}[`;
    let comma = '';
    for (const item of value as readonly unknown[]) {
      yield `${comma}${jsonOf(item) ?? 'null'}`;
      comma = ',';
    }
    yield ']';
  } else if (typeof value === 'object' && value !== null && !('toJSON' in value)) {
    yield `${name}{`;
    let comma = '';
    for (const [key, item] of Object.entries(value)) {
      const text = jsonOf(item);
      if (text === undefined) continue;
      yield `${comma}${JSON.stringify(key)}:${text}`;
      comma = ',';
    }
    yield '}';
  } else {
    const text = jsonOf(value);
    if (text !== undefined) yield `${name}${text}`;
  }
}

/** Undefined for what JSON does not have. */
function jsonOf(value: unknown): string | undefined {
  return JSON.stringify(value);
}
