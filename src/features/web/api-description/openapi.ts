/** The subset of JSON Schema (2020-12) that the API description uses. */
export interface Schema {
  $ref?: string;
  description?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema | false;
  prefixItems?: Schema[];
  [keyword: string]: unknown;
}

const COMPONENTS = '#/components/schemas/';

/** A reference to a named schema in the components. */
export function referenceTo(component: string): Schema {
  return { $ref: COMPONENTS + component };
}

/** The component to which a schema refers; null if it is not a reference. */
export function referredName({ $ref }: Schema): string | null {
  return $ref?.startsWith(COMPONENTS) ? $ref.slice(COMPONENTS.length) : null;
}

/** The subset of OpenAPI 3.1 documents that this description uses. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: Record<string, unknown>;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: {
    readonly securitySchemes: Record<string, unknown>;
    readonly parameters: Record<string, ParameterObject>;
    readonly responses: Record<string, ResponseObject>;
    readonly schemas: Record<string, Schema>;
  };
}

/** The schema of a body in one media type. */
export interface MediaType {
  readonly schema?: Schema;
  readonly encoding?: Record<string, { readonly contentType: string }>;
}

/** Bodies by media type. */
export type Content = Record<string, MediaType>;

/** A parameter in the path, the query or a header, or a reference to one. */
export interface ParameterObject {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
  readonly content?: Content;
}

/** An operation whose parameters come from a response. */
export interface OperationLink {
  readonly operationId: string;
  /** Where in the response each parameter's value is, by location and name such as `path.message_id`. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** The response for one status, or a reference to one. */
export interface ResponseObject {
  readonly $ref?: string;
  readonly description?: string;
  readonly headers?: Record<string, unknown>;
  readonly content?: Content;
  readonly links?: Readonly<Record<string, OperationLink>>;
}

/** The input of a route. */
export interface OperationInput {
  readonly parameters: ParameterObject[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
}

/** One method of a path. */
export interface Operation extends OperationInput {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: true;
  readonly security: readonly Record<string, readonly string[]>[];
  /** By status; `default` covers the errors that every route may return. */
  readonly responses: Record<string, ResponseObject>;
  /** Who may use the route, in the terms of `test/spec/permission-matrix.tsv`. */
  readonly 'x-access': string;
}
