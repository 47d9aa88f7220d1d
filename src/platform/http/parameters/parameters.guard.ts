import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { accessPolicy } from '../access.guard';
import { MultipartBody } from '../body/multipart-body';
import { sentParameters } from '../body/sent-parameters';
import { readBody, UnreadBody } from '../body/unread-body';
import { callerOf } from '../decorators';
import { openForm, routeParameters } from './open-form';

/**
 * Reads bodies, refuses parameters that cannot be read before they have any effect, and notes which of them the route
 * supports. It runs after the guards that know the caller, on whom it depends how much is read.
 */
@Injectable()
export class ParametersGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    // The caller of such a route is not known yet: its own guard comes after this one.
    if (accessPolicy(context).ownSecret) return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    request.supportedParameters = routeParameters(context).supported;
    const { body } = request;
    if (body instanceof MultipartBody) {
      return openForm(request, body, context).then(() => checkParameters(request, context));
    }
    if (body instanceof UnreadBody) {
      return readBody(request).then(() => checkParameters(request, context));
    }
    return checkParameters(request, context);
  }
}

/** @throws BadRequest */
function checkParameters(request: FastifyRequest, context: ExecutionContext): true {
  const { actor, door } = request;
  const isClientNamed = sentParameters(request).has('client');
  if (isClientNamed && actor !== null && door === null) {
    // The guards that found out who is calling had not seen the form.
    request.actor = { ...actor, clientName: callerOf(request, accessPolicy(context)).clientName };
  }
  return true;
}
