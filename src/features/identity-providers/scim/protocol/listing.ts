import type { ForeignRequest } from '../../../../platform/http/body/raw-body';
import { type Filter, meets, parseFilter } from './filter';
import { InvalidValue } from './scim.api';
import { versioned } from './versions';

/** Maximum and default number of resources per page. */
export const MAX_RESULTS = 200;
const DEFAULT_RESULTS = 100;

/** Maximum group members per page; groups that do not fit follow on the next page. */
const MAX_MEMBERS = 20_000;

const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

/** SCIM resource of a user or group. */
export interface Resource {
  readonly id: string;
  readonly schemas: readonly string[];
  readonly meta: object;
  readonly members?: readonly unknown[];
}

/** Parameters of a list request. */
export interface ListQuery {
  readonly filter: Filter | null;
  /** Starts at 1. */
  readonly startIndex: number;
  readonly count: number;
  readonly shown: ShownAttributes;
}

/** The attributes in a response: only some, or all but some; names in lower case. */
export interface ShownAttributes {
  readonly only: ReadonlySet<string> | null;
  readonly but: ReadonlySet<string>;
}

/** Reads the parameters of a list request. @throws InvalidFilter, InvalidValue */
export function listQuery(request: ForeignRequest): ListQuery {
  const filter = request.parameter('filter');
  return {
    filter: filter === null || filter.trim() === '' ? null : parseFilter(filter),
    startIndex: Math.max(1, wholeNumber(request, 'startIndex') ?? 1),
    count: Math.min(MAX_RESULTS, Math.max(0, wholeNumber(request, 'count') ?? DEFAULT_RESULTS)),
    shown: shownAttributes(request),
  };
}

/** Reads which attributes a request selects. */
export function shownAttributes(request: ForeignRequest): ShownAttributes {
  const only = namesIn(request, 'attributes');
  return { only: only.size === 0 ? null : only, but: namesIn(request, 'excludedAttributes') };
}

function namesIn(request: ForeignRequest, parameter: string): Set<string> {
  const names = (request.parameter(parameter) ?? '').split(',', 100);
  // A sub-attribute selects its whole attribute.
  return new Set(names.map((name) => name.trim().toLowerCase().split('.', 1)[0]!).filter(Boolean));
}

function wholeNumber(request: ForeignRequest, name: string): number | null {
  const text = request.parameter(name);
  if (text === null) return null;
  if (!/^-?\d{1,9}$/.test(text)) throw new InvalidValue(`${name} must be a whole number.`);
  return Number(text);
}

/** A resource with only the selected attributes. */
export function shown(resource: Resource, { only, but }: ShownAttributes): object {
  const isShown = (name: string) =>
    ['id', 'schemas', 'meta'].includes(name) || ((only === null || only.has(name)) && !but.has(name));
  return Object.fromEntries(Object.entries(resource).filter(([name]) => isShown(name.toLowerCase())));
}

/** A page of the resources that match the query, in the given order. */
export function listAnswer(all: readonly Resource[], query: ListQuery): object {
  const { filter, startIndex, count } = query;
  const found = filter === null ? all : all.filter((resource) => meets(resource, filter));
  const page: object[] = [];
  let members = 0;
  for (const resource of found.slice(startIndex - 1, startIndex - 1 + count)) {
    members += resource.members?.length ?? 0;
    if (members > MAX_MEMBERS && page.length > 0 && !query.shown.but.has('members')) break;
    page.push(shown(versioned(resource), query.shown));
  }
  return {
    schemas: [LIST],
    totalResults: found.length,
    startIndex,
    itemsPerPage: page.length,
    Resources: page,
  };
}
