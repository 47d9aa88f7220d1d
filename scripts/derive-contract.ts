import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/**
 * `npx ts-node scripts/derive-contract.ts <openapi.yaml>`: writes `test/compat/contract.json`, derived from the
 * description of Zulip's interface: the schemas of answers and events, and the names of parameters, without
 * descriptions and examples. The output is deterministic.
 *
 * Answers become JSON Schema. `allOf` is merged, because allowed keys cannot be checked piecewise; named schemas of the
 * description stay shared definitions; `oneOf` becomes `anyOf`, because its alternatives overlap.
 */

/** A schema in the description. */
interface Source {
  readonly $ref?: string;
  readonly allOf?: readonly Source[];
  readonly oneOf?: readonly Source[];
  readonly type?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Source>>;
  readonly required?: readonly string[];
  readonly items?: Source;
  readonly additionalProperties?: boolean | Source;
}

/** The part of JSON Schema used for answers. */
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

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Source }>>;
  readonly $ref?: string;
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const [, , descriptionFile] = process.argv;
if (!descriptionFile) throw new Error('Which description? scripts/derive-contract.ts <openapi.yaml>');
const description = parse(readFileSync(descriptionFile, 'utf8'), { maxAliasCount: -1 }) as Description;

/** Schemas shorter than this are inlined instead of named. */
const INLINE_BELOW = 60;

const definitions = new Map<string, Schema>();

function resolve<T>(reference: string): T {
  let node: unknown = description;
  for (const part of reference.slice(2).split('/')) node = (node as Record<string, unknown>)[part];
  if (node === undefined) throw new Error(`The description has no ${reference}.`);
  return node as T;
}

function sorted<T>(entries: Iterable<readonly [string, T]>): Record<string, T> {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : Number(a > b))));
}

/** Whether a schema constrains values, rather than only describing them. */
function saysSomething({ $ref, allOf, oneOf, type, nullable, properties, ...rest }: Source): boolean {
  const { required, items, additionalProperties } = rest;
  const said = [
    $ref,
    allOf,
    oneOf,
    type,
    nullable,
    properties,
    required,
    items,
    additionalProperties,
    rest.enum,
  ];
  return said.some((part) => part !== undefined);
}

/** One schema with the constraints of all parts. */
function merge(parts: readonly Source[]): Source {
  const merged: { -readonly [Key in keyof Source]: Source[Key] } = {};
  for (const part of parts) {
    const { $ref, allOf, properties, required, ...rest } = part;
    const inner = merge(
      [...($ref ? [resolve<Source>($ref)] : []), ...(allOf ?? [])].map((each) => merge1(each)),
    );
    for (const each of [inner, { ...rest, properties, required }]) {
      for (const [key, property] of Object.entries(each.properties ?? {})) {
        const known = merged.properties?.[key];
        merged.properties = { ...merged.properties, [key]: known ? together(known, property) : property };
      }
      if (each.required) merged.required = [...new Set([...(merged.required ?? []), ...each.required])];
      for (const key of ['type', 'nullable', 'enum', 'oneOf', 'items', 'additionalProperties'] as const) {
        if (each[key] !== undefined) Object.assign(merged, { [key]: each[key] });
      }
    }
  }
  return merged;
}

function merge1(part: Source): Source {
  return part.$ref || part.allOf ? merge([part]) : part;
}

/** The combined constraints of two parts on the same key; a reference stays if only one of them constrains it. */
function together(first: Source, second: Source): Source {
  if (!saysSomething(second)) return first;
  if (!saysSomething(first)) return second;
  return { allOf: [first, second] };
}

function derive(source: Source): Schema {
  if (source.$ref) return reference(source.$ref);
  if (source.allOf) {
    const { allOf, ...rest } = source;
    const parts = [...allOf, rest].filter(saysSomething);
    return parts.length === 1 ? derive(parts[0] as Source) : derive(merge(parts));
  }
  const schema: Schema = {};
  if (source.type) schema.type = source.type;
  if (source.enum) schema.enum = [...source.enum];
  if (source.properties) {
    schema.type = 'object';
    schema.properties = sorted(
      Object.entries(source.properties).map(([key, property]) => [key, derive(property)] as const),
    );
  }
  if (source.required) schema.required = [...source.required].sort();
  if (source.items) schema.items = derive(source.items);
  if (typeof source.additionalProperties === 'object') {
    schema.additionalProperties = derive(source.additionalProperties);
  }
  if (source.additionalProperties === false) schema.additionalProperties = false;
  if (source.oneOf) Object.assign(schema, alternatives(source.oneOf.map(derive)));
  return source.nullable ? orNull(schema) : schema;
}

/** Combines alternatives into one list of types if they are nothing else. */
function alternatives(forms: Schema[]): Schema {
  const [first] = forms;
  if (first && forms.length === 1) return first;
  const plain = forms.every(({ type, ...rest }) => type !== undefined && Object.keys(rest).length === 0);
  return plain ? { type: forms.flatMap(({ type }) => type as string | string[]) } : { anyOf: forms };
}

function orNull(schema: Schema): Schema {
  if (schema.$ref || schema.anyOf) return { anyOf: [...(schema.anyOf ?? [schema]), { type: 'null' }] };
  if (!schema.type) return schema;
  const nullable: Schema = { ...schema, type: [...new Set([schema.type, 'null'].flat())] };
  if (schema.enum) nullable.enum = [...schema.enum, null];
  return nullable;
}

function reference(name: string): Schema {
  const short = name.slice(name.lastIndexOf('/') + 1);
  if (!definitions.has(short)) {
    // The name is reserved before the schema is derived, because it may be recursive.
    definitions.set(short, {});
    definitions.set(short, derive(resolve<Source>(name)));
  }
  const definition = definitions.get(short) as Schema;
  if (definition.$ref || JSON.stringify(definition).length < INLINE_BELOW) return definition;
  return { $ref: `#/definitions/${short}` };
}

function contentOf(content: Content): Record<string, { readonly schema: Source }> {
  return (content.$ref ? resolve<Content>(content.$ref) : content).content ?? {};
}

function answersOf(operation: Operation): Record<string, Schema> {
  const answers = Object.entries(operation.responses).flatMap(([status, response]) => {
    const json = contentOf(response)['application/json'];
    return json ? [[status, derive(json.schema)] as const] : [];
  });
  return sorted(answers);
}

/** The names of all parameters that are not part of the path. */
function parametersOf({ parameters = [], requestBody = {} }: Operation): string[] {
  const declared = parameters.map((parameter) =>
    parameter.$ref ? resolve<Parameter>(parameter.$ref) : parameter,
  );
  const named = declared.filter((parameter) => parameter.in !== 'path').map(({ name }) => name);
  const fields = Object.values(contentOf(requestBody)).flatMap(({ schema }) =>
    Object.keys(merge1(schema).properties ?? {}),
  );
  return [...new Set([...named, ...fields])].sort();
}

/** Schemas of an event by type and operation, as `npm run events` names them. */
function eventsOf(events: Source): Record<string, Schema> {
  const forms = (events.items?.oneOf ?? []).map((form) => {
    const schema = derive(merge([form]));
    const [type, op] = ['type', 'op'].map((key) => schema.properties?.[key]?.enum?.[0] as string | undefined);
    return [op === undefined ? String(type) : `${type} ${op}`, schema] as const;
  });
  return sorted(forms);
}

const operations: Record<string, { parameters: string[]; answers: Record<string, Schema> }> = {};
let events: Record<string, Schema> = {};
for (const [path, methods] of Object.entries(description.paths)) {
  for (const [method, operation] of Object.entries(methods)) {
    const name = `${method.toUpperCase()} ${path}`;
    const answers = answersOf(operation);
    const list = answers['200']?.properties?.events;
    if (name === 'GET /events' && list) {
      const success = contentOf(operation.responses['200'] as Content)['application/json'];
      events = eventsOf(merge1(success?.schema as Source).properties?.events as Source);
      list.items = {};
    }
    operations[name] = { parameters: parametersOf(operation), answers };
  }
}

/** The definitions that are still referenced. */
function usedDefinitions(): Record<string, Schema> {
  const used = new Set<string>();
  const visit = (text: string): void => {
    for (const [, name] of text.matchAll(/#\/definitions\/(\w+)/g)) {
      if (!name || used.has(name)) continue;
      used.add(name);
      visit(JSON.stringify(definitions.get(name)));
    }
  };
  visit(JSON.stringify([operations, events]));
  return sorted([...definitions].filter(([name]) => used.has(name)));
}

/** One line per entry, so that diffs between two levels are readable. */
function section(name: string, entries: Record<string, unknown>): string {
  const lines = Object.entries(entries).map(
    ([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`,
  );
  return `${JSON.stringify(name)}: {\n${lines.join(',\n')}\n }`;
}

const sections = [
  section('definitions', usedDefinitions()),
  section('operations', sorted(Object.entries(operations))),
  section('events', events),
];
const target = join(__dirname, '../test/compat/contract.json');
writeFileSync(target, `{\n ${sections.join(',\n ')}\n}\n`);
