import {
  type OpenApiDocument,
  referenceTo,
  type Schema,
} from '../../src/features/web/api-description/openapi';

const MAIN_ERROR: Schema = {
  description: 'Why a request of the main interface was refused.',
  type: 'object',
  properties: {
    result: { const: 'error' },
    msg: { type: 'string', description: 'For people to read.' },
    code: { type: 'string', description: 'For programs. Some codes bring further keys with them.' },
  },
  required: ['result', 'msg'],
  additionalProperties: true,
};

const COMPANION_ERROR: Schema = {
  description: 'Why a request outside of the main interface was refused.',
  type: 'object',
  properties: {
    detail: {
      type: 'string',
      description: 'For people to read. Some refusals bring further keys with them.',
    },
  },
  required: ['detail'],
  additionalProperties: true,
};

/** Schemas without a corresponding type of the server. */
export const COMMON_SCHEMAS: Record<string, Schema> = {
  Success: {
    description: 'A success that has nothing to tell.',
    type: 'object',
    properties: {
      result: { const: 'success' },
      msg: { const: '' },
      ignored_parameters_unsupported: referenceTo('IgnoredParameters'),
    },
    required: ['result', 'msg'],
  },
  IgnoredParameters: {
    description: 'Parameters that were sent and are not supported; there only if there are any.',
    type: 'array',
    items: { type: 'string' },
  },
  Refusal: MAIN_ERROR,
  CompanionRefusal: COMPANION_ERROR,
  InvalidInput: {
    description: 'What is wrong with the body or the query, all of it at once.',
    type: 'object',
    properties: {
      detail: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            loc: {
              description: 'Where: `body` or `query`, then the key, and so on inward.',
              type: 'array',
              items: { type: ['string', 'integer'] },
            },
            msg: { type: 'string' },
            type: { type: 'string', description: 'The kind of problem, such as `missing`.' },
          },
          required: ['loc', 'msg', 'type'],
        },
      },
    },
    required: ['detail'],
  },
};

const main = { 'application/json': { schema: referenceTo('Refusal') } };
const companion = { 'application/json': { schema: referenceTo('CompanionRefusal') } };
const retryAfter = { 'retry-after': { description: 'Seconds to wait.', schema: { type: 'integer' } } };
const challenge = (scheme: string) => ({
  'www-authenticate': { description: `Asks for \`${scheme}\`.`, schema: { type: 'string' } },
});

/** Errors common to many routes. */
export const COMMON_RESPONSES: OpenApiDocument['components']['responses'] = {
  BadRequest: {
    description:
      'A parameter is missing or wrong, the caller may not do this, or the object is not there for them.',
    content: main,
  },
  NotFound: {
    description: 'There can be no such object, since its ID is no number, or there is none.',
    content: main,
  },
  Unauthorized: {
    description: 'The credentials are missing or wrong, or the account is deactivated.',
    headers: challenge('Basic'),
    content: main,
  },
  OutOfScope: {
    description:
      'The API key is a named one without the scope that `required_scope` names; null where no scope will do. Or the session of the browser lacks the second factor that the organization requires.',
    content: main,
  },
  TooManyRequests: {
    description: 'More requests within a minute than one account may make.',
    headers: retryAfter,
    content: main,
  },
  Refused: {
    description:
      'Refused before the route was asked: wrong method, body or headers (431) too large, server stopping, and so on.',
    content: main,
  },
  Malformed: { description: 'The address or the body cannot be read.', content: companion },
  CredentialsRefused: {
    description: 'The credentials are wrong, or the account is deactivated.',
    headers: challenge('Basic'),
    content: companion,
  },
  TokenRefused: {
    description: 'The token is missing, wrong, expired or was ended.',
    headers: challenge('Bearer'),
    content: companion,
  },
  CompanionOutOfScope: {
    description: 'The API key is a named one without the scope that `required_scope` names.',
    content: companion,
  },
  RoleRefused: {
    description:
      'The caller does not have the role, or the session lacks the second factor that the organization requires.',
    content: companion,
  },
  SessionRefused: {
    description: 'The session lacks the second factor that the organization requires.',
    content: companion,
  },
  CompanionTooManyRequests: { description: 'Too many requests.', headers: retryAfter, content: companion },
  NothingThere: { description: 'There is no such object.', content: companion },
  InvalidInput: {
    description: 'The body or the query is not as described.',
    content: {
      'application/json': {
        schema: { anyOf: [referenceTo('InvalidInput'), referenceTo('CompanionRefusal')] },
      },
    },
  },
  CompanionRefused: {
    description:
      'Refused before the route was asked: wrong method, body or headers (431) too large, server stopping, and so on.',
    content: companion,
  },
  DirectoryRefused: {
    description: 'Refused, in the form of SCIM (RFC 7644, 3.12).',
    content: {
      'application/scim+json': {
        schema: {
          type: 'object',
          properties: {
            schemas: { type: 'array', items: { const: 'urn:ietf:params:scim:api:messages:2.0:Error' } },
            detail: { type: 'string' },
            status: { type: 'string', description: 'The status of the answer, as text.' },
            scimType: { type: 'string', description: 'Kind of the refusal, where it has one.' },
          },
          required: ['schemas', 'detail', 'status'],
        },
      },
    },
  },
};

export const COMMON_PARAMETERS: OpenApiDocument['components']['parameters'] = {
  client: {
    name: 'client',
    in: 'query',
    required: false,
    description:
      'Name of the client program, where the header `User-Agent` does not say it. May stand in a form as well.',
    schema: { type: 'string' },
  },
};

export const SECURITY_SCHEMES = {
  apiKey: {
    type: 'http',
    scheme: 'basic',
    description: 'The API address of a person or bot as the user name, and its API key as the password.',
  },
  token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The `access_token` that `POST /api/auth/login` gives.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-parley',
    description: 'The cookie of a browser, which `POST /login` sets; without TLS it has another name.',
  },
  keyInAddress: {
    type: 'apiKey',
    in: 'query',
    name: 'api_key',
    description: 'The API key of a bot, for services that know nothing but an address.',
  },
  webhookSecret: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Webhook-Secret',
    description: 'The value of `WEBHOOK_SECRET`; while that is not set, every delivery is refused.',
  },
  metricsToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The value of `METRICS_TOKEN`; while that is not set, this machine alone may read.',
  },
};

export const INTRODUCTION = [
  'Parley speaks the HTTP interface of Zulip under `/api/v1`, the **main interface**, and has an interface for ' +
    'administrators and for what comes in from outside under the rest of `/api`, the **companion interface**.',
  'Parameters of the main interface stand in the query for GET and DELETE and in a form otherwise, and are read from ' +
    'either wherever they stand; a form may be URL-encoded or multipart. Arrays, objects and nullable values are JSON ' +
    'text in one parameter. Every answer is JSON with `result` and `msg`; a success has status 200.',
  'The companion interface takes JSON bodies. A refusal is `{"detail": ...}`: a sentence, or with status 422 a list of ' +
    'everything that is wrong with the input.',
  'Every answer carries `x-request-id`, under which the log has the request.',
];
