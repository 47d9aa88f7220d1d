/** How much of a request is read. */
export interface RequestLimits {
  /** Largest body, uploaded files apart, in bytes. */
  readonly bodyBytes: number;
  /** Largest JSON body of the companion interface, where the route reads it as parameters. */
  readonly jsonBytes: number;
  /** Most parameters, in the query string and in the body each. */
  readonly parameters: number;
  /** Largest single parameter, in bytes. */
  readonly parameterBytes: number;
}

/** Limits of routes that ask for no others. */
export const DEFAULT_REQUEST_LIMITS: RequestLimits = {
  bodyBytes: 4 * 1024 * 1024,
  // Two passwords of the greatest length, with every character escaped, and some margin.
  jsonBytes: 128 * 1024,
  parameters: 500,
  parameterBytes: 1024 * 1024,
};
