import { type Html, markup } from '../../../platform/pages/html';
import type { Content, OpenApiDocument, Operation, ParameterObject } from './openapi';
import { referredName, type Schema } from './schema';

/** What stands for who calls, by the way in which an operation is told. */
const CREDENTIALS: Readonly<Record<string, string>> = {
  apiKey: '-u "$EMAIL:$KEY"',
  token: '-H "Authorization: Bearer $TOKEN"',
  webhookSecret: '-H "X-Webhook-Secret: $SECRET"',
  metricsToken: '-H "Authorization: Bearer $TOKEN"',
};

/** Objects within objects of which no example says what is in them. */
const DEEPEST = 4;

/** How to call an operation with curl, with values for what it requires. */
export function exampleHtml(
  document: OpenApiDocument,
  method: string,
  path: string,
  operation: Operation,
): Html {
  const own = operation.parameters.filter(({ $ref, required }) => $ref === undefined && required === true);
  const inPath = new Map(own.filter(({ in: place }) => place === 'path').map((each) => [each.name, each]));
  const filledIn = path.replace(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(asText(valueOf(document, schemaOf(inPath.get(name)), name))),
  );
  const words = [
    'curl -sS',
    ...(method === 'get' ? [] : [`-X ${method.toUpperCase()}`]),
    ...operation.security
      .slice(0, 1)
      .flatMap((way) => Object.keys(way).map((name) => CREDENTIALS[name] ?? '')),
    ...own.filter(({ in: place }) => place === 'query').map((each) => queryWord(document, each)),
    ...bodyWords(document, operation.requestBody?.content),
  ];
  const isQuery = method === 'get' && words.some((word) => word.startsWith('--data-urlencode'));
  const lines = [`${words[0]}${isQuery ? ' -G' : ''} "$SITE${filledIn}"`, ...words.slice(1)];
  return markup`<details class="example">
    <summary>Example</summary>
    <pre tabindex="0"><code>${lines.filter((line) => line !== '').join(' \\\n  ')}</code></pre>
  </details>`;
}

function queryWord(document: OpenApiDocument, parameter: ParameterObject): string {
  const value = valueOf(document, schemaOf(parameter), parameter.name ?? '');
  return `--data-urlencode ${quoted(`${parameter.name}=${asText(value)}`)}`;
}

function bodyWords(document: OpenApiDocument, content: Content | undefined): string[] {
  const [type, body] = Object.entries(content ?? {})[0] ?? [];
  if (type === undefined) return [];
  if (type === 'application/json') {
    const value = valueOf(document, body?.schema ?? {}, '');
    return [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(value))}`];
  }
  const isFile = type === 'multipart/form-data';
  const { properties = {}, required = [] } = body?.schema ?? {};
  return required.map((name) => {
    const value = valueOf(document, properties[name] ?? {}, name);
    if (!isFile) return `--data-urlencode ${quoted(`${name}=${asText(value)}`)}`;
    return `-F ${quoted(`${name}=${properties[name]?.format === 'binary' ? '@picture.png' : asText(value)}`)}`;
  });
}

function schemaOf(parameter: ParameterObject | undefined): Schema {
  return parameter?.schema ?? parameter?.content?.['application/json']?.schema ?? {};
}

/** A value that the schema takes, as far as it says so. */
function valueOf(document: OpenApiDocument, schema: Schema, name: string, depth = 0): unknown {
  const referred = referredName(schema);
  if (referred !== null) {
    return valueOf(document, document.components.schemas[referred] ?? {}, name, depth + 1);
  }
  if (Array.isArray(schema.examples)) return schema.examples[0];
  if ('const' in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  const [form] = schema.anyOf ?? schema.oneOf ?? [];
  if (form) return valueOf(document, form, name, depth);
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
  if (type === 'object') return objectOf(document, schema, depth);
  if (type === 'array')
    return depth > DEEPEST || !schema.items ? [] : [valueOf(document, schema.items, name, depth + 1)];
  if (type === 'boolean') return true;
  return type === 'integer' || type === 'number'
    ? Math.max(1, Number(schema.minimum ?? 1))
    : name.toUpperCase();
}

function objectOf(
  document: OpenApiDocument,
  { properties = {}, required = [] }: Schema,
  depth: number,
): object {
  const names = depth > DEEPEST ? [] : required;
  return Object.fromEntries(
    names.map((name) => [name, valueOf(document, properties[name] ?? {}, name, depth + 1)]),
  );
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** For a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
