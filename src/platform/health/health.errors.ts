import { refusal } from '../errors/api-error';

/** The operator set a token for the metrics, and the caller did not send it. */
export class MetricsTokenRequired extends refusal('This endpoint requires the token in METRICS_TOKEN.', {
  code: 'UNAUTHORIZED',
  status: 401,
  headers: { 'www-authenticate': 'Bearer realm="metrics"' },
}) {}

/** Without a token, metrics are served to this machine only. */
export class MetricsForThisMachine extends refusal(
  'This endpoint accepts only local requests unless METRICS_TOKEN is set.',
  {
    code: 'FORBIDDEN',
    status: 403,
  },
) {}
