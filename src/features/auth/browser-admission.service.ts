import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { ApiError } from '../../platform/errors/api-error';
import { Forbidden } from '../../platform/errors/companion.errors';
import { BadRequest, NotLoggedIn } from '../../platform/errors/shared.errors';
import type { AccessPolicy } from '../../platform/http/access.guard';
import { callerOf } from '../../platform/http/decorators';
import { type Door, isSafe } from '../../platform/http/doors/door';
import { SignInFirst } from '../../platform/errors/request.errors';
import { readSessionCookie } from '../../platform/http/doors/session-cookie';
import { OrganizationDirectory } from '../organization-settings/organization-settings.module';
import { actorOf, SecondFactorMissing } from '../users/users.module';
import { ForgeryCheck } from './forgery-check.service';
import { SessionAccounts } from './session-accounts.service';

/**
 * Authenticates browsers by the cookie of their session, where a door stands open for it ({@link Door}), and nowhere
 * else. What a cookie may change, a page of this server has to ask for ({@link ForgeryCheck}).
 */
@Injectable()
export class BrowserAdmission {
  constructor(
    private readonly sessions: SessionAccounts,
    private readonly forgery: ForgeryCheck,
    private readonly organization: OrganizationDirectory,
  ) {}

  /**
   * Lets a request in through a door, with the actor of its session if it has one. The tables in memory are up to date.
   * @throws BadRequest, Forbidden, NotLoggedIn, SignInFirst, SecondFactorMissing, RequestForged
   */
  async admit(request: FastifyRequest, policy: AccessPolicy, door: Door): Promise<void> {
    request.door = door;
    request.houseLanguage = this.organization.settings.default_language;
    if (door === 'json') checkDoor(request, policy);
    await this.recognize(request, policy, door);
    if (request.actor === null && needsSession(request, policy, door)) throw strangerRefusal(request, door);
    if (!isSafe(request)) await this.forgery.check(request, policy);
  }

  /**
   * Looks again whether the session in which a request came goes on.
   * @throws NotLoggedIn, SecondFactorMissing
   */
  async readmit(request: FastifyRequest): Promise<void> {
    const token = readSessionCookie(request);
    const found = token === undefined ? null : await this.sessions.find(token, 'browser');
    if (found?.sessionId !== request.sessionId) throw new NotLoggedIn();
    if (found.lacksFactor) throw new SecondFactorMissing();
  }

  private async recognize(request: FastifyRequest, policy: AccessPolicy, door: Door): Promise<void> {
    const token = readSessionCookie(request);
    if (token === undefined) return;
    const found = await this.sessions.find(token, 'browser').catch((error: unknown) => {
      // Routes that work without the database do not identify the caller.
      if (policy.looksAtDatabase !== 'always') return null;
      throw error;
    });
    if (!found) return;
    if (found.lacksFactor && !policy.allowsWithoutFactor) {
      // Pages lead to where the factor is set up or shown, which is where people sign in.
      if (door !== 'json') return;
      throw new SecondFactorMissing();
    }
    const { default_language: language } = found.account.settings;
    request.ownLanguage = typeof language === 'string' ? language : null;
    request.actor = actorOf(found.account, callerOf(request, policy));
    request.sessionId = found.sessionId;
    request.sessionEndsAt = found.endsAt;
    request.lacksFactor = found.lacksFactor;
    request.isRecent = found.isRecent;
  }
}

/**
 * No request has two identities.
 * @throws BadRequest, Forbidden
 */
function checkDoor({ headers }: FastifyRequest, { allowsBrowsers }: AccessPolicy): void {
  if (headers.authorization !== undefined) {
    throw new BadRequest('Paths under /json require a session cookie. Use /api for other credentials.');
  }
  if (!allowsBrowsers)
    throw new Forbidden('This endpoint is not available to browser sessions. Use an API key under /api.');
}

/** Public routes still require a session for writes. */
function needsSession(request: FastifyRequest, policy: AccessPolicy, door: Door): boolean {
  if (door === 'file') return false;
  const isOpen = policy.public || policy.optionalCredentials;
  return !isOpen || (door === 'json' && !isSafe(request));
}

/** People who opened an address are led to the sign-in page; programs are told. */
function strangerRefusal(request: FastifyRequest, door: Door): ApiError {
  const { originalUrl } = request;
  if (door === 'page') return new SignInFirst(isSafe(request) ? originalUrl : '/');
  const isOpened = isSafe(request) && (request.headers.accept ?? '').startsWith('text/html');
  return isOpened ? new SignInFirst(originalUrl) : new NotLoggedIn();
}
