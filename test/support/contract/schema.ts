import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The part of JSON Schema used for answers and events. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: false | Schema;
  items?: Schema;
}

/** The output of `scripts/derive-contract.ts`. */
export interface Contract {
  /** Named schemas that others reference. */
  readonly definitions: Record<string, Schema>;
  /** By method and path, such as `GET /streams/{stream_id}`. */
  readonly operations: Record<string, Operation>;
  /** By kind, such as `message` and `stream create`. */
  readonly events: Record<string, Schema>;
}

interface Operation {
  readonly parameters: readonly string[];
  /** By status. */
  readonly answers: Record<string, Schema>;
}

const REFERENCE = '#/definitions/';

/** The contract from its file, a new copy each time. */
export function readContract(): Contract {
  return JSON.parse(readFileSync(join(__dirname, '../../compat/contract.json'), 'utf8')) as Contract;
}

/** The name of the definition that a schema references, or null if it is not a reference. */
export function referredName({ $ref }: Schema): string | null {
  return $ref === undefined ? null : $ref.slice($ref.lastIndexOf('/') + 1);
}

/** A reference to a definition. */
export function referenceTo(definition: string): Schema {
  return { $ref: REFERENCE + definition };
}

/** The direct subschemas with their paths: `.key`, `[]` for list items, `{}` for map values. */
export function* partsOf(schema: Schema, path: string): Generator<readonly [Schema, string]> {
  for (const form of schema.anyOf ?? []) yield [form, path];
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    yield [property, path === '' ? key : `${path}.${key}`];
  }
  if (schema.items) yield [schema.items, `${path}[]`];
  if (schema.additionalProperties) yield [schema.additionalProperties, `${path}{}`];
}
