import type { FastifyRequest } from 'fastify';
import type { Actor } from '../../platform/actor';
import { sentParameters } from '../../platform/http/body/sent-parameters';
import { type AccountRecord, actorOf } from '../users';

/** Who is acting: the account as it is now, through the client that sent the request. */
export function actorFor(account: AccountRecord, request: FastifyRequest): Actor {
  return actorOf(account, clientNameOf(sentParameters(request).get('client'), request.headers['user-agent']));
}

/**
 * The name of the client program: the `client` parameter, else the `User-Agent` up to its version.
 */
function clientNameOf(clientParameter: string | undefined, userAgent: string | undefined): string {
  const name = clientParameter?.trim() || userAgent?.split(/[/\s]/, 1)[0]?.trim() || 'Unspecified';
  return name.length <= MAX_CLIENT_NAME_LENGTH ? name : [...name].slice(0, MAX_CLIENT_NAME_LENGTH).join('');
}

const MAX_CLIENT_NAME_LENGTH = 30;
