/** How much of a request is read. */
export interface RequestLimits {
  /** Largest body, uploaded files apart, in bytes. */
  readonly bodyBytes: number;
  /** Most parameters, in the query string and in the body each. */
  readonly parameters: number;
  /** Largest single parameter, in bytes. */
  readonly parameterBytes: number;
}

/** Limits of routes that ask for no others. */
export const DEFAULT_REQUEST_LIMITS: RequestLimits = {
  bodyBytes: 4 * 1024 * 1024,
  parameters: 500,
  parameterBytes: 1024 * 1024,
};
