import { MAX_VALUES } from './json-text';

/** Limits on what is read of a request. */
export interface RequestLimits {
  /** Maximum size of the body in bytes, without uploaded files. */
  readonly bodyBytes: number;
  /** Maximum size of a JSON body of the companion interface that is read as parameters. */
  readonly jsonBytes: number;
  /** Maximum number of values in a JSON body, including nested ones. */
  readonly jsonValues: number;
  /** Maximum number of parameters, in the query string and in the body each. */
  readonly parameters: number;
  /** Maximum size of a single parameter, in bytes. */
  readonly parameterBytes: number;
}

/** Default limits for authenticated callers. */
export const DEFAULT_REQUEST_LIMITS: RequestLimits = {
  bodyBytes: 4 * 1024 * 1024,
  jsonBytes: 128 * 1024,
  jsonValues: MAX_VALUES,
  parameters: 500,
  parameterBytes: 1024 * 1024,
};

/** Limits for callers without credentials: few routes are open to them, and none needs much. */
const STRANGER_LIMITS = {
  // Two passwords of the maximum length, with every character escaped, and some margin.
  bodyBytes: 64 * 1024,
  jsonBytes: 64 * 1024,
  jsonValues: 2_500,
  parameters: 40,
  parameterBytes: 64 * 1024,
} satisfies RequestLimits;

/** Set on a route that accepts larger forms than {@link STRANGER_LIMITS} from callers without credentials. */
export interface FormLimits {
  /** Maximum size of the form, and of a parameter in it. */
  readonly formBytes?: number;
}

/** Limits for callers without credentials, derived from the server's limits for others. */
export function strangerLimits(limits: RequestLimits): RequestLimits {
  const least = { ...STRANGER_LIMITS };
  for (const name of Object.keys(least) as (keyof RequestLimits)[]) {
    least[name] = Math.min(least[name], limits[name]);
  }
  return least;
}
