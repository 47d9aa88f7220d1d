import { ApiError } from '../errors/api-error';

/** The operator set a token for the figures, and this is not it. */
export class MetricsTokenRequired extends ApiError {
  constructor() {
    super('This address needs the token of METRICS_TOKEN.', {
      code: 'UNAUTHORIZED',
      status: 401,
      headers: { 'www-authenticate': 'Bearer realm="metrics"' },
    });
  }
}

/** Without a token, the figures are for the machine itself. */
export class MetricsForThisMachine extends ApiError {
  constructor() {
    super('This address answers only this machine itself, unless METRICS_TOKEN is set.', {
      code: 'FORBIDDEN',
      status: 403,
    });
  }
}
