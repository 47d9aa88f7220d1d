import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Config } from '../../platform/config/config';
import { isSameSecret } from '../../platform/secrets/same-secret';
import { WebhookSecretRefused } from './messaging.errors';

/** Admits deliveries with the shared secret; none while there is no secret. */
@Injectable()
export class WebhookSecretGuard implements CanActivate {
  constructor(private readonly config: Config) {}

  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
    const given = headers['x-webhook-secret'];
    const { webhookSecret } = this.config;
    if (webhookSecret === null || typeof given !== 'string' || !isSameSecret(given, webhookSecret)) {
      throw new WebhookSecretRefused();
    }
    return true;
  }
}
