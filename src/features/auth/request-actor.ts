import type { FastifyRequest } from 'fastify';
import type { Actor } from '../../platform/actor';
import { sentParameters } from '../../platform/http/request';
import { type AccountRecord, actorOf } from '../users';
import { clientNameOf } from './client-name';

/** Who is acting: the account as it is now, through the client that sent the request. */
export function actorFor(account: AccountRecord, request: FastifyRequest): Actor {
  return actorOf(account, clientNameOf(sentParameters(request).get('client'), request.headers['user-agent']));
}
