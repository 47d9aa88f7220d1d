import { referredName, type Schema } from './schema';
import { markup, Html, NOTHING, prose } from '../../../platform/pages/html';

/** Where a component is described on the page. */
export function anchorOf(component: string): string {
  return `schema-${component}`;
}

/** The kind of a value in a few words, with links to the components it is made of. */
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

/** One named value: its name, its kind, and its meaning. */
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

/** Values as they are written, where the schema has examples. */
function examplesOf({ examples }: Schema): Html {
  if (!Array.isArray(examples)) return NOTHING;
  return markup` <i>such as ${either(examples.map((example) => markup`<code>${JSON.stringify(example)}</code>`))}</i>`;
}

/** Lets a long name break between its words. */
function brokenAtWords(name: string): Html {
  const words = name.split(/(?<=_)(?=.)/);
  return markup`${words.map((word, index) => (index === 0 ? markup`${word}` : markup`<wbr>${word}`))}`;
}
