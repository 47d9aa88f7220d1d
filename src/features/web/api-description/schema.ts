/** The part of JSON Schema (2020-12) that the API description is written in. */
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

/** A reference to a named schema among the components. */
export function referenceTo(component: string): Schema {
  return { $ref: COMPONENTS + component };
}

/** The name of the component that a schema refers to; null if it is no reference. */
export function referredName({ $ref }: Schema): string | null {
  return $ref?.startsWith(COMPONENTS) ? $ref.slice(COMPONENTS.length) : null;
}
