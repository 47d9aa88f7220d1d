import { ADVERTISED_VERSION, FEATURE_LEVEL } from '../../src/platform/version';
import { currentRoutes, type Route, who } from '../routes-table';
import { isMain, responsesOf } from './answers';
import {
  COMMON_PARAMETERS,
  COMMON_RESPONSES,
  COMMON_SCHEMAS,
  INTRODUCTION,
  SECURITY_SCHEMES,
} from './shared-parts';
import { companionInput } from './companion-input';
import { addEvents, addMessageFields, addState } from './events-and-state';
import { addLinks } from './links';
import { type Describe, INPUT_COMPONENTS, joined, mainInput, withComponents } from './main-input';
import type {
  OpenApiDocument,
  Operation,
  OperationInput,
  Schema,
} from '../../src/features/web/api-description/openapi';
import { type HandlerSource, ServerProgram } from './server-program';
import { supplements } from './supplements';
import { TypeSchemas } from './type-schemas';

/** @public loaded with the rest */
export { renderPage } from '../../src/features/web/api-description/page';

const ROLES = ['owner', 'administrator', 'moderator', 'member', 'guest'];

/**
 * Describes every route of the program from its decorators, DTOs, types and docstrings.
 * @public loaded only when needed
 */
export async function describeProgram(): Promise<OpenApiDocument> {
  const routes = await currentRoutes();
  const program = new ServerProgram();
  const schemas = new TypeSchemas(program.checker);
  addMessageFields(program, schemas);
  addEvents(program, schemas);
  addState(program, schemas);
  const describe: Describe = (dto, property) => program.propertyDocstring(dto.name, property);
  const paths: OpenApiDocument['paths'] = {};
  const tags = new Set<string>();
  // In reverse order, so that `{user_id}` names a path rather than `{email}`.
  for (const route of [...routes].reverse()) {
    const source = program.handler(route.controller.name, route.handler);
    const operation = describeRoute(route, source, schemas, describe);
    operation.tags.forEach((tag) => tags.add(tag));
    addOperation(paths, route, operation);
  }
  addLinks(paths);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parley',
      version: ADVERTISED_VERSION,
      description: INTRODUCTION.join('\n\n'),
      'x-feature-level': FEATURE_LEVEL,
    },
    servers: [{ url: '/' }],
    tags: [...tags].sort().map((name) => ({ name, description: program.featureDocstring(name) || SERVER })),
    paths: Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1))),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters: COMMON_PARAMETERS,
      responses: COMMON_RESPONSES,
      schemas: Object.fromEntries(
        [...Object.entries(COMMON_SCHEMAS), ...inputComponents(), ...schemas.components].sort(([a], [b]) =>
          a < b ? -1 : 1,
        ),
      ),
    },
  };
}

/** Shared components of parameters, each with references to the others. */
function inputComponents(): [string, Schema][] {
  const { GroupSettingInput, GroupSettingChange } = INPUT_COMPONENTS;
  const { properties = {} } = GroupSettingChange!;
  const inner = Object.entries(properties).map(([key, schema]) => [key, withComponents(schema)]);
  return [
    ['GroupSettingInput', GroupSettingInput!],
    [
      'GroupSettingChange',
      { ...GroupSettingChange, properties: Object.fromEntries(inner) as Record<string, Schema> },
    ],
  ];
}

const SERVER = 'The server itself.';

/** The input of a route, from its decorators and guards. */
export function inputOf(route: Route, describe: Describe): OperationInput {
  const declared = isMain(route.path) ? mainInput(route, describe) : companionInput(route, describe);
  const { parameters = [], requestBody } = supplements(describe)[nameOf(route)] ?? {};
  return {
    ...declared,
    parameters: [...declared.parameters, ...parameters],
    ...(requestBody && { requestBody }),
  };
}

function nameOf({ controller, handler }: Route): string {
  return `${controller.name}.${handler}`;
}

/** The description of a route, apart from its path. */
function describeRoute(
  route: Route,
  source: HandlerSource,
  schemas: TypeSchemas,
  describe: Describe,
): Operation {
  const { docstring, tags, feature } = source;
  const { policy } = route;
  const isDeprecated = tags.some(({ name }) => name === 'deprecated');
  const deprecation = tags.find(({ name }) => name === 'deprecated')?.text ?? '';
  if (docstring.summary === '')
    throw new Error(`${route.controller.name}.${route.handler} has no docstring.`);
  return {
    operationId: operationId(route),
    tags: [feature ?? 'server'],
    summary: docstring.summary,
    description: joined(
      docstring.text.slice(docstring.summary.length + 1).trim(),
      deprecation,
      callers(route),
    ),
    ...(isDeprecated && { deprecated: true as const }),
    security: supplements(describe)[nameOf(route)]?.security ?? security(route),
    'x-access': who(policy),
    ...inputOf(route, describe),
    responses: { ...responsesOf(route, source, schemas), ...supplements(describe)[nameOf(route)]?.responses },
  };
}

/** `MessagesController.send` becomes `messagesSend`. */
function operationId({ controller, handler }: Route): string {
  const name = controller.name.replace(/Controller$/, '');
  return `${name[0]!.toLowerCase()}${name.slice(1)}${handler[0]!.toUpperCase()}${handler.slice(1)}`;
}

const SCHEMES = { basic: 'apiKey', bearer: 'token', session: 'session', key: 'keyInAddress' } as const;

/** Authentication schemes with the roles that may call; a list without roles means all of them. */
function security({ policy }: Route): Operation['security'] {
  if (policy.public) return [];
  const required = { [SCHEMES[policy.scheme]]: rolesOf(policy) };
  return policy.optionalCredentials ? [{}, required] : [required];
}

function rolesOf({ role, allowsGuests }: Route['policy']): string[] {
  if (role === 'owner') return ROLES.slice(0, 1);
  if (role === 'administrator') return ROLES.slice(0, 2);
  return allowsGuests ? [] : ROLES.slice(0, 4);
}

function callers({ policy }: Route): string {
  if (policy.ownSecret) return 'Needs a secret of its own instead of an account.';
  if (policy.public) return 'Needs no credentials.';
  const sentences: string[] = [];
  if (policy.scheme === 'key') return 'For bots, by the key in the address.';
  if (policy.optionalCredentials) sentences.push('Credentials may be left out.');
  if (policy.role === 'owner') sentences.push('For owners.');
  if (policy.role === 'administrator') sentences.push('For owners and administrators.');
  if (!policy.allowsGuests) sentences.push('Not for guests.');
  if (!policy.allowsBots) sentences.push('Not for bots.');
  if (policy.allowsIncomingWebhookBots)
    sentences.push('Bots of the incoming-webhook kind may call it as well.');
  return sentences.join(' ');
}

/** Adds an operation. Two routes whose paths differ only in the name of a parameter share one. */
function addOperation(paths: OpenApiDocument['paths'], { path, verb }: Route, operation: Operation): void {
  const shape = shapeOf(path);
  const known = Object.keys(paths).find((other) => shapeOf(other) === shape) ?? path;
  const operations = (paths[known] ??= {});
  const method = verb.toLowerCase();
  const other = operations[method];
  operations[method] =
    other === undefined ? renamed(operation, path, known) : sharedBy(other, operation, path, known);
}

function shapeOf(path: string): string {
  return path.replace(/\{\w+\}/g, '{}');
}

/** The operation with a renamed path parameter. */
function renamed(operation: Operation, from: string, to: string): Operation {
  const names = namesIn(from);
  const others = namesIn(to);
  const parameters = operation.parameters.map((parameter) => {
    const index = parameter.in === 'path' ? names.indexOf(parameter.name ?? '') : -1;
    return index < 0 ? parameter : { ...parameter, name: others[index]! };
  });
  return { ...operation, parameters };
}

/** One operation for two routes whose path parameter is an ID or an address. */
function sharedBy(first: Operation, second: Operation, from: string, to: string): Operation {
  const other = renamed(second, from, to);
  const rest = ({ parameters, requestBody, responses, security }: Operation) =>
    JSON.stringify({
      parameters: parameters.filter(({ in: place }) => place !== 'path'),
      requestBody,
      responses,
      security,
    });
  if (rest(first) !== rest(other))
    throw new Error(`${from} and ${to} differ in more than in what the path names.`);
  const parameters = first.parameters.map((parameter, index) => {
    const schemas = [parameter.schema, other.parameters[index]?.schema];
    if (parameter.in !== 'path' || JSON.stringify(schemas[0]) === JSON.stringify(schemas[1]))
      return parameter;
    return { ...parameter, schema: { anyOf: schemas.filter((schema) => schema !== undefined) } };
  });
  return { ...first, parameters };
}

function namesIn(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
}
