import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import {
  type OpenApiDocument,
  type Operation,
  type ParameterObject,
  referenceTo,
  type Schema,
} from './openapi';
import { renderPage } from './page';
import { SharedContent } from '../../../platform/http/files/shared-content';
import { LoadedModules } from '../../../platform/modules/load-modules';
import {
  callersOf,
  type DescribedParameter,
  type ModuleRoute,
  routesOfModule,
} from '../../../platform/modules/module-routes';

const FORM = 'application/x-www-form-urlencoded';
/** Modules do not declare the other members of their responses. */
const SUCCESS = { ...referenceTo('Success'), description: 'A success, with what the module tells.' };
const RESPONSES = '#/components/responses';

/** The description including the routes of the loaded modules, derived from their decorators. */
function withModules(document: OpenApiDocument, { all }: LoadedModules): OpenApiDocument {
  const paths = { ...document.paths };
  for (const { definition } of all) {
    for (const route of routesOfModule(definition)) {
      paths[route.path] = {
        ...paths[route.path],
        [route.verb.toLowerCase()]: operationOf(definition.name, route),
      };
    }
  }
  const tags = all.map(({ definition: { name, about } }) => ({ name: `module ${name}`, description: about }));
  return { ...document, tags: [...document.tags, ...tags], paths };
}

function operationOf(module: string, route: ModuleRoute): Operation {
  const { verb, handler, about, parameters, policy } = route;
  const sent = parameters.filter(({ inPath }) => !inPath);
  const takesForm = ['POST', 'PUT', 'PATCH'].includes(verb);
  const inPath = parameters.filter((parameter) => parameter.inPath);
  const inQuery = takesForm ? [] : sent;
  const needsKey = { apiKey: [] };
  return {
    operationId: `module_${module}_${handler.replace('.', '_')}`,
    tags: [`module ${module}`],
    summary: about.replace(/\.$/, '') || handler,
    description: `For ${callersOf(route)}.`,
    security: policy.public ? [] : policy.optionalCredentials ? [{}, needsKey] : [needsKey],
    'x-access': callersOf(route),
    parameters: [
      ...inPath.map((parameter) => parameterOf(parameter, 'path')),
      ...inQuery.map((parameter) => parameterOf(parameter, 'query')),
      { $ref: '#/components/parameters/client' },
    ],
    ...(takesForm &&
      sent.length > 0 && {
        requestBody: {
          required: sent.some(({ required }) => required),
          content: { [FORM]: { schema: form(sent) } },
        },
      }),
    responses: {
      200: { description: 'Success.', content: { 'application/json': { schema: SUCCESS } } },
      400: { $ref: `${RESPONSES}/BadRequest` },
      401: { $ref: `${RESPONSES}/Unauthorized` },
      403: { $ref: `${RESPONSES}/OutOfScope` },
      429: { $ref: `${RESPONSES}/TooManyRequests` },
      default: { $ref: `${RESPONSES}/Refused` },
    },
  };
}

function parameterOf(parameter: DescribedParameter, place: 'path' | 'query'): ParameterObject {
  const { property: name, required } = parameter;
  return { name, in: place, required: required || place === 'path', schema: schemaOf(parameter) };
}

function form(sent: readonly DescribedParameter[]): Schema {
  return {
    type: 'object',
    properties: Object.fromEntries(sent.map((parameter) => [parameter.property, schemaOf(parameter)])),
    required: sent.filter(({ required }) => required).map(({ property }) => property),
  };
}

function schemaOf({ type, about, fallback }: DescribedParameter): Schema {
  return {
    ...type.jsonSchema,
    ...(about !== '' && { description: about }),
    ...(fallback === undefined ? {} : { default: fallback }),
  };
}

/**
 * Output folder of `npm run build` for the document, its page and the page's script, relative to both the compiled file
 * and its source.
 */
const FOLDER = join(__dirname, '../../../../dist/api-description');

/** Serves the description. Files are read at the first request, and then cached. */
@Injectable()
export class ApiDescriptionService {
  private readonly cached = new Map<string, Promise<SharedContent>>();

  constructor(private readonly modules: LoadedModules) {}

  /** The OpenAPI document, as JSON. */
  document(): Promise<SharedContent> {
    return this.once('openapi.json', (document) => JSON.stringify(document));
  }

  /** The description as HTML. */
  page(): Promise<SharedContent> {
    return this.once('page.html', renderPage);
  }

  /** The script of the page, which finds operations and tries them. */
  script(): Promise<SharedContent> {
    return this.once('page.js');
  }

  /**
   * The output of the build: generating it would delay all requests. If modules extend the document, it is generated
   * again. Failures are not cached: the next request tries again.
   */
  private once(file: string, make?: (document: OpenApiDocument) => string): Promise<SharedContent> {
    const known = this.cached.get(file);
    if (known) return known;
    const isBuilt = make === undefined || this.modules.all.length === 0;
    const made = isBuilt
      ? readFile(join(FOLDER, file))
      : this.read().then((document) => Buffer.from(make(document)));
    const content = made.then((bytes) => new SharedContent(bytes));
    this.cached.set(file, content);
    content.catch(() => this.cached.delete(file));
    return content;
  }

  private async read(): Promise<OpenApiDocument> {
    const document = JSON.parse(await readFile(join(FOLDER, 'openapi.json'), 'utf8')) as OpenApiDocument;
    return withModules(document, this.modules);
  }
}
