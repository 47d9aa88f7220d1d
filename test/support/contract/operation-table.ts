const PREFIX = '/api/v1';

interface Pattern {
  readonly name: string;
  readonly verb: string;
  readonly path: RegExp;
}

/** Finds the operation of the contract for a request. */
export class OperationTable {
  private readonly patterns: readonly Pattern[];

  /** @param names such as `GET /streams/{stream_id}` */
  constructor(names: readonly string[]) {
    this.patterns = names.map(patternOf).sort((a, b) => vagueness(a) - vagueness(b));
  }

  /** The name of the operation for a request; null if there is none. */
  find(verb: string, url: string): string | null {
    const path = url.split('?')[0] as string;
    if (!path.startsWith(PREFIX)) return null;
    const called = path.slice(PREFIX.length).replace(/\/{2,}/g, '/');
    return this.patterns.find((pattern) => pattern.verb === verb && pattern.path.test(called))?.name ?? null;
  }
}

/** IDs are digits, and file names may contain slashes. */
function patternOf(name: string): Pattern {
  const [verb = '', path = ''] = name.split(' ');
  const pattern = path
    .replace(/\{filename\}/g, '.+')
    .replace(/\{\w+_id\}/g, '\\d+')
    .replace(/\{\w+\}/g, '[^/]+');
  return { name, verb, path: new RegExp(`^${pattern}$`) };
}

/** Sorts `/users/me` before `/users/{user_id}`, and that before `/users/{email}`. */
function vagueness({ path: { source } }: Pattern): number {
  return source.split('\\d+').length + 10 * source.split('[^').length;
}
