import { Get, HttpCode, Patch, Post } from '@nestjs/common';
import type { Actor, Caller } from '../../../platform/actor';
import { CompanionController, JsonBody } from '../../../platform/http/companion/companion-decorators';
import {
  CurrentActor,
  CurrentCaller,
  CurrentOrigin,
  CurrentSession,
  NotForBrowsers,
  Public,
  type RequestOrigin,
  WithoutSecondFactor,
} from '../../../platform/http/decorators';
import {
  ChangePasswordDto,
  type LoginAnswer,
  LoginDto,
  passkeyIn,
  ReauthenticateDto,
  type ReauthenticationRecord,
  SecondLoginDto,
} from './login.api';
import { ReauthenticationService } from './reauthentication.service';
import { LoginService } from './login.service';
import { personRecord, type PersonRecord } from '../people/people.api';

/** Signing in to the companion interface, and managing one's own account there. */
@CompanionController('auth')
export class LoginController {
  constructor(
    private readonly logins: LoginService,
    private readonly reauthentication: ReauthenticationService,
  ) {}

  /**
   * Signs in: returns a token in exchange for an address and its password.
   * @answers 401 the address or the password is wrong; or a second factor is required, for which there is a
   * `challenge`, and for people with a passkey `passkey` with its `state` and `options`
   * @answers 403 the password is correct, but the account may not sign in, or the organization is deactivated
   * @answers 429 too many failed attempts; `Retry-After` contains the time to wait
   */
  @Post('login')
  @HttpCode(200)
  @Public()
  @NotForBrowsers()
  login(
    @JsonBody() { email, password }: LoginDto,
    @CurrentCaller() caller: Caller,
    @CurrentOrigin() origin: RequestOrigin,
  ): Promise<LoginAnswer> {
    return this.logins.login({ email, password, caller }, origin);
  }

  /**
   * Continues a login that was refused with `SECOND_FACTOR_REQUIRED`.
   * @answers 401 the code or passkey is wrong or was used before, or the challenge is older than five minutes
   * @answers 403 the account may not sign in, or the organization is deactivated
   * @answers 429 too many wrong codes; `Retry-After` contains the time to wait
   */
  @Post('login/second-factor')
  @HttpCode(200)
  @Public()
  @NotForBrowsers()
  secondLogin(
    @JsonBody() body: SecondLoginDto,
    @CurrentCaller() caller: Caller,
    @CurrentOrigin() origin: RequestOrigin,
  ): Promise<LoginAnswer> {
    const { challenge, code = '' } = body;
    return this.logins.secondLogin({ challenge, code, passkey: passkeyIn(body), caller }, origin);
  }

  /** Returns the account of the token. */
  @Get('me')
  @WithoutSecondFactor()
  me(@CurrentActor() actor: Actor): PersonRecord {
    return personRecord(this.logins.current(actor.userId));
  }

  /** Reports how the caller can authenticate again. */
  @Get('me/reauthentication')
  way(@CurrentActor() actor: Actor): Promise<ReauthenticationRecord> {
    return this.reauthentication.way(actor);
  }

  /**
   * Authenticates the caller again, after a refusal with `REAUTHENTICATION_REQUIRED`: for ten minutes, the session may
   * make sensitive changes.
   * @answers 400 the code, the passkey or the password is wrong
   * @answers 409 the caller has neither a password nor a second factor, and has to sign in again
   * @answers 429 too many wrong attempts
   */
  @Post('me/reauthentication')
  @HttpCode(204)
  reauthenticate(
    @CurrentActor() actor: Actor,
    @CurrentSession() sessionId: string,
    @JsonBody() body: ReauthenticateDto,
  ): Promise<void> {
    return this.reauthentication.confirm(actor, sessionId, body);
  }

  /** Ends the session of the token. */
  @Post('logout')
  @HttpCode(204)
  @WithoutSecondFactor()
  logout(@CurrentActor() actor: Actor, @CurrentSession() sessionId: string): Promise<void> {
    return this.logins.logout(actor, sessionId);
  }

  /** Changes the caller's password, ends all their sessions, and returns a token for a new one. */
  @Patch('me/password')
  @NotForBrowsers()
  changePassword(
    @CurrentActor() actor: Actor,
    @CurrentSession() sessionId: string,
    @JsonBody() { current_password, new_password }: ChangePasswordDto,
    @CurrentOrigin() origin: RequestOrigin,
  ): Promise<LoginAnswer> {
    return this.logins.changePassword(actor, sessionId, current_password, new_password, origin);
  }
}
