import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The part of JSON Schema that answers and events are described with. */
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

/** What `scripts/derive-contract.ts` wrote down. */
export interface Contract {
  /** Schemas that others refer to, by name. */
  readonly definitions: Record<string, Schema>;
  /** By verb and path, as in `GET /streams/{stream_id}`. */
  readonly operations: Record<string, Operation>;
  /** By kind, as in `message` and `stream create`. */
  readonly events: Record<string, Schema>;
}

interface Operation {
  readonly parameters: readonly string[];
  /** By status. */
  readonly answers: Record<string, Schema>;
}

const REFERENCE = '#/definitions/';

/** The contract as the file has it, a new copy each time. */
export function readContract(): Contract {
  return JSON.parse(readFileSync(join(__dirname, '../../compat/contract.json'), 'utf8')) as Contract;
}

/** The name of the definition that a schema stands for, or null if it says itself what it means. */
export function referredName({ $ref }: Schema): string | null {
  return $ref === undefined ? null : $ref.slice($ref.lastIndexOf('/') + 1);
}

/** A schema that stands under its name among the definitions. */
export function referenceTo(definition: string): Schema {
  return { $ref: REFERENCE + definition };
}

/** The schemas inside a schema, each with its path: `.key`, `[]` for the members of a list, `{}` for those of a map. */
export function* partsOf(schema: Schema, path: string): Generator<readonly [Schema, string]> {
  for (const form of schema.anyOf ?? []) yield [form, path];
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    yield [property, path === '' ? key : `${path}.${key}`];
  }
  if (schema.items) yield [schema.items, `${path}[]`];
  if (schema.additionalProperties) yield [schema.additionalProperties, `${path}{}`];
}
