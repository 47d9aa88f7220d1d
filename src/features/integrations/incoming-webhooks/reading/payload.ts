import { ApiError } from '../../../../platform/errors/api-error';
import { isObject } from '../../../../platform/collections';

/** The body is JSON, but a required field is missing or has the wrong type. */
class StrangePayload extends ApiError {
  constructor(service: string, field: string) {
    super(`Unable to parse request: Did ${service} generate this event?`, {
      code: 'ANOMALOUS_WEBHOOK_PAYLOAD',
      data: { webhook_name: service, field },
    });
  }
}

/** Longest text to read; messages are shorter. */
const MAX_TEXT = 20_000;

/** Maximum list items to read. */
const MAX_LIST = 1_000;

/**
 * An untrusted value in the JSON of a service. Lookups in missing values return missing values, and a missing required
 * value causes a refusal. Paths have dots between nested keys: `repository.owner.login`.
 */
export class Payload {
  /**
   * @param service the sender, for error messages
   * @param path location of the value in the JSON
   */
  constructor(
    readonly value: unknown,
    private readonly service: string,
    private readonly path = '',
  ) {}

  /** The value at a path, which may be missing. */
  at(path: string): Payload {
    if (path === '') return this;
    let value = this.value;
    for (const key of path.split('.')) value = memberOf(value, key);
    return this.child(value, path);
  }

  /** Whether the value at a path exists and is not null. */
  has(path: string): boolean {
    return this.at(path).value != null;
  }

  /** Whether the value at a path equals `value`. */
  is(path: string, value: string | number | boolean): boolean {
    return this.at(path).value === value;
  }

  /** A required text or number. @throws StrangePayload */
  text(path: string): string {
    return this.textIf(path) ?? this.refuse(path);
  }

  /** A text or number, or else a default. */
  textOr(path: string, otherwise: string): string {
    return this.textIf(path) ?? otherwise;
  }

  /** The first text or number, other than an empty text, at one of several paths. @throws StrangePayload */
  firstText(...paths: readonly string[]): string {
    for (const path of paths) {
      const text = this.textIf(path);
      if (text !== null && text !== '') return text;
    }
    return this.refuse(paths[0] ?? '');
  }

  /** The text or number of a key that may contain dots; null if there is none. */
  memberText(key: string): string | null {
    return textOf(memberOf(this.value, key));
  }

  /** A required number. @throws StrangePayload */
  number(path: string): number {
    const { value } = this.at(path);
    return typeof value === 'number' && Number.isFinite(value) ? value : this.refuse(path);
  }

  /** A required object. @throws StrangePayload */
  object(path: string): Payload {
    const found = this.at(path);
    return isObject(found.value) ? found : this.refuse(path);
  }

  /** The items of a list; empty if there is no list. */
  list(path = ''): Payload[] {
    const { value } = this.at(path);
    if (!Array.isArray(value)) return [];
    return value.slice(0, MAX_LIST).map((item: unknown, index) => this.child(item, `${path}.${index}`));
  }

  /** The texts and numbers of an object with their keys; empty if there is no object. */
  texts(path: string): [string, string][] {
    const { value } = this.at(path);
    if (!isObject(value)) return [];
    return Object.entries(value)
      .slice(0, MAX_LIST)
      .flatMap(([key, each]) => {
        const text = textOf(each);
        return text === null ? [] : [[key, text] as [string, string]];
      });
  }

  /** @throws StrangePayload naming the field */
  refuse(path: string): never {
    throw new StrangePayload(this.service, [this.path, path].filter(Boolean).join('.').slice(0, 100));
  }

  private textIf(path: string): string | null {
    return textOf(this.at(path).value);
  }

  private child(value: unknown, path: string): Payload {
    return new Payload(value, this.service, [this.path, path].filter(Boolean).join('.'));
  }
}

function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[key];
}

function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value.slice(0, MAX_TEXT).toWellFormed();
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : null;
}
