import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { isAdministrator, isGuest, isOwner, type Actor } from '../actor';
import type { ApiError } from '../errors/api-error';
import { NotAuthenticated } from '../errors/companion.errors';
import {
  MustBeAdministrator,
  MustBeOwner,
  NotForBots,
  NotForGuests,
  Unauthorized,
} from '../errors/shared.errors';
import { accessPolicy, type AccessPolicy } from './decorators';

/**
 * Applies what the route's decorators say about roles. It also refuses
 * whoever is still unknown on a route that asks for credentials, so that nothing is open by accident.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const policy = accessPolicy(context);
    const { actor } = context.switchToHttp().getRequest<FastifyRequest>();
    if (actor === null) {
      if (!policy.public && !policy.optionalCredentials) throw strangerRefusal(policy);
      return true;
    }
    checkRole(actor, policy);
    return true;
  }
}

function strangerRefusal({ scheme }: AccessPolicy): ApiError {
  return scheme === 'bearer'
    ? new NotAuthenticated()
    : new Unauthorized('Not logged in: API authentication or user session required');
}

function checkRole(actor: Actor, policy: AccessPolicy): void {
  if (policy.role === 'owner' && !isOwner(actor)) throw new MustBeOwner();
  if (policy.role === 'administrator' && !isAdministrator(actor)) throw new MustBeAdministrator();
  if (!policy.allowsGuests && isGuest(actor)) throw new NotForGuests();
  if (!policy.allowsBots && actor.isBot) throw new NotForBots();
}
