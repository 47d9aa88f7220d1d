import SwaggerParser from '@apidevtools/swagger-parser';
import Ajv2020 from 'ajv/dist/2020';
import type { OpenApiDocument, Operation, Schema } from '../../src/features/web/api-description/openapi';
import { inputOf } from '../../scripts/api-description/document';
import { isMain, successStatus } from '../../scripts/api-description/answers';
import { type Route, routesOf, who } from '../../scripts/routes-table';
import { declaredParameters } from '../../src/platform/http/parameters/parameter.decorator';
import { parametersOf } from '../../src/platform/http/parameters/parameters.decorator';
import type { Parameters } from '../support/api-client';
import { createChannel } from '../support/channel-setup';
import { readApiDescription } from '../support/description/openapi';
import { systemGroupId } from '../support/group-setup';
import { sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';

/** The path without parameter names, because two routes may differ only in one. */
function shapeOf(path: string): string {
  return path.replace(/\{\w+\}/g, '{}');
}

/** Paths under which routes answer, too: with a slash at the end, or without a part that old addresses lack. */
const SECOND_PATHS = [
  'GET /accounts/login/social/oidc/:provider/',
  'GET /accounts/login/social/saml/:provider/',
  'POST /accounts/logout/',
  'GET /api/v1/thumbnail/status/:realm_id(\\d+)/:key/:name',
  'OPTIONS /api/v1/tus/',
  'POST /api/v1/tus/',
  'GET /api/v1/user_uploads/:realm_id(\\d+)/:key/:name',
  'GET /complete/oidc/:provider/',
  'POST /complete/saml/',
  'POST /complete/saml/:provider/',
  'GET /desktop_home/',
  'GET /login/',
  'POST /login/',
  'GET /user_uploads/:realm_id(\\d+)/:key/:name',
  'GET /user_uploads/download/:realm_id(\\d+)/:key/:name',
  'GET /user_uploads/thumbnail/:realm_id(\\d+)/:key/:name/:format',
];

describe('the API description', () => {
  const document = readApiDescription();
  let app: TestApp;
  let routes: Route[];

  beforeAll(async () => {
    app = await TestApp.start();
    routes = routesOf(app.nest);
  });

  afterAll(() => app.stop());

  function operationAt(method: string, path: string): Operation {
    return document.paths[path]?.[method] as Operation;
  }

  function operationOf({ verb, path }: Route): Operation | undefined {
    const known = Object.keys(document.paths).find((candidate) => shapeOf(candidate) === shapeOf(path));
    return known === undefined ? undefined : document.paths[known]?.[verb.toLowerCase()];
  }

  it('is a valid OpenAPI 3.1 document', async () => {
    const parsed = await SwaggerParser.validate(readApiDescription() as never);
    expect(parsed).toMatchObject({ openapi: '3.1.0' });
  });

  it('holds schemas of JSON Schema 2020-12 alone, and refers to nothing that is missing', () => {
    const ajv = new Ajv2020({
      strict: true,
      strictTypes: false,
      strictRequired: false,
      validateFormats: false,
    });
    ajv.addVocabulary(['components']);
    ajv.addSchema({ $id: 'description', components: document.components });
    for (const name of Object.keys(document.components.schemas)) {
      expect(() => ajv.compile({ $ref: `description#/components/schemas/${name}` })).not.toThrow();
    }
  });

  it('requires no key twice', () => {
    const twice: unknown[] = [];
    JSON.stringify(document, (_, value: unknown) => {
      const { required } = (value ?? {}) as { required?: unknown };
      if (Array.isArray(required) && new Set(required).size < required.length) twice.push(required);
      return value;
    });
    expect(twice).toEqual([]);
  });

  it('says of every route what becomes of a malformed request, and of unknown IDs in its path', () => {
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const [method, { responses }] of Object.entries(operations)) {
        const described = Object.keys(responses);
        expect({ method, path, described }).toMatchObject({
          described: expect.arrayContaining(['400', '431']),
        });
        if (!path.includes('{')) continue;
        expect({ method, path, described }).toMatchObject({ described: expect.arrayContaining(['404']) });
      }
    }
  });

  it('says which words and numbers a parameter takes, and how long a text is', () => {
    const taken = (method: string, path: string) => {
      const { content } = operationAt(method, `/api/v1${path}`).requestBody!;
      return Object.values(content)[0]!.schema!.properties!;
    };
    expect(taken('post', '/messages/flags')).toMatchObject({
      op: { enum: ['add', 'remove'] },
      flag: { enum: ['read', 'starred', 'collapsed'] },
    });
    expect(taken('post', '/messages/{message_id}/reactions')['reaction_type']).toMatchObject({
      enum: ['unicode_emoji', 'realm_emoji', 'zulip_extra_emoji'],
    });
    expect(taken('post', '/users')['full_name']).toMatchObject({ minLength: 2, maxLength: 100 });
    expect(taken('patch', '/settings')['email_notifications_batching_period_seconds']).toMatchObject({
      minimum: 1,
      maximum: 604_800,
    });
    expect(taken('patch', '/realm')).toMatchObject({
      moderation_request_channel_id: { type: 'integer', minimum: -1 },
      gif_rating_policy: { enum: [0, 1, 2, 3, 4, 5] },
    });
  });

  it('names the numbers of choices that a text explains one by one', () => {
    const unnamed = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { requestBody, parameters }]) => {
        const form = Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
          Object.entries(schema?.properties ?? {}),
        );
        const inQuery = parameters.map(({ name, schema, description }) => [
          name,
          { ...schema, description: description ?? '' },
        ]) as [string, Schema][];
        return [...form, ...inQuery]
          .filter(([, { type }]) => type === 'integer')
          .filter(([, { description = '' }]) => /\b\d+ [a-z].*, \d+ [a-zA-Z]/.test(description))
          .filter(([, schema]) => !schema.enum && schema.maximum === undefined)
          .map(([name]) => `${method} ${path} ${name}`);
      }),
    );
    expect(unnamed).toEqual([]);
  });

  it('leads from what was made to what reads, changes and deletes it', async () => {
    const { mia } = app.cast;
    const [, made] = Object.entries(operationAt('post', '/api/v1/saved_snippets').responses).find(
      ([status]) => status === '200',
    )!;
    expect(made.links).toEqual({
      savedSnippetsEdit: {
        operationId: 'savedSnippetsEdit',
        parameters: { 'path.saved_snippet_id': '$response.body#/saved_snippet_id' },
      },
      savedSnippetsRemove: {
        operationId: 'savedSnippetsRemove',
        parameters: { 'path.saved_snippet_id': '$response.body#/saved_snippet_id' },
      },
    });
    const answer = await app.as(mia).post('/saved_snippets', { title: 'a', content: 'b' });
    expect(answer.body).toHaveProperty('saved_snippet_id');
    for (const operations of Object.values(document.paths)) {
      for (const { responses } of Object.values(operations)) {
        for (const { links = {} } of Object.values(responses)) {
          for (const { operationId, parameters } of Object.values(links)) {
            const target = Object.values(document.paths)
              .flatMap((each) => Object.values(each))
              .find((each) => each.operationId === operationId);
            const taken = target?.parameters.map(({ in: place, name }) => `${place}.${name}`);
            expect(taken).toEqual(expect.arrayContaining(Object.keys(parameters)));
          }
        }
      }
    }
  });

  it('has every route of the server, and no other', () => {
    const described = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${shapeOf(path)}`),
    );
    const served = new Set(routes.map(({ verb, path }) => `${verb} ${shapeOf(path)}`));
    expect(described.sort()).toEqual([...served].sort());
  });

  it('has no route that Fastify does not know, nor Fastify one that it does not', () => {
    const fastify = app.nest.getHttpAdapter().getInstance();
    const listed =
      fastify.printRoutes({ commonPrefix: true, method: undefined }).match(/\((?:[A-Z]+(?:, )?)+\)/g) ?? [];
    const methods = listed
      .flatMap((words: string) => words.slice(1, -1).split(', '))
      .filter((word: string) => word !== 'HEAD');
    expect(methods).toHaveLength(routes.length + SECOND_PATHS.length);
  });

  it('says of each route whom it serves and what it takes, as the server has it', () => {
    for (const route of routes) {
      const operation = operationOf(route) as Operation;
      expect([route.path, operation['x-access']]).toEqual([route.path, who(route.policy)]);
      expect({ route: route.path, ...takenBy(operation) }).toEqual({ route: route.path, ...taken(route) });
      expect(Object.keys(operation.responses)).toContain(successStatus(route));
    }
  });

  it('says what every parameter and every kind of event is', async () => {
    const parsed = await SwaggerParser.dereference(readApiDescription() as never);
    const { paths } = parsed as unknown as OpenApiDocument;
    const unexplained = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([verb, { parameters, requestBody }]) => {
        const forms = Object.values(requestBody?.content ?? {}).flatMap(
          ({ schema = {} }): Schema[] => schema.anyOf ?? [schema],
        );
        const named = [
          ...parameters.map(({ name = '', description }) => [name, description]),
          ...forms.flatMap(({ properties = {}, description }) =>
            Object.entries(properties).map(([name, field]) => [name, field.description ?? description]),
          ),
        ];
        return named.filter(([, text]) => !text).map(([name]) => `${verb} ${path}: ${name}`);
      }),
    );
    expect(unexplained).toEqual([]);
    const { ClientEvent, ...schemas } = document.components.schemas;
    const events = (ClientEvent?.anyOf ?? []).map(({ $ref = '' }) => $ref.replace(/^.*\//, ''));
    expect(events.length).toBeGreaterThan(40);
    const isExplained = ({ description, anyOf = [] }: Schema): boolean =>
      Boolean(description) || (anyOf.length > 0 && anyOf.every(isExplained));
    expect(events.filter((name) => !isExplained(schemas[name] as Schema))).toEqual([]);
  });

  it('shows an example of each parameter whose form is not plain text, and the server can read it', () => {
    const missing: string[] = [];
    for (const { controller, handler } of routes) {
      const dto = parametersOf(controller, handler);
      for (const { property, type, example } of dto === null ? [] : declaredParameters(dto)) {
        const { type: kind, enum: values, examples = [example] } = type.jsonSchema as Schema;
        if (values !== undefined || ['integer', 'number', 'boolean', 'string'].includes(String(kind)))
          continue;
        for (const value of examples as unknown[]) {
          if (value === undefined) missing.push(`${dto?.name}.${property}`);
          else expect(() => type.decode(textOf(value), property)).not.toThrow();
        }
      }
    }
    expect(missing).toEqual([]);
    const { GroupSettingChange } = document.components.schemas;
    expect(GroupSettingChange?.examples).toContainEqual({ new: 11 });
    const { content } = operationAt('post', '/api/v1/users/me/subscriptions').requestBody ?? {};
    const [form] = Object.values(content ?? {});
    expect(form?.schema?.properties?.['principals']).toHaveProperty('examples', [[8, 9]]);
  });

  it('names the actions that permissions/explain knows, or the endpoint whose settings they are', async () => {
    const { parameters } = operationAt('get', '/api/v1/permissions/explain');
    const text = parameters.find(({ name }) => name === 'action')?.description ?? '';
    const { mia } = app.cast;
    const channel = await createChannel(app, mia, 'asked about');
    const objects: Parameters[] = [
      {},
      { channel_id: channel },
      { group_id: systemGroupId(app, 'role:members') },
      { message_id: await sendTo(app, mia, channel, 'asked about') },
    ];
    for (const object of objects) {
      const question = { user_id: mia.id, action: 'none', ...object };
      const { actions } = (await app.as(mia).get('/permissions/explain', question)).body;
      expect(actions.length).toBeGreaterThan(5);
      const endpoint = 'channel_id' in object ? '/api/v1/streams/{stream_id}' : '/api/v1/realm';
      const settings = namesOf(operationAt('patch', endpoint), document);
      expect(
        actions.filter((name: string) => !text.includes(`\`${name}\``) && !settings.includes(name)),
      ).toEqual([]);
    }
  });

  it('names in forms and queries exactly the parameters that the main interface supports', () => {
    for (const route of routes.filter(({ path }) => isMain(path))) {
      const named = namesOf(operationOf(route) as Operation, document);
      expect([route.path, named.sort()]).toEqual([route.path, [...route.parameters].sort()]);
    }
  });

  it('gives each operation an ID of its own, a summary and a feature', () => {
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(operations.filter(({ summary, tags }) => summary === '' || tags.length !== 1)).toEqual([]);
  });
});

/** A value in the format of a request. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The server's inputs, without descriptions and the names of path parameters. */
function taken(route: Route) {
  return bare(inputOf(route, () => ''));
}

function takenBy({ parameters, requestBody }: Operation) {
  return bare({ parameters, requestBody });
}

function bare(input: Pick<Operation, 'parameters' | 'requestBody'>) {
  const parameters = input.parameters.filter(({ in: place }) => place !== 'path');
  return withoutDescriptions({ parameters, requestBody: input.requestBody ?? null });
}

function withoutDescriptions(value: object): object {
  const text = JSON.stringify(value, (key, part: unknown) =>
    key === 'description' && typeof part === 'string' ? undefined : part,
  );
  return JSON.parse(text) as object;
}

/** Names of parameters that are not in the path; the file of a form has none. */
function namesOf({ parameters, requestBody }: Operation, document: OpenApiDocument): string[] {
  const resolved = parameters.map((parameter) =>
    parameter.$ref ? document.components.parameters[parameter.$ref.split('/').at(-1) as string] : parameter,
  );
  const inQuery = resolved
    .filter((parameter) => parameter?.in === 'query')
    .map((parameter) => parameter?.name ?? '');
  const [body] = Object.values(requestBody?.content ?? {});
  const properties = Object.entries(body?.schema?.properties ?? {});
  const fields = properties.filter(([, schema]) => !('contentMediaType' in schema)).map(([name]) => name);
  return [...inQuery, ...fields];
}
