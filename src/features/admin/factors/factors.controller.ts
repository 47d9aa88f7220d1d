import { Delete, Get, HttpCode, Patch, Post } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { CompanionController, JsonBody, PathId } from '../../../platform/http/companion/companion-decorators';
import {
  AdministratorOnly,
  CurrentActor,
  CurrentSession,
  NeedsRecentSignIn,
  OwnerOnly,
  WithoutSecondFactor,
} from '../../../platform/http/decorators';
import {
  BeginSecondFactorDto,
  FactorPolicyDto,
  type FactorPolicyRecord,
  type NewSecondFactor,
  type RecoveryCodes,
  SecondFactorCodeDto,
  type SecondFactorRecord,
} from './factors.api';
import { FactorsService } from './factors.service';

/** Second factors for signing in. */
@CompanionController('auth')
export class FactorsController {
  constructor(private readonly factors: FactorsService) {}

  /** Reports whether the caller has a second factor. */
  @Get('me/second-factor')
  @WithoutSecondFactor()
  show(@CurrentActor() actor: Actor): Promise<SecondFactorRecord> {
    return this.factors.own(actor);
  }

  /**
   * Starts to set up an authenticator app (TOTP); it takes effect once a code of it is confirmed.
   * @answers 400 the password is wrong
   * @answers 409 there is a second factor already
   * @answers 429 too many wrong passwords
   */
  @Post('me/second-factor')
  @HttpCode(201)
  @WithoutSecondFactor()
  begin(
    @CurrentActor() actor: Actor,
    @JsonBody() { password }: BeginSecondFactorDto,
  ): Promise<NewSecondFactor> {
    return this.factors.begin(actor, password);
  }

  /**
   * Enables the app, ends the caller's other sessions, and returns recovery codes.
   * @answers 400 the code is wrong
   * @answers 409 no setup was started, or there is a second factor already
   * @answers 429 too many wrong codes
   */
  @Post('me/second-factor/confirm')
  @HttpCode(200)
  @WithoutSecondFactor()
  async confirm(
    @CurrentActor() actor: Actor,
    @CurrentSession() sessionId: string,
    @JsonBody() { code }: SecondFactorCodeDto,
  ): Promise<RecoveryCodes> {
    return { recovery_codes: await this.factors.confirm(actor, code, sessionId) };
  }

  /**
   * Removes the caller's authenticator app, and ends their other sessions. Passkeys stay, and recovery codes with them.
   * @answers 400 the code is wrong
   * @answers 409 there is none
   * @answers 429 too many wrong codes
   */
  @Post('me/second-factor/remove')
  @HttpCode(204)
  remove(
    @CurrentActor() actor: Actor,
    @CurrentSession() sessionId: string,
    @JsonBody() { code }: SecondFactorCodeDto,
  ): Promise<void> {
    return this.factors.remove(actor, code, sessionId);
  }

  /** Reports who must have a second factor. */
  @Get('second-factor-policy')
  showPolicy(): FactorPolicyRecord {
    return this.factors.policy();
  }

  /**
   * Requires a second factor of everyone, of administrators and owners, or of nobody. Sessions without a verified
   * factor are refused from then on, until their owner sets one up or verifies it; API keys keep working.
   * @answers 409 the caller has no second factor, and would be locked out
   */
  @Patch('second-factor-policy')
  @NeedsRecentSignIn()
  @OwnerOnly()
  changePolicy(@CurrentActor() actor: Actor, @JsonBody() body: FactorPolicyDto): Promise<FactorPolicyRecord> {
    return this.factors.changePolicy(actor, body);
  }

  /**
   * Removes the second factors of a person who has lost them, app and passkeys, and ends their sessions; the password
   * stays. Only owners may do so for owners.
   * @answers 409 the person has none, or was deleted
   */
  @Delete('users/:user_id/second-factor')
  @NeedsRecentSignIn()
  @HttpCode(204)
  @AdministratorOnly()
  reset(@CurrentActor() actor: Actor, @PathId('user_id') userId: number): Promise<void> {
    return this.factors.reset(actor, userId);
  }
}
