import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor, Caller } from '../../platform/actor';
import { Config } from '../../platform/config/config';
import {
  CurrentActor,
  CurrentCaller,
  CurrentOrigin,
  Public,
  type RequestOrigin,
} from '../../platform/http/decorators';
import { CSRF_COOKIE, foreignReason } from '../../platform/http/doors/door';
import { sendCookie, sendSessionCookie } from '../../platform/http/doors/session-cookie';
import { MissingParameter } from '../../platform/errors/request.errors';
import { Parameters } from '../../platform/http/parameters/parameters.decorator';
import { CsrfTokens } from '../../platform/secrets/secret-links';
import { DevelopmentKeyDto, FetchApiKeyDto } from './auth.api';
import { SignInService, type SignedIn } from './sign-in.service';

/** Fetching an API key. */
@Controller('api/v1')
@Public()
export class FetchApiKeyController {
  constructor(
    private readonly signIns: SignInService,
    private readonly config: Config,
    private readonly tokens: CsrfTokens,
  ) {}

  /**
   * Returns the API key of an account in exchange for its password; in a browser with a session, that of the session's
   * owner.
   * @answers 401 the address or the password is wrong, or the account or the organization is deactivated
   */
  @Post('fetch_api_key')
  async fetch(
    @Parameters() { username, password }: FetchApiKeyDto,
    @CurrentActor() actor: Actor | null,
    @CurrentCaller() caller: Caller,
  ) {
    if (actor !== null) return keyAnswer(await this.signIns.ownKey(actor, password));
    if (username === undefined) throw new MissingParameter('username');
    return keyAnswer(await this.signIns.byPassword({ email: username, password, caller }));
  }

  /**
   * Returns the API key of an account to any caller, on development servers only, and starts a browser session.
   * @answers 401 there is no such account, or it or the organization is deactivated
   */
  @Post('dev_fetch_api_key')
  async fetchInDevelopment(
    @Parameters() { username }: DevelopmentKeyDto,
    @CurrentCaller() caller: Caller,
    @CurrentOrigin() origin: RequestOrigin,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    // Another site must not sign the browser in as an account of its choice.
    const isForeign = foreignReason(request, this.config.externalUrl) !== null;
    const { session, ...signedIn } = await this.signIns.inDevelopment(
      username,
      caller,
      isForeign ? null : origin,
    );
    if (session) {
      sendSessionCookie(request, reply, session);
      const value = this.tokens.tokenFor(session.sessionId);
      sendCookie(request, reply, { name: CSRF_COOKIE, value, seconds: session.seconds });
    }
    return keyAnswer(signedIn);
  }

  /**
   * Lists the addresses that can sign in without a password, on development servers only.
   * @answers 401 the organization is deactivated
   */
  @Get('dev_list_users')
  listInDevelopment() {
    return this.signIns.developmentPeople();
  }
}

/** An API key and its owner. */
interface KeyAnswer {
  readonly api_key: string;
  readonly email: string;
  readonly user_id: number;
}

function keyAnswer({ apiKey, email, userId }: SignedIn): KeyAnswer {
  return { api_key: apiKey, email, user_id: userId };
}
