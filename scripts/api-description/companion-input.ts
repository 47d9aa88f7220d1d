import { targetConstructorToSchema } from 'class-validator-jsonschema';
import { companionInputOf } from '../../src/platform/http/companion/companion-decorators';
import { parametersOf } from '../../src/platform/http/parameters/parameters.decorator';
import type { InputClass } from '../../src/platform/http/companion/valid-input';
import type { Route } from '../routes-table';
import { described, type Describe } from './main-input';
import type { OperationInput, ParameterObject, Schema } from '../../src/features/web/api-description/openapi';

/** The input of a route of the companion interface: IDs in the path, the query, and a JSON body. */
export function companionInput(route: Route, describe: Describe): OperationInput {
  const { body, query } = companionInputOf(route.controller, route.handler);
  const declared = parametersOf(route.controller, route.handler);
  const textOf = (name: string) => (declared === null ? objectOf(name) : describe(declared, name));
  const parameters = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) =>
    pathParameter(name!, textOf(name!)),
  );
  if (query !== null) {
    const { properties = {}, required = [] } = inputSchema(query, describe);
    parameters.push(
      ...Object.entries(properties).map(([name, { description = '', ...schema }]): ParameterObject => {
        return { name, in: 'query', required: required.includes(name), ...described(description), schema };
      }),
    );
  }
  if (body === null) return { parameters };
  const schema = { ...inputSchema(body, describe), additionalProperties: false };
  return { parameters, requestBody: { required: true, content: { 'application/json': { schema } } } };
}

/** The object that an ID names, from its parameter name. */
function objectOf(name: string): string {
  return `ID of the ${name.replace(/_id$/, '')}.`;
}

function pathParameter(name: string, text: string): ParameterObject {
  const schema: Schema = name.endsWith('id') ? { type: 'integer', minimum: 0 } : { type: 'string' };
  return { name, in: 'path', required: true, ...described(text), schema };
}

/** The schema required by the class's decorators, with its docstrings. */
export function inputSchema(input: InputClass, describe: Describe): Schema {
  const { properties = {}, ...schema } = targetConstructorToSchema(input) as Schema;
  const named = Object.entries(properties).map(([name, property]) => [
    name,
    { ...described(describe(input as never, name)), ...property },
  ]);
  return { ...schema, properties: Object.fromEntries(named) as Record<string, Schema> };
}
