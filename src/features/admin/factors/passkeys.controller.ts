import { Delete, Get, HttpCode, Patch, Post } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import {
  CompanionController,
  JsonBody,
  PathId,
  QueryParameters,
} from '../../../platform/http/companion/companion-decorators';
import { PageQuery, type PageAnswer } from '../../../platform/http/companion/paging';
import {
  CurrentActor,
  CurrentSession,
  NeedsRecentSignIn,
  WithoutSecondFactor,
} from '../../../platform/http/decorators';
import {
  type AddedPasskeyRecord,
  AddPasskeyDto,
  type NewPasskeyChallenge,
  PasskeyNameDto,
  type PasskeyRecord,
  type PasskeyUseChallenge,
} from './passkeys.api';
import { OwnPasskeysService } from './passkeys.service';

/** The passkeys (WebAuthn) that people sign in with, alone or after their password. */
@CompanionController('auth/me')
export class PasskeysController {
  constructor(private readonly passkeys: OwnPasskeysService) {}

  /** Lists the caller's passkeys, oldest first. */
  @Get('passkeys')
  list(
    @CurrentActor() actor: Actor,
    @QueryParameters() query: PageQuery,
  ): Promise<PageAnswer<PasskeyRecord>> {
    return this.passkeys.list(actor, query);
  }

  /**
   * Starts to add a passkey: returns the data that the browser needs to create one. Also requires a recent sign-in from
   * programs.
   * @answers 403 the caller has to authenticate again
   * @answers 409 browsers do not support passkeys for the URL of this server
   */
  @Post('passkeys/challenge')
  @NeedsRecentSignIn('in any session')
  @WithoutSecondFactor()
  @HttpCode(200)
  begin(@CurrentActor() actor: Actor, @CurrentSession() sessionId: string): Promise<NewPasskeyChallenge> {
    return this.passkeys.begin(actor, sessionId);
  }

  /**
   * Adds the passkey that the browser created. From then on, signing in by password requires a second factor; people
   * who had none receive recovery codes, and their other sessions end.
   * @answers 400 it was not created for this site, the caller's session and the challenge, or the challenge is older
   * than five minutes
   * @answers 403 the caller has to authenticate again
   * @answers 409 it was added before, there are 20, or browsers do not support passkeys for the URL of this server
   */
  @Post('passkeys')
  @NeedsRecentSignIn('in any session')
  @WithoutSecondFactor()
  @HttpCode(201)
  add(
    @CurrentActor() actor: Actor,
    @CurrentSession() sessionId: string,
    @JsonBody() body: AddPasskeyDto,
  ): Promise<AddedPasskeyRecord> {
    return this.passkeys.add(actor, sessionId, body);
  }

  /**
   * Renames a passkey.
   * @answers 403 the caller has to authenticate again
   * @answers 404 the caller has no such passkey
   */
  @Patch('passkeys/:passkey_id')
  @NeedsRecentSignIn('in any session')
  rename(
    @CurrentActor() actor: Actor,
    @PathId('passkey_id') id: number,
    @JsonBody() { name }: PasskeyNameDto,
  ): Promise<PasskeyRecord> {
    return this.passkeys.rename(actor, id, name);
  }

  /**
   * Removes a passkey, and ends the caller's other sessions. With the last factor, recovery codes are removed as well.
   * @answers 403 the caller has to authenticate again
   * @answers 404 the caller has no such passkey
   */
  @Delete('passkeys/:passkey_id')
  @NeedsRecentSignIn('in any session')
  @HttpCode(204)
  remove(
    @CurrentActor() actor: Actor,
    @PathId('passkey_id') id: number,
    @CurrentSession() sessionId: string,
  ): Promise<void> {
    return this.passkeys.remove(actor, id, sessionId);
  }

  /**
   * Returns the data that the browser needs to authenticate again with a passkey.
   * @answers 409 browsers do not support passkeys for the URL of this server
   */
  @Post('reauthentication/challenge')
  @HttpCode(200)
  challenge(@CurrentSession() sessionId: string): PasskeyUseChallenge {
    return this.passkeys.use(sessionId);
  }
}
