import { uploadMessagesOf } from '../../src/platform/http/body/uploaded-file';
import {
  declaredParameters,
  type DeclaredParameter,
  type DtoClass,
} from '../../src/platform/http/parameters/parameter.decorator';
import { groupSettingChange, groupSettingValue } from '../../src/features/user-groups/groups/group-settings';
import { parametersOf } from '../../src/platform/http/parameters/parameters.decorator';
import type { Route } from '../routes-table';
import {
  type MediaType,
  type OperationInput,
  type ParameterObject,
  referenceTo,
  type Schema,
} from '../../src/features/web/api-description/openapi';

/** Returns the description of a DTO's property; empty if it has none. */
export type Describe = (dto: DtoClass, property: string) => string;

/** Any request of the main interface may name the client program. */
const CLIENT_PARAMETER = '#/components/parameters/client';

const JSON_TEXT = 'application/json';
const URL_ENCODED = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';

/** The parameters of a route of the main interface: in the path, in the query, in a form, with a file. */
export function mainInput(route: Route, describe: Describe): OperationInput {
  const dto = parametersOf(route.controller, route.handler);
  const declared = dto === null ? [] : declaredParameters(dto);
  const text = (parameter: DeclaredParameter) => (dto === null ? '' : describe(dto, parameter.property));
  const inPath = declared.filter((parameter) => parameter.inPath);
  const sent = declared.filter((parameter) => !parameter.inPath);
  const upload = uploadMessagesOf(route.controller.prototype as object, route.handler);
  const parameters = inPath.map((parameter) => pathParameter(parameter, text(parameter)));
  // If the caller sends another kind of body, parameters are in the URL.
  const takesForm = ['POST', 'PUT', 'PATCH'].includes(route.verb) && route.policy.scheme !== 'key';
  if (!takesForm)
    parameters.push(...sent.flatMap((parameter) => queryParameters(parameter, text(parameter))));
  parameters.push({ $ref: CLIENT_PARAMETER });
  if (!takesForm || (sent.length === 0 && upload === null)) return { parameters };
  const form = formSchema(sent, text);
  const encoding = encodingOf(sent);
  const content: Record<string, MediaType> =
    upload === null
      ? { [URL_ENCODED]: { schema: form, ...encoding } }
      : { [MULTIPART]: { schema: withFile(form, upload.missing !== null), ...encoding } };
  const required =
    (upload !== null && upload.missing !== null) || sent.some((parameter) => parameter.required);
  return { parameters, requestBody: { required, content } };
}

function pathParameter({ property, type }: DeclaredParameter, text: string): ParameterObject {
  return { name: property, in: 'path', required: true, ...described(text), schema: type.jsonSchema };
}

/** The parameter under its name, and under each alias. */
function queryParameters(parameter: DeclaredParameter, text: string): ParameterObject[] {
  const [first, ...others] = parameter.names;
  const required = parameter.required && others.length === 0;
  const value = isJson(parameter)
    ? { content: { [JSON_TEXT]: { schema: schemaOf(parameter) } } }
    : { schema: schemaOf(parameter) };
  const note = parameter.required && others.length > 0 ? 'Required, under one of its names.' : '';
  return [
    { name: first!, in: 'query', required, ...described(joined(text, note)), ...value },
    ...others.map((name): ParameterObject => ({
      name,
      in: 'query',
      required: false,
      ...described(otherNameOf(first!)),
      ...value,
    })),
  ];
}

function formSchema(
  sent: readonly DeclaredParameter[],
  text: (parameter: DeclaredParameter) => string,
): Schema {
  const properties: Record<string, Schema> = {};
  const conditions: Schema[] = [];
  for (const parameter of sent) {
    const [first, ...others] = parameter.names;
    properties[first!] = { ...described(text(parameter)), ...schemaOf(parameter) };
    for (const name of others)
      properties[name] = { ...described(otherNameOf(first!)), ...schemaOf(parameter) };
    if (others.length > 0) conditions.push(oneNameOf(parameter));
  }
  const required = sent.filter((parameter) => parameter.required && parameter.names.length === 1);
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required: required.map(({ property }) => property) }),
    ...(conditions.length > 0 && { allOf: conditions }),
  };
}

/** A parameter may be sent under one of its names, but not under two. */
function oneNameOf({ names, required }: DeclaredParameter): Schema {
  if (required) return { oneOf: names.map((name): Schema => ({ required: [name] })) };
  const pairs = names.flatMap((name, index) => names.slice(index + 1).map((other) => [name, other]));
  return { not: { anyOf: pairs.map((pair): Schema => ({ required: pair })) } };
}

function withFile(form: Schema, required: boolean): Schema {
  return {
    ...form,
    properties: {
      ...form.properties,
      file: {
        description:
          'The one file of the form, under any name. Fields that the server is to read come before it.',
        contentMediaType: 'application/octet-stream',
      },
    },
    ...(required && { required: [...(form.required ?? []), 'file'] }),
  };
}

/** Texts and numbers are sent literally; everything else as JSON. */
function encodingOf(sent: readonly DeclaredParameter[]): {
  encoding?: Record<string, { contentType: string }>;
} {
  const names = sent.filter(isJson).flatMap((parameter) => parameter.names);
  if (names.length === 0) return {};
  return { encoding: Object.fromEntries(names.map((name) => [name, { contentType: JSON_TEXT }])) };
}

/** Whether the value is JSON text that differs from the plain value: numbers and booleans do not. */
function isJson({ type }: DeclaredParameter): boolean {
  const plain = ['integer', 'number', 'boolean'];
  return 'check' in type && !plain.includes(type.jsonSchema.type as string);
}

function schemaOf({ type, fallback, example }: DeclaredParameter): Schema {
  return {
    ...withComponents(type.jsonSchema),
    ...(fallback === undefined ? {} : { default: fallback }),
    ...(example === undefined ? {} : { examples: [example] }),
  };
}

/** Common types of parameters, by component name; each may contain earlier ones. */
export const INPUT_COMPONENTS: Readonly<Record<string, Schema>> = {
  GroupSettingInput: groupSettingValue().jsonSchema,
  GroupSettingChange: groupSettingChange().jsonSchema,
};

/** The schema with components replaced by references. */
export function withComponents(schema: Schema): Schema {
  let text = JSON.stringify(schema);
  for (const [name, component] of Object.entries(INPUT_COMPONENTS).reverse()) {
    text = text.replaceAll(JSON.stringify(component), JSON.stringify(referenceTo(name)));
  }
  return JSON.parse(text) as Schema;
}

function otherNameOf(name: string): string {
  return `Another name of \`${name}\`.`;
}

export function described(description: string): { description?: string } {
  return description === '' ? {} : { description };
}

export function joined(...sentences: string[]): string {
  return sentences.filter((sentence) => sentence !== '').join(' ');
}
