import { ApiError } from '../../../../platform/errors/api-error';
import { isObject } from '../../../../platform/collections';

/** The body is JSON, but not what the service sends: a field that has to be there is missing or is something else. */
class StrangePayload extends ApiError {
  constructor(service: string, field: string) {
    super(`Unable to parse request: Did ${service} generate this event?`, {
      code: 'ANOMALOUS_WEBHOOK_PAYLOAD',
      data: { webhook_name: service, field },
    });
  }
}

/** Longest text that is read; no message shows as much. */
const MAX_TEXT = 20_000;

/** Most items of a list that are read. */
const MAX_LIST = 1_000;

/**
 * A value in the JSON that a service sent: it may be anything. Whatever is missing can be asked for further, and what has to be
 * there is refused where it is not. Keys within keys are written with dots: `repository.owner.login`.
 */
export class Payload {
  /**
   * @param service who is said to have sent it
   * @param path where in the JSON this value is
   */
  constructor(
    readonly value: unknown,
    private readonly service: string,
    private readonly path = '',
  ) {}

  /** The value under a key; one that is absent where it is. */
  at(path: string): Payload {
    if (path === '') return this;
    let value = this.value;
    for (const key of path.split('.')) value = memberOf(value, key);
    return this.child(value, path);
  }

  /** Whether there is a value other than null under a key. */
  has(path: string): boolean {
    return this.at(path).value != null;
  }

  /** Whether the value under a key is this one. */
  is(path: string, value: string | number | boolean): boolean {
    return this.at(path).value === value;
  }

  /** A text or number that has to be there. @throws StrangePayload */
  text(path: string): string {
    return this.textIf(path) ?? this.refuse(path);
  }

  /** A text or number; something else where there is none. */
  textOr(path: string, otherwise: string): string {
    return this.textIf(path) ?? otherwise;
  }

  /** The first of several keys that has a text. @throws StrangePayload */
  firstText(...paths: readonly string[]): string {
    for (const path of paths) {
      const text = this.textIf(path);
      if (text !== null && text !== '') return text;
    }
    return this.refuse(paths[0] ?? '');
  }

  /** The text or number under one key, in which dots mean nothing; null where there is none. */
  memberText(key: string): string | null {
    return textOf(memberOf(this.value, key));
  }

  /** A number that has to be there. @throws StrangePayload */
  number(path: string): number {
    const { value } = this.at(path);
    return typeof value === 'number' && Number.isFinite(value) ? value : this.refuse(path);
  }

  /** An object that has to be there. @throws StrangePayload */
  object(path: string): Payload {
    const found = this.at(path);
    return isObject(found.value) ? found : this.refuse(path);
  }

  /** The items of a list; none where there is no list. */
  list(path = ''): Payload[] {
    const { value } = this.at(path);
    if (!Array.isArray(value)) return [];
    return value.slice(0, MAX_LIST).map((item: unknown, index) => this.child(item, `${path}.${index}`));
  }

  /** The texts and numbers of an object by their keys; none where there is no object. */
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
