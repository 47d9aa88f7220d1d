import { MAX_VALUES } from './json-text';

/** How much of a request is read. */
export interface RequestLimits {
  /** Largest body, uploaded files apart, in bytes. */
  readonly bodyBytes: number;
  /** Largest JSON body of the companion interface, where the route reads it as parameters. */
  readonly jsonBytes: number;
  /** Most values in a JSON body, those within others included. */
  readonly jsonValues: number;
  /** Most parameters, in the query string and in the body each. */
  readonly parameters: number;
  /** Largest single parameter, in bytes. */
  readonly parameterBytes: number;
}

/** Limits of routes that ask for no others, for callers who are known. */
export const DEFAULT_REQUEST_LIMITS: RequestLimits = {
  bodyBytes: 4 * 1024 * 1024,
  jsonBytes: 128 * 1024,
  jsonValues: MAX_VALUES,
  parameters: 500,
  parameterBytes: 1024 * 1024,
};

/** Limits of bodies from callers without credentials: few routes are open to them, and none needs much. */
const STRANGER_LIMITS = {
  // Two passwords of the greatest length, with every character escaped, and some margin.
  bodyBytes: 64 * 1024,
  jsonBytes: 64 * 1024,
  jsonValues: 2_500,
  parameters: 40,
  parameterBytes: 64 * 1024,
} satisfies RequestLimits;

/** What a route notes that takes larger forms from callers without credentials than {@link STRANGER_LIMITS}. */
export interface FormLimits {
  /** Largest form, and parameter in it. */
  readonly formBytes?: number;
}

/** Limits for callers without credentials, on a server that has these for others. */
export function strangerLimits(limits: RequestLimits): RequestLimits {
  const least = { ...STRANGER_LIMITS };
  for (const name of Object.keys(least) as (keyof RequestLimits)[]) {
    least[name] = Math.min(least[name], limits[name]);
  }
  return least;
}
