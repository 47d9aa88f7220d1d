import { isUtf8 } from 'node:buffer';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { BotType, type Actor, type Caller } from '../../platform/actor';
import { answerWithin } from '../../platform/clock';
import { InvalidApiKey, SignInRefused } from './auth.api';
import { InvalidToken, NotAuthenticated } from '../../platform/errors/companion.errors';
import {
  CallerDeactivated,
  BadRequest,
  NotLoggedIn,
  OrganizationClosed,
  OrganizationDeactivated,
  Unauthorized,
} from '../../platform/errors/shared.errors';
import { DatabaseUnreachable, MissingParameter } from '../../platform/errors/request.errors';
import { Directories } from '../../platform/events/directories';
import { accessPolicy, type AccessPolicy } from '../../platform/http/access.guard';
import { sentParameters } from '../../platform/http/body/sent-parameters';
import { readBody } from '../../platform/http/body/unread-body';
import { callerOf } from '../../platform/http/decorators';
import { doorOf } from '../../platform/http/doors/door';
import { ApiKeys } from '../../platform/secrets/api-keys';
import { OrganizationDirectory } from '../organization-settings/organization-settings.module';
import {
  AccountDirectory,
  type AccountRecord,
  actorOf,
  type KnownKey,
  KeyUse,
  SecondFactorMissing,
} from '../users/users.module';
import { BrowserAdmission } from './browser-admission.service';
import { BotKeys } from './bot-keys.service';
import { SessionAccounts } from './session-accounts.service';

/**
 * How long a request waits for an unresponsive database: less than clients and proxies wait, so that they receive an
 * explanation.
 */
const PATIENCE_MS = 8_000;

/** How long a request waits if its route can work without the database. */
const SHORT_PATIENCE_MS = 1_000;

/**
 * Authenticates every route that is neither public nor uses tokens: HTTP Basic with the account's address (real or
 * placeholder) and its API key. Uses only tables in memory, which it brings up to date first. Browsers are
 * authenticated separately.
 */
@Injectable()
export class BasicAuthGuard implements CanActivate {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly apiKeys: ApiKeys,
    private readonly organization: OrganizationDirectory,
    private readonly directories: Directories,
    private readonly browsers: BrowserAdmission,
    private readonly keyUse: KeyUse,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const policy = accessPolicy(context);
    const door = doorOf(request, policy);
    const mayHaveSession = door !== null && request.headers.cookie !== undefined;
    if (policy.looksAtDatabase !== 'never' || mayHaveSession) await this.catchUp(policy);
    if (door !== null) await this.browsers.admit(request, policy, door);
    if (request.actor !== null) return true;
    const isOpen = policy.public || policy.scheme !== 'basic';
    const header = isOpen ? undefined : request.headers.authorization;
    if (isOpen || (header === undefined && policy.optionalCredentials)) {
      this.requireOrganization(policy);
      return true;
    }
    if (header === undefined) {
      throw new NotLoggedIn();
    }
    const { account, key } = this.authenticate(header, () => callerOf(request, policy));
    if (account.botType === BotType.incomingWebhook && !policy.allowsIncomingWebhookBots) {
      throw new Unauthorized('This API is not available to incoming webhook bots.');
    }
    request.actor = actorFor(account, request, policy, key);
    return true;
  }

  /**
   * Brings the tables in memory up to date; routes that can work without the database continue if it is unresponsive.
   * @throws DatabaseUnreachable
   */
  private async catchUp({ looksAtDatabase }: AccessPolicy): Promise<void> {
    if (!this.directories.mayBeBehind) return;
    const caughtUp = this.directories.catchUp();
    if (looksAtDatabase === 'always') {
      await answerWithin(PATIENCE_MS, caughtUp, () => new DatabaseUnreachable());
    } else {
      await answerWithin(SHORT_PATIENCE_MS, caughtUp).catch(() => undefined);
    }
  }

  /**
   * Finds the account for the key in the header, in the tables in memory: its own key or a named one.
   * @param from the client, to record the use of named keys
   * @throws BadRequest or Unauthorized; with the same text for an unknown address, a wrong key, and an expired one
   */
  authenticate(header: string, from: () => Caller): Authenticated {
    const { userName, apiKey } = parseBasicCredentials(header);
    const account = this.accounts.byEmail(userName);
    const matches = this.apiKeys.matches(account?.keyNonce ?? UNKNOWN_ACCOUNT_NONCE, apiKey);
    // The same work for an unknown address.
    const key = matches ? null : this.keyUse.admit(account?.id ?? 0, apiKey, from);
    if (!account || account.isSystemBot || !(matches || key)) throw new Unauthorized('Invalid API key');
    if (this.organization.isDeactivated) throw new OrganizationDeactivated();
    if (!account.isActive) throw new CallerDeactivated();
    return { account, key };
  }

  /**
   * Refuses requests in a deactivated organization, except on routes that also work without the database. Bearer tokens
   * need no check, as all sessions have ended.
   * @throws OrganizationClosed
   */
  private requireOrganization({ looksAtDatabase, scheme, public: isPublic }: AccessPolicy): void {
    if (looksAtDatabase !== 'always' || (scheme === 'bearer' && !isPublic)) return;
    if (this.organization.isDeactivated) throw new OrganizationClosed();
  }
}

/** The caller of a request with an API key. */
interface Authenticated {
  readonly account: AccountRecord;
  /** The named key in use; null for the account's own. */
  readonly key: KnownKey | null;
}

/** Used if no account was found, so that the same comparison runs either way. */
const UNKNOWN_ACCOUNT_NONCE = '0'.repeat(32);

/** The credentials of an `Authorization: Basic` header, trimmed. */
interface BasicCredentials {
  readonly userName: string;
  readonly apiKey: string;
}

const API_KEY = /^[A-Za-z0-9]{32}$/;

/**
 * Parses the Basic credentials in the header.
 * @throws BadRequest for another scheme, Unauthorized for credentials that cannot be decoded
 */
export function parseBasicCredentials(header: string): BasicCredentials {
  const words = header.split(' ');
  if (words[0]?.toLowerCase() !== 'basic') {
    throw new BadRequest('This endpoint requires HTTP basic authentication.');
  }
  const parts = words.length === 2 ? decode(words[1] as string)?.split(':') : undefined;
  if (parts?.length !== 2) throw new Unauthorized('Invalid authorization header for basic auth');
  const [userName, apiKey] = parts.map((part) => part.trim()) as [string, string];
  if (!API_KEY.test(apiKey)) throw new Unauthorized('Malformed API key');
  return { userName, apiKey };
}

/** Strict on both layers: returns undefined for text that is not base64 or not UTF-8. */
function decode(base64: string): string | undefined {
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) return undefined;
  const bytes = Buffer.from(base64, 'base64');
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

/**
 * Authenticates the companion interface: a bearer token with an active session, of an active account with the role
 * named in the token. Runs after the directories were brought up to date for the request.
 */
@Injectable()
export class BearerAuthGuard implements CanActivate {
  constructor(private readonly sessions: SessionAccounts) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const policy = accessPolicy(context);
    if (policy.scheme !== 'bearer' || policy.public || request.actor !== null) return true;
    const { authorization } = request.headers;
    if (authorization === undefined) {
      if (policy.optionalCredentials) return true;
      throw new NotAuthenticated();
    }
    const found = await this.sessions.find(bearerToken(authorization), 'token');
    if (!found) throw new InvalidToken();
    if (found.lacksFactor && !policy.allowsWithoutFactor) throw new SecondFactorMissing();
    request.actor = actorFor(found.account, request, policy, null);
    request.sessionId = found.sessionId;
    request.sessionEndsAt = found.endsAt;
    request.lacksFactor = found.lacksFactor;
    request.isRecent = found.isRecent;
    return true;
  }
}

/** @throws NotAuthenticated for another scheme, such as Basic */
function bearerToken(header: string): string {
  const [scheme, token, ...rest] = header.split(' ');
  if (scheme?.toLowerCase() !== 'bearer' || !token || rest.length > 0) {
    throw new NotAuthenticated('Bearer token required. Get one from POST /api/auth/login.');
  }
  return token;
}

/**
 * Authenticates the routes that accept the key of a bot in their URL. Refuses people's keys: such URLs are given to
 * other companies, and a person's key grants full access. Runs after the directories were brought up to date.
 */
@Injectable()
export class AddressKeyGuard implements CanActivate {
  constructor(private readonly keys: BotKeys) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const policy = accessPolicy(context);
    if (policy.scheme !== 'key' || policy.public) return true;
    // Few services send it in a form, whose size is limited as for anonymous callers.
    if (!sentParameters(request).has('api_key')) await readBody(request);
    const key = sentParameters(request).get('api_key')?.trim();
    if (key === undefined) throw new MissingParameter('api_key');
    if (!API_KEY.test(key)) throw new InvalidApiKey('Malformed API key');
    const found = this.keys.find(key, () => callerOf(request, policy));
    if (!found) throw new InvalidApiKey();
    const { bot } = found;
    if (!bot.isActive) throw new SignInRefused();
    request.actor = actorFor(bot, request, policy, found.key);
    return true;
  }
}

/** The actor: the account's current state, with the client that sent the request. */
function actorFor(
  account: AccountRecord,
  request: FastifyRequest,
  policy: AccessPolicy,
  key: KnownKey | null,
): Actor {
  const caller = callerOf(request, policy);
  if (!key) return actorOf(account, caller);
  // A waiting poll ends when the key expires.
  request.sessionEndsAt = key.expiresAt;
  return actorOf(account, { ...caller, limit: key.limit });
}
