import { type Difference, schemaOf } from './differences';
import { type Contract, partsOf, referenceTo, referredName, type Schema } from './schema';

/** A schema with its location, and its differences from the contract. */
export interface MarkedSchema extends Schema {
  anyOf?: MarkedSchema[];
  properties?: Record<string, MarkedSchema>;
  items?: MarkedSchema;
  /** Anchor and path, as in the first two columns of `differences.tsv`. */
  at?: string;
  /** The same for objects whose keys are recorded. */
  keysAt?: string;
  /** Keys that may be missing, with the difference for each. */
  mayMiss?: Record<string, string>;
  /** The difference that allows other values than the original. */
  unlike?: { readonly id: string; readonly original: Schema };
  /** For a key that is never present: the difference that allows this. */
  absent?: string;
  /** For a record with only some keys at a time: the difference that allows this. */
  partial?: string;
  /** For a key that the contract does not have: the difference that adds it. */
  extra?: string;
}

/**
 * The contract with the server's differences applied; each schema is marked with its location. Schemas are created on
 * demand, because a test file needs few of them. References are names of definitions.
 */
export class MarkedContract {
  /** Differences by anchor. */
  private readonly differences = new Map<string, Difference[]>();
  private readonly made = new Map<string, MarkedSchema>();

  constructor(
    private readonly contract: Contract,
    differences: readonly Difference[],
  ) {
    for (const difference of differences) {
      const others = this.differences.get(difference.anchor) ?? [];
      this.differences.set(difference.anchor, [...others, difference]);
    }
  }

  get operations(): string[] {
    return Object.keys(this.contract.operations);
  }

  definition(name: string): MarkedSchema | undefined {
    return this.make(name, () => this.contract.definitions[name]);
  }

  /** The schema of an operation's success, or of any failure in the envelope with a code. */
  answer(operation: string, status: number): MarkedSchema | undefined {
    if (status === 200)
      return this.make(operation, () => this.contract.operations[operation]?.answers['200']);
    if (!FAILURES.includes(status)) return undefined;
    return this.make(`${operation} ${status}`, () => this.failure(operation, status));
  }

  event(kind: string): MarkedSchema | undefined {
    return this.make(`event ${kind}`, () => this.contract.events[kind]);
  }

  /** @throws Error if a difference does not match the contract */
  checkPlaces(): void {
    for (const anchor of this.differences.keys()) {
      const [, operation = anchor, status = '200'] = /^([A-Z]+ \S+)(?: (\d+))?$/.exec(anchor) ?? [];
      const schema = anchor.startsWith('event ')
        ? this.event(anchor.replace('event ', ''))
        : (this.definition(anchor) ?? this.answer(operation, Number(status)));
      if (!schema) this.shapeDifferences(anchor).forEach(refusePlace);
    }
  }

  private make(anchor: string, source: () => Schema | undefined): MarkedSchema | undefined {
    const known = this.made.get(anchor);
    if (known) return known;
    const original = source();
    if (!original) return undefined;
    const schema: MarkedSchema = structuredClone(original);
    this.made.set(anchor, schema);
    for (const difference of this.shapeDifferences(anchor)) {
      if (!applyTo(schema, difference)) refusePlace(difference);
    }
    mark(schema, anchor, '');
    return schema;
  }

  private shapeDifferences(anchor: string): Difference[] {
    const all = this.differences.get(anchor) ?? [];
    return all.filter(({ kind }) => kind !== 'unsupported' && kind !== 'unknown');
  }

  /**
   * The failure schemas of the operation and those common to all operations, with the differences of the definitions
   * that contain them.
   */
  private failure(operation: string, status: number): Schema {
    const { operations } = this.contract;
    const own = operations[operation]?.answers[String(status)];
    const everywhere = Object.values(operations[EVERY_OPERATION]?.answers ?? {});
    const listed = [referenceTo('CodedError'), ...(own ? [own] : []), ...everywhere];
    // Copies, because a difference of one operation must not affect others with the same definition.
    const forms = listed
      .flatMap((schema) => schema.anyOf ?? [schema])
      .map((form) => this.definition(referredName(form) ?? '') ?? form)
      .map((form) =>
        JSON.stringify(form, (key, value: unknown) => (PLACES.includes(key) ? undefined : value)),
      );
    return { anyOf: [...new Set(forms)].map((form) => JSON.parse(form) as Schema) };
  }
}

/** The operation under which the contract lists common failures. */
const EVERY_OPERATION = 'POST /rest-error-handling';

/** Statuses of failures whose bodies are in the envelope with a code. */
const FAILURES = [400, 401, 403, 404, 409, 413, 429];

const PLACES = ['at', 'keysAt'];

function refusePlace({ id }: Difference): never {
  throw new Error(`differences.tsv: the contract has no place for ${id}`);
}

/** Applies a difference to the schemas at its path; false if there are none. */
function applyTo(anchor: MarkedSchema, { id, path, kind, type }: Difference): boolean {
  const dot = path.lastIndexOf('.');
  const key = path.slice(dot + 1);
  const parents = schemasAt(anchor, path.slice(0, Math.max(dot, 0))).filter(({ properties }) => properties);
  const places = outermostAt(anchor, path);
  if (kind === 'extra' && places.length > 0) return false;
  if (kind === 'absent' || kind === 'optional') {
    for (const parent of parents) parent.required = parent.required?.filter((name) => name !== key);
  }
  if (kind === 'optional') {
    for (const parent of parents) parent.mayMiss = { ...parent.mayMiss, [key]: id };
  }
  if (kind === 'extra') {
    for (const { properties } of parents) if (properties) properties[key] = { ...schemaOf(type), extra: id };
  }
  for (const place of places) {
    if (kind === 'absent') place.absent = id;
    if (kind === 'partial') place.partial = id;
    if (kind === 'value') replace(place, { ...schemaOf(type), unlike: { id, original: { ...place } } });
  }
  return (kind === 'extra' ? parents : places).length > 0;
}

function replace(schema: MarkedSchema, by: MarkedSchema): void {
  for (const part of Object.keys(schema)) delete schema[part as keyof MarkedSchema];
  Object.assign(schema, by);
}

/** The schemas at a path, which may be alternatives of one value; definitions are not followed. */
function schemasAt(schema: MarkedSchema, path: string, from = ''): MarkedSchema[] {
  const inner = partsToward(path, schema, from).flatMap(([part, at]) => schemasAt(part, path, at));
  return path === from ? [schema, ...inner] : inner;
}

/** The same without nested alternatives. */
function outermostAt(schema: MarkedSchema, path: string, from = ''): MarkedSchema[] {
  if (path === from) return [schema];
  return partsToward(path, schema, from).flatMap(([part, at]) => outermostAt(part, path, at));
}

function partsToward(path: string, schema: Schema, from: string): (readonly [Schema, string])[] {
  return [...partsOf(schema, from)].filter(([, at]) => path.startsWith(at));
}

function mark(schema: MarkedSchema, anchor: string, path: string): void {
  schema.at = `${anchor}\t${path}`;
  if (schema.properties) schema.keysAt = schema.at;
  const name = referredName(schema);
  if (name !== null) schema.$ref = name;
  for (const [part, partPath] of partsOf(schema, path)) mark(part, anchor, partPath);
  if (schema.unlike) mark(schema.unlike.original, anchor, path);
}
