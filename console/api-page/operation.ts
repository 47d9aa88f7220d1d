import type { PlainRequest } from './caller';
import { make } from './elements';

/** The parts of a JSON Schema that determine how a value is entered and sent. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema?: Schema;
  readonly content?: Content;
}

/** An operation of the OpenAPI document. */
export interface Operation {
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
}

/** A parameter or body field of an operation. */
interface Input {
  readonly name: string;
  readonly place: 'path' | 'query' | 'header' | 'body';
  readonly isRequired: boolean;
  readonly schema: Schema;
}

/** The inputs of an operation, and the media type of its body. */
export interface Inputs {
  readonly inputs: readonly Input[];
  readonly type: string | undefined;
}

export function inputsOf({ parameters, requestBody }: Operation): Inputs {
  const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const { properties = {}, required = [] } = body?.schema ?? {};
  return {
    type,
    inputs: [
      ...parameters
        .filter(({ $ref, in: place }) => $ref === undefined && place !== 'header')
        .map((each) => ({
          name: each.name,
          place: each.in,
          isRequired: each.required === true,
          schema: each.schema ?? each.content?.['application/json']?.schema ?? {},
        })),
      ...Object.entries(properties).map(([name, schema]) => ({
        name,
        place: 'body' as const,
        isRequired: required.includes(name),
        schema,
      })),
    ],
  };
}

/** Creates the label and the field of an input. */
export function fieldOf(id: string, { name, place, isRequired, schema }: Input): HTMLElement[] {
  const holder = { id, name: `${place} ${name}`, required: isRequired };
  const label = make('label', { htmlFor: id }, name + (isRequired ? ' (required)' : ''));
  if (schema.format === 'binary') return [label, make('input', { ...holder, type: 'file' })];
  if (schema.enum) {
    const options = schema.enum.map((value) => make('option', { textContent: value }));
    return [label, make('select', holder, ...(isRequired ? [] : [make('option')]), ...options)];
  }
  const type = name.includes('password') ? 'password' : 'text';
  return [label, make('input', { ...holder, type, autocomplete: 'off', spellcheck: false })];
}

/** Builds a request from a filled-in form. Empty fields are omitted. */
export function requestOf(
  { path, method }: { readonly path: string; readonly method: string },
  form: HTMLFormElement,
  { inputs, type }: Inputs,
): PlainRequest {
  const data = new FormData(form);
  const query = new URLSearchParams();
  const fields: (readonly [string, FormDataEntryValue, Schema])[] = [];
  let url = path;
  for (const { name, place, schema } of inputs) {
    const value = data.get(`${place} ${name}`);
    if (value === null || value === '' || (value instanceof File && value.name === '')) continue;
    if (place === 'path') url = url.replace(`{${name}}`, encodeURIComponent(textOf(value)));
    else if (place === 'query') query.append(name, textOf(value));
    else fields.push([name, value, schema]);
  }
  const isJson = type === 'application/json';
  return {
    url: query.size === 0 ? url : `${url}?${query}`,
    method: method.toUpperCase(),
    headers: isJson ? { 'Content-Type': type } : {},
    body: bodyOf(type, fields),
  };
}

function bodyOf(
  type: string | undefined,
  fields: readonly (readonly [string, FormDataEntryValue, Schema])[],
): BodyInit | undefined {
  if (type === undefined) return undefined;
  if (type === 'application/json') {
    return JSON.stringify(
      Object.fromEntries(fields.map(([name, value, schema]) => [name, valueOf(textOf(value), schema)])),
    );
  }
  if (type !== 'multipart/form-data') {
    return new URLSearchParams(fields.map(([name, value]) => [name, textOf(value)]));
  }
  const body = new FormData();
  for (const [name, value] of fields) body.append(name, value);
  return body;
}

function textOf(value: FormDataEntryValue): string {
  return typeof value === 'string' ? value : value.name;
}

/** The JSON value of a text: the text itself if a string is expected, or if the text is not valid JSON. */
function valueOf(text: string, { type }: Schema): unknown {
  if (type === 'string') return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
