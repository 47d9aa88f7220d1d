import { ApiError } from '../../platform/errors/api-error';

/** The header with the shared secret is missing or wrong, or this server has no such secret. */
export class WebhookSecretRefused extends ApiError {
  constructor() {
    super('X-Webhook-Secret is missing or wrong', {
      code: 'UNAUTHORIZED',
      status: 401,
      headers: { 'www-authenticate': 'WebhookSecret' },
    });
  }
}

/** The provider's own signature is missing or wrong. */
export class WebhookSignatureRefused extends ApiError {
  constructor() {
    super('X-Hub-Signature-256 is missing or wrong', {
      code: 'UNAUTHORIZED',
      status: 401,
      headers: { 'www-authenticate': 'WebhookSignature' },
    });
  }
}

/** The handshake names another token, or this server has none. */
export class VerifyTokenRefused extends ApiError {
  constructor() {
    super('hub.verify_token is missing or wrong', { code: 'FORBIDDEN', status: 403 });
  }
}

/** Messages cannot be posted anywhere just now; the provider should try again later. */
export class BridgeChannelUnusable extends ApiError {
  constructor(reason: string) {
    super(`Messages cannot be taken in: ${reason}`, {
      code: 'CHANNEL_UNUSABLE',
      status: 503,
      headers: { 'retry-after': '300' },
    });
  }
}
