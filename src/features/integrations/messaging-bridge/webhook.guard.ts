import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Config } from '../../../platform/config/config';
import { sentParameters } from '../../../platform/http/body/sent-parameters';
import { readBody } from '../../../platform/http/body/unread-body';
import { isSameSecret } from '../../../platform/secrets/secret-links';
import { VerifyTokenRefused, WebhookSecretRefused } from './messaging.api';

/** Admits handshakes with the token; none if no token is configured. */
@Injectable()
export class VerifyTokenGuard implements CanActivate {
  constructor(private readonly config: Config) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const given = sentParameters(request).get('hub.verify_token');
    const { webhookVerifyToken } = this.config;
    if (webhookVerifyToken === null || given === undefined || !isSameSecret(given, webhookVerifyToken)) {
      throw new VerifyTokenRefused();
    }
    return true;
  }
}

/** Admits deliveries with the shared secret; none if no secret is configured. */
@Injectable()
export class WebhookSecretGuard implements CanActivate {
  constructor(private readonly config: Config) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const given = request.headers['x-webhook-secret'];
    const { webhookSecret } = this.config;
    if (webhookSecret === null || typeof given !== 'string' || !isSameSecret(given, webhookSecret)) {
      throw new WebhookSecretRefused();
    }
    await readBody(request, request.server.requestLimits);
    return true;
  }
}
