import type { ErrorObject } from 'ajv';
import type { MarkedSchema } from './marked-contract';

type ErrorsOf = (schema: MarkedSchema, value: unknown) => ErrorObject[];

/** Problems with their locations, each with the start of the line of `differences.tsv` that would list it. */
export function explain(errors: readonly ErrorObject[], errorsOf: ErrorsOf): string[] {
  const alternatives = errors.filter(({ keyword }) => keyword === 'anyOf');
  const outermost = alternatives.filter(
    ({ instancePath }) => !alternatives.some((other) => instancePath.startsWith(`${other.instancePath}/`)),
  );
  const isInside = ({ instancePath }: ErrorObject) =>
    outermost.some((form) => `${instancePath}/`.startsWith(`${form.instancePath}/`));
  return [
    ...outermost.flatMap((error) => explainAlternatives(error, errorsOf)),
    ...errors.filter((error) => !isInside(error)).map(explainOne),
  ];
}

/** The problems with the most similar alternative. */
function explainAlternatives(error: ErrorObject, errorsOf: ErrorsOf): string[] {
  const forms = (error.schema as MarkedSchema[]).map((form) => errorsOf(form, error.data));
  const isOtherType = ({ keyword, instancePath }: ErrorObject) => keyword === 'type' && instancePath === '';
  const strangers = (list: ErrorObject[]) =>
    list.filter(({ keyword }) => keyword === 'additionalProperties').length;
  const [closest] = forms
    .filter((list) => !list.some(isOtherType))
    .sort((a, b) => strangers(a) - strangers(b) || a.length - b.length);
  if (!closest) return [explainOne(error)];
  const placed = closest.map((each) => ({ ...each, instancePath: error.instancePath + each.instancePath }));
  return explain(placed, errorsOf);
}

function explainOne({ keyword, instancePath, params, parentSchema, data }: ErrorObject): string {
  const schema = parentSchema as MarkedSchema;
  const [anchor = '', path = ''] = (schema.at ?? '').split('\t');
  const key = (params.additionalProperty ?? params.missingProperty) as string | undefined;
  const where = instancePath === '' ? 'the whole' : instancePath.slice(1).replaceAll('/', '.');
  const row = (difference: string) => {
    const place = key === undefined ? path : path === '' ? key : `${path}.${key}`;
    return `\n      ${anchor}\t${place}\t${difference}`;
  };
  if (keyword === 'additionalProperties') {
    const value = (data as Record<string, unknown>)[key as string];
    return `${where}: unexpected key '${key}' (${shown(value)})${row(`extra ${typeOf(value)}`)}`;
  }
  if (keyword === 'required') return `${where}: missing key '${key}'${row('optional')}`;
  const allowed = schema.enum
    ? JSON.stringify(schema.enum)
    : [schema.type ?? 'one of the forms'].flat().join(', ');
  return `${where}: ${shown(data)} instead of ${allowed}${row(`value ${typeOf(data)}`)}`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}...` : text;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length > 0 ? `${typeOf(value[0])}[]` : 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}
