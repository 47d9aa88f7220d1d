import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Config } from '../../platform/config/config';
import type { AccessPolicy } from '../../platform/http/access.guard';
import { formField } from '../../platform/http/body/sent-parameters';
import { readBody } from '../../platform/http/body/unread-body';
import { CSRF_FIELD, CSRF_HEADER, foreignReason, saysForWhom } from '../../platform/http/doors/door';
import { RequestForged } from '../../platform/errors/request.errors';
import { CsrfTokens } from '../../platform/secrets/secret-links';

/**
 * Tells what a page of this server asks for from what another site has a browser send. Browsers say for which site they
 * send a request, and pages send the token of their session, which no other site can read.
 */
@Injectable()
export class ForgeryCheck {
  constructor(
    private readonly config: Config,
    private readonly tokens: CsrfTokens,
  ) {}

  /**
   * At sign-in there is no token yet, so the browser has to name the site of the request.
   * @throws RequestForged
   */
  async check(request: FastifyRequest, policy: AccessPolicy): Promise<void> {
    const reason = foreignReason(request, this.config.externalUrl);
    if (reason !== null) throw new RequestForged(reason);
    const { sessionId, door } = request;
    if (door === 'upload') {
      if (request.headers.origin === undefined) throw new RequestForged('Origin is missing.');
      return;
    }
    if (policy.scheme === 'session' && policy.optionalCredentials) {
      if (!saysForWhom(request))
        throw new RequestForged('The browser did not send the Sec-Fetch-Site header.');
      return;
    }
    const given = await givenToken(request);
    if (given === undefined) throw new RequestForged('CSRF token missing.');
    if (sessionId === null || !this.tokens.matches(sessionId, given)) {
      throw new RequestForged('CSRF token incorrect.');
    }
  }
}

/** In the header or in a form without files: of forms with files, nothing has been read yet. Never in the address. */
async function givenToken(request: FastifyRequest): Promise<string | undefined> {
  const header = request.headers[CSRF_HEADER];
  if (typeof header === 'string') return header;
  await readBody(request);
  return formField(request, CSRF_FIELD);
}
