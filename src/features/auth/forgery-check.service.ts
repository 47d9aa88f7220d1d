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
 * Distinguishes requests by pages of this server from those that another site makes a browser send. Browsers name the
 * site of a request, and pages send the token of their session, which no other site can read.
 */
@Injectable()
export class ForgeryCheck {
  constructor(
    private readonly config: Config,
    private readonly tokens: CsrfTokens,
  ) {}

  /**
   * Before sign-in there is no token, so the browser has to name the site of the request.
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

/** The token in the header or in a form without files: forms with files have not been read yet. Never in the URL. */
async function givenToken(request: FastifyRequest): Promise<string | undefined> {
  const header = request.headers[CSRF_HEADER];
  if (typeof header === 'string') return header;
  await readBody(request);
  return formField(request, CSRF_FIELD);
}
