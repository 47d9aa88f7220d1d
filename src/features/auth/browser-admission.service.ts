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
 * Authenticates browsers by session cookie, only on routes that allow it ({@link Door}). Changes made with a cookie
 * must come from a page of this server ({@link ForgeryCheck}).
 */
@Injectable()
export class BrowserAdmission {
  constructor(
    private readonly sessions: SessionAccounts,
    private readonly forgery: ForgeryCheck,
    private readonly organization: OrganizationDirectory,
  ) {}

  /**
   * Admits a request through a door, with the actor of its session, if any. The tables in memory are up to date.
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
   * Checks again that the session of a request has not ended.
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
      // Pages redirect to the setup or verification of the factor, which is part of the sign-in page.
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
 * A request must not have two identities.
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

/** Pages redirect to the sign-in page; programs receive an error. */
function strangerRefusal(request: FastifyRequest, door: Door): ApiError {
  const { originalUrl } = request;
  if (door === 'page') return new SignInFirst(isSafe(request) ? originalUrl : '/');
  const isOpened = isSafe(request) && (request.headers.accept ?? '').startsWith('text/html');
  return isOpened ? new SignInFirst(originalUrl) : new NotLoggedIn();
}
