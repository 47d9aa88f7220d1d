import { HEADERS_METADATA, HTTP_CODE_METADATA } from '@nestjs/common/constants';
import * as ts from 'typescript';
import type { Route } from '../routes-table';
import { COMMON_RESPONSES } from './shared-parts';
import {
  type Content,
  referenceTo,
  referredName,
  type ResponseObject,
  type Schema,
} from '../../src/features/web/api-description/openapi';
import type { HandlerSource } from './server-program';
import type { TypeSchemas } from './type-schemas';

const JSON_TYPE = 'application/json';

/** Types of a handler's result that send a file. */
const FILES = ['StreamableFile', 'FileAnswer'];

/** Whether a path belongs to the main interface, whose answers are in the envelope. */
export function isMain(path: string): boolean {
  return path.startsWith('/api/v1/');
}

/** All responses of a route: its success, its possible errors, and those of any route. */
export function responsesOf(
  route: Route,
  source: HandlerSource,
  schemas: TypeSchemas,
): Record<string, ResponseObject> {
  const status = successStatus(route);
  const success = successOf(route, source, schemas, status);
  const responses: Record<string, ResponseObject> = { [status]: success };
  for (const [refused, name] of usualRefusals(route))
    responses[refused] = { $ref: `#/components/responses/${name}` };
  for (const { status: other, text, isAlike } of namedAnswers(source)) {
    const content = isAlike ? success.content : Number(other) >= 400 ? errorContent(route, other) : undefined;
    responses[other] = { description: text, ...(content && { content }) };
  }
  const refused = { $ref: `#/components/responses/${refusalOf(route)}` };
  // Headers that are too large are refused before routing.
  return { ...responses, ['431']: refused, default: refused };
}

/** The schema of unexpected errors. */
function refusalOf({ path }: Route): string {
  if (isMain(path)) return 'Refused';
  return isForDirectories(path) ? 'DirectoryRefused' : 'CompanionRefused';
}

/** Whether a path belongs to the directory interface (SCIM), whose responses have one format. */
function isForDirectories(path: string): boolean {
  return path.startsWith('/scim/');
}

/**
 * The status of a success, which is constant on the main interface except for redirects and responses without content.
 */
export function successStatus({ controller, handler, path, verb }: Route): string {
  const method = (controller.prototype as Record<string, object>)[handler]!;
  const declared = Reflect.getMetadata(HTTP_CODE_METADATA, method) as number | undefined;
  if (isMain(path)) return declared === 302 || declared === 204 ? String(declared) : '200';
  return String(declared ?? (verb === 'POST' ? 201 : 200));
}

/** Errors that follow from the route's declaration. */
function* usualRefusals({ path, policy, controller, handler }: Route): Generator<[string, string]> {
  if (isMain(path)) {
    yield ['400', 'BadRequest'];
    if (hasParameters(path)) yield ['404', 'NotFound'];
    if (!policy.public) yield ['401', 'Unauthorized'];
    if (!policy.public) yield ['403', 'OutOfScope'];
    if (policy.isRateLimited) yield ['429', 'TooManyRequests'];
    return;
  }
  if (isForDirectories(path)) {
    for (const status of ['400', '401', '404', '409', '429']) yield [status, 'DirectoryRefused'];
    return;
  }
  yield ['400', 'Malformed'];
  if (policy.scheme === 'bearer' && !policy.public) {
    yield ['401', 'TokenRefused'];
    if (policy.role !== null) yield ['403', 'RoleRefused'];
    else if (!policy.allowsWithoutFactor) yield ['403', 'SessionRefused'];
  }
  if (policy.scheme === 'basic' && !policy.public) {
    yield ['401', 'CredentialsRefused'];
    yield ['403', 'CompanionOutOfScope'];
  }
  if (policy.isRateLimited && !policy.public) yield ['429', 'CompanionTooManyRequests'];
  if (hasParameters(path)) yield ['404', 'NothingThere'];
  if (takesCompanionInput(controller, handler)) yield ['422', 'InvalidInput'];
}

function hasParameters(path: string): boolean {
  return /\{\w+\}/.test(path);
}

function takesCompanionInput(controller: Route['controller'], handler: string): boolean {
  const positions = ['parley:json-body', 'parley:query'];
  return positions.some((key) => Reflect.hasMetadata(key, controller.prototype as object, handler));
}

/**
 * `@answers 409 the person is still referenced`: a response that the handler's signature does not show. With
 * `@answersAlike`, its body is that of the success.
 */
function namedAnswers({ tags }: HandlerSource): { status: string; text: string; isAlike: boolean }[] {
  return tags
    .filter(({ name }) => name === 'answers' || name === 'answersAlike')
    .map(({ name, text }) => {
      const [, status, rest] = /^(\d{3}) (.+)$/.exec(text) ?? [];
      if (!status || !rest) throw new Error(`@${name} ${text} has no status and no sentence`);
      return { status, text: `${rest[0]!.toUpperCase()}${rest.slice(1)}.`, isAlike: name === 'answersAlike' };
    });
}

function errorContent({ path }: Route, status: string): Content {
  if (status === '422' && !isMain(path)) return COMMON_RESPONSES.InvalidInput!.content!;
  return { [JSON_TYPE]: { schema: referenceTo(isMain(path) ? 'Refusal' : 'CompanionRefusal') } };
}

function successOf(
  route: Route,
  source: HandlerSource,
  schemas: TypeSchemas,
  status: string,
): ResponseObject {
  const answer = withContent(source.answer);
  const description = 'Success.';
  if (status === '204') return { description };
  if (status === '302') return { description: 'The address is in the header `Location`.' };
  const type = contentType(route);
  const symbolName = (answer.aliasSymbol ?? answer.symbol)?.name;
  if (symbolName && FILES.includes(symbolName)) {
    return { description: 'The file.', content: { [type ?? '*/*']: { schema: {} } } };
  }
  const forms = answer.isUnion() ? answer.types : [answer];
  const isText = forms.some(({ flags }) => (flags & ts.TypeFlags.StringLike) !== 0);
  if (isText) {
    const isJson = type === JSON_TYPE || type?.endsWith('+json') === true;
    return { description, content: { [type ?? 'text/plain']: { schema: isJson ? {} : { type: 'string' } } } };
  }
  const isVoid = (answer.flags & (ts.TypeFlags.Void | ts.TypeFlags.Undefined)) !== 0;
  const at = `${route.controller.name}.${route.handler}`;
  const own: Schema = isVoid ? { type: 'object' } : schemas.schemaOf(answer, at);
  const schema = isMain(route.path) ? inEnvelope(own, schemas) : own;
  return { description, content: { [type ?? JSON_TYPE]: { schema } } };
}

/** The type of a handler's result if the response has content: the alternative with content, if there are two. */
function withContent(answer: ts.Type): ts.Type {
  if (!answer.isUnion()) return answer;
  const forms = answer.types.filter(({ symbol }) => symbol?.name !== 'BareAnswer');
  return forms.length === 1 ? forms[0]! : answer;
}

/** The media type that the handler's decorators set, without parameters. */
function contentType({ controller, handler }: Route): string | undefined {
  const method = (controller.prototype as Record<string, object>)[handler]!;
  const headers = (Reflect.getMetadata(HEADERS_METADATA, method) ?? []) as { name: string; value: string }[];
  return headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value.split(';')[0];
}

/** The keys of an endpoint, combined with those of every success on the main interface. */
function inEnvelope(own: Schema, schemas: TypeSchemas): Schema {
  const name = referredName(own);
  if (name !== null) return inEnvelope(schemas.components.get(name)!, schemas);
  if (own.anyOf) return { ...own, anyOf: own.anyOf.map((form) => inEnvelope(form, schemas)) };
  const { properties = {}, required = [], ...rest } = own;
  if (Object.keys(properties).length === 0) return referenceTo('Success');
  return {
    ...rest,
    properties: {
      result: { const: 'success' },
      msg: { const: '' },
      ...properties,
      ignored_parameters_unsupported: referenceTo('IgnoredParameters'),
    },
    required: [...new Set(['result', 'msg', ...required])],
  };
}
