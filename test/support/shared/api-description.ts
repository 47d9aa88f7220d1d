import Ajv2020, { type ErrorObject, type ValidateFunction } from 'ajv/dist/2020';
import {
  type OpenApiDocument,
  type Operation,
  referredName,
  type ResponseObject,
  type Schema,
} from '../../../src/features/web/api-description/openapi';
import { readApiDescription } from '../description/openapi';

/** Statuses possible for any request, whatever its route. */
const ANYWHERE = [400, 404, 405, 408, 411, 413, 414, 415, 417, 421, 431, 500, 503];

/** The parts of an answer that are checked. */
export interface CheckedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  readonly body: unknown;
}

interface Described {
  readonly name: string;
  readonly verb: string;
  readonly path: RegExp;
  readonly operation: Operation;
}

/** The description of an answer. */
export interface DescribedAnswer {
  /** Route and status, for messages. */
  readonly name: string;
  readonly schema: Schema;
}

/**
 * The server's API description, for checking answers. Compiling a schema takes longer than many tests: it happens on
 * demand, and all test files share the result.
 */
export class ApiDescription {
  private readonly operations: readonly Described[];
  private readonly ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    allErrors: false,
    // Optimizing takes half of the compile time, more than it saves.
    code: { optimize: false },
  });
  private readonly validators = new Map<string, ValidateFunction>();
  private readonly responses: Readonly<Record<string, ResponseObject>>;
  /** Types of the events that the server declares. */
  readonly eventTypes: ReadonlySet<unknown>;

  constructor(private readonly document: OpenApiDocument) {
    this.responses = document.components.responses;
    this.eventTypes = new Set(eventTypesOf(document));
    this.operations = Object.entries(document.paths)
      .flatMap(([path, operations]) =>
        Object.entries(operations).map(([method, operation]) => describedAt(path, method, operation)),
      )
      .sort((a, b) => vagueness(a) - vagueness(b));
    this.ajv.addSchema({ $id: 'description', components: closed(document.components) as object });
  }

  /**
   * The description of an answer's body; null if no route matches, or the body is not JSON.
   * @throws Error for an undescribed status or content type
   */
  find(verb: string, url: string, { status, headers, body }: CheckedAnswer): DescribedAnswer | null {
    const path = pathOf(url);
    const found = this.operations.find((described) => described.verb === verb && described.path.test(path));
    if (!found) return null;
    const { operation, name } = found;
    const response =
      operation.responses[status] ?? (ANYWHERE.includes(status) ? operation.responses.default : undefined);
    if (!response) throw new Error(`${name} answered ${status}, ${MISSING}: ${JSON.stringify(body)}`);
    const { content = {} } = this.resolved(response);
    const type = String(headers['content-type'] ?? '').split(';')[0] as string;
    const schema = (content[type] ?? content['*/*'])?.schema;
    if (schema === undefined) {
      if (type === '' || isEmpty(body)) return null;
      throw new Error(`${name} answered ${status} with ${type}, ${MISSING}`);
    }
    return type === 'application/json' ? { name: `${name} ${status}`, schema } : null;
  }

  private resolved(response: ResponseObject): ResponseObject {
    return response.$ref
      ? (this.responses[response.$ref.split('/').at(-1) as string] as ResponseObject)
      : response;
  }

  /** @throws Error naming the parts of the body that do not match */
  checkBody({ name, schema }: DescribedAnswer, body: unknown): void {
    let fits = this.validators.get(name);
    if (!fits) this.validators.set(name, (fits = this.ajv.compile(closed(schema) as object)));
    if (fits(body)) return;
    const problems = this.problemsOf(closed(schema) as Schema, body).slice(0, 12);
    throw new Error(
      `${name} is not as the API description has it. Give the handler its true type, and run npm run docs.` +
        problems.map((problem) => `\n    ${problem}`).join(''),
    );
  }

  /** The problems of a value; among alternatives, those of the most similar one. */
  private problemsOf(schema: Schema, value: unknown, at = ''): string[] {
    const name = referredName({ $ref: schema.$ref?.replace('description', '') });
    if (name !== null)
      return this.problemsOf(closed(this.document.components.schemas[name]) as Schema, value, at);
    if (schema.anyOf) {
      const [closest] = schema.anyOf
        .map((form) => this.problemsOf(form, value, at))
        .sort((a, b) => weight(a) - weight(b));
      return closest ?? [];
    }
    if (Array.isArray(value) && schema.items) {
      return value.flatMap((item, index) => this.problemsOf(schema.items as Schema, item, `${at}[${index}]`));
    }
    const inner = Object.entries(schema.properties ?? {}).flatMap(([key, property]) =>
      isRecord(value) && key in value ? this.problemsOf(property, value[key], `${at}.${key}`) : [],
    );
    const validate = this.ajv.compile({
      ...schema,
      ...(schema.properties && { properties: opened(schema.properties) }),
    });
    if (validate(value)) return inner;
    return [
      ...(validate.errors ?? []).map((error) => `${at || 'the whole'}${described(error)} (${shown(value)})`),
      ...inner,
    ];
  }
}

/** The committed description. */
export const apiDescription = new ApiDescription(readApiDescription());

/** Types of the events that the server declares. */
function eventTypesOf({ components }: OpenApiDocument): unknown[] {
  const events = Object.entries(components.schemas).filter(([name]) => name.endsWith('Event'));
  return events.flatMap(([, { anyOf, properties }]) =>
    (anyOf ?? [{ properties }]).map((form) => form.properties?.type?.const),
  );
}

const MISSING =
  'which the API description does not have (a tag @answers of the handler says so; then npm run docs)';

/** A wrong constant indicates that another alternative was meant. */
function weight(problems: readonly string[]): number {
  return problems.length + 100 * problems.filter((problem) => problem.includes('constant')).length;
}

function described({ instancePath, message, params }: ErrorObject): string {
  const key = (params as { additionalProperty?: string }).additionalProperty;
  return `${instancePath} ${message ?? ''}${key === undefined ? '' : `: ${key}`}`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > 200 ? `${text.slice(0, 200)}...` : text;
}

/** Schemas that refuse undescribed keys, because clients would not know of them. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, part]) => [
    key,
    key === '$ref' ? `description${part as string}` : closed(part),
  ]);
  const schema = Object.fromEntries(entries) as Schema;
  const isOpen =
    isRecord(schema.properties) && schema.type === 'object' && !('additionalProperties' in schema);
  return isOpen && !isRefusal(schema) ? { ...schema, additionalProperties: false } : schema;
}

/** Codes of the main interface have additional keys. */
function isRefusal({ properties }: Schema): boolean {
  return properties?.result?.const === 'error';
}

function opened(properties: Record<string, Schema>): Record<string, Schema> {
  return Object.fromEntries(Object.keys(properties).map((key) => [key, {}]));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEmpty(body: unknown): boolean {
  return body === '' || body === undefined || (Buffer.isBuffer(body) && body.length === 0);
}

/** The path as the router sees it. */
function pathOf(url: string): string {
  const path = url.replace(/^https?:\/\/[^/]*/i, '').replace(/[?#].*$/s, '');
  return path.replace(/\/{2,}/g, '/');
}

/** IDs are digits; anything else belongs to another route, or to none. */
function describedAt(path: string, method: string, operation: Operation): Described {
  const verb = method.toUpperCase();
  const isId = (name: string) =>
    operation.parameters.some((parameter) => parameter.name === name && parameter.schema?.type === 'integer');
  const pattern = path
    .replace(/[.]/g, '\\.')
    .replace(/\{(\w+)\}/g, (_, name: string) => (isId(name) ? '\\d+' : '[^/]+'));
  return { name: `${verb} ${path}`, verb, path: new RegExp(`^${pattern}$`), operation };
}

/** Sorts literal paths before those with parameters. */
function vagueness({ path: { source } }: Described): number {
  return source.split('\\d+').length + 10 * source.split('[^').length;
}
