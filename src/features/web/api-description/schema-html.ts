import {
  type Content,
  type OpenApiDocument,
  type Operation,
  type ParameterObject,
  referredName,
  type Schema,
} from './openapi';
import { Html, markup, NOTHING, prose } from '../../../platform/pages/web-page';

/** The anchor of a component on the page. */
export function anchorOf(component: string): string {
  return `schema-${component}`;
}

/** The type of a value in a few words, with links to its components. */
export function kindOf(schema: Schema): Html {
  const name = referredName(schema);
  if (name !== null) return markup`<a href="#${anchorOf(name)}">${name}</a>`;
  if ('const' in schema) return markup`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum) return either(schema.enum.map((value) => markup`<code>${JSON.stringify(value)}</code>`));
  const forms = schema.anyOf ?? schema.oneOf;
  if (forms) return either(forms.map((form) => kindOf(form)));
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  if (types.length === 0) return markup`anything`;
  return either(types.map((type) => plainKind(type, schema)));
}

function plainKind(type: string, schema: Schema): Html {
  if (type === 'array' && schema.maxItems === 0) return markup`empty list`;
  if (type === 'array') return markup`list of ${schema.items ? kindOf(schema.items) : markup`values`}`;
  if (type !== 'object') return markup`${type}${limitsOf(schema)}`;
  const { properties, additionalProperties: entries } = schema;
  return !properties && typeof entries === 'object' ? markup`map to ${kindOf(entries)}` : markup`object`;
}

function limitsOf({ minimum, maximum, minLength, maxLength, format }: Schema): string {
  const words = [
    typeof format === 'string' ? format : null,
    minimum === undefined ? null : `≥ ${Number(minimum)}`,
    maximum === undefined ? null : `≤ ${Number(maximum)}`,
    minLength === undefined ? null : `at least ${Number(minLength)} characters`,
    maxLength === undefined ? null : `at most ${Number(maxLength)} characters`,
  ].filter((word) => word !== null);
  return words.length === 0 ? '' : ` (${words.join(', ')})`;
}

function either(kinds: readonly Html[]): Html {
  const distinct = [...new Map(kinds.map((kind) => [kind.text, kind])).values()];
  return new Html(distinct.map(({ text }) => text).join(' or '));
}

/** The keys of a value, one per row, with nested keys beneath; empty for a value without keys. */
export function keysOf(schema: Schema, hidden: readonly string[] = []): Html {
  const forms = schema.anyOf ?? schema.oneOf;
  if (forms) return markup`${forms.map((form) => keysOf(form, hidden))}`;
  if (schema.items) return keysOf(schema.items, hidden);
  const entries = Object.entries(schema.properties ?? {}).filter(([name]) => !hidden.includes(name));
  if (entries.length === 0) {
    return typeof schema.additionalProperties === 'object' ? keysOf(schema.additionalProperties) : NOTHING;
  }
  const rows = entries.map(([name, property]) =>
    row(name, property, schema.required?.includes(name) ? NOTHING : markup`<i>may be missing</i>`),
  );
  return markup`<dl>${rows}</dl>`;
}

/** One named value: its name, type and meaning. */
export function row(name: string, schema: Schema, note: Html, description = schema.description ?? ''): Html {
  const fallback =
    schema.default === undefined
      ? NOTHING
      : markup` <i>default <code>${JSON.stringify(schema.default)}</code></i>`;
  return markup`<div>
    <dt><code>${brokenAtWords(name)}</code></dt>
    <dd>
      <span class="kind">${kindOf(schema)}</span> ${note}${fallback}${examplesOf(schema)}${
        description === '' ? NOTHING : markup`<p>${prose(description)}</p>`
      }${keysOf(schema)}
    </dd>
  </div>`;
}

/** The schema's examples, as written in requests. */
function examplesOf({ examples }: Schema): Html {
  if (!Array.isArray(examples)) return NOTHING;
  return markup` <i>such as ${either(examples.map((example) => markup`<code>${JSON.stringify(example)}</code>`))}</i>`;
}

/** Allows line breaks between the words of a long name. */
function brokenAtWords(name: string): Html {
  const words = name.split(/(?<=_)(?=.)/);
  return markup`${words.map((word, index) => (index === 0 ? markup`${word}` : markup`<wbr>${word}`))}`;
}

/** Placeholders for credentials, by authentication method. */
const CREDENTIALS: Readonly<Record<string, string>> = {
  apiKey: '-u "$EMAIL:$KEY"',
  token: '-H "Authorization: Bearer $TOKEN"',
  webhookSecret: '-H "X-Webhook-Secret: $SECRET"',
  metricsToken: '-H "Authorization: Bearer $TOKEN"',
};

/** Maximum nesting of objects without examples. */
const DEEPEST = 4;

/** A curl command for an operation, with values for its required parameters. */
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

/** A value that matches the schema, as far as the schema is specific. */
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

/** Quotes text for a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
