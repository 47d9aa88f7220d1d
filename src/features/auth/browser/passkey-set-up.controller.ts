import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../../../platform/actor';
import { ReauthenticationRequired } from '../../../platform/errors/shared.errors';
import { SIGN_IN_PATH } from '../../../platform/errors/request.errors';
import {
  CurrentActor,
  CurrentSession,
  OpenPage,
  SessionPage,
  WithoutSecondFactor,
} from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { formAnswer } from '../../../platform/pages/forms';
import { languageOf } from '../../../platform/pages/languages';
import { refusalText } from '../../../platform/pages/page-words';
import { WebPage } from '../../../platform/pages/web-page.decorator';
import { CsrfTokens } from '../../../platform/secrets/secret-links';
import { type CreationOptions, Passkeys } from '../../users/users.module';
import { maySetUp } from './factor-set-up.service';
import { lead, nextPage } from './next-page';
import { keepChallenge, keptState, PASSKEY_HEADERS } from './passkey-form';
import { NewPasskeyDto, SessionFormDto } from './sign-in.api';
import { passkeyName, recoveryCodesPage, setUpPage } from './sign-in-pages';

/** Setting up a passkey as the second factor that the organization requires. */
@Controller('login/second-factor/passkey')
@SessionPage()
@WithoutSecondFactor()
export class PasskeySetUpController {
  constructor(
    private readonly passkeys: Passkeys,
    private readonly tokens: CsrfTokens,
  ) {}

  /**
   * Returns the options for creating a passkey to the script of the page.
   * @answers 403 nobody is signed in; or the session has its second factor, or is too old to set one up
   * @answers 409 browsers do not support passkeys for the URL of this server
   */
  @Post('challenge')
  @OpenPage()
  @HttpCode(200)
  async challenge(
    @Parameters() _form: SessionFormDto,
    @CurrentActor() actor: Actor | null,
    @CurrentSession() sessionId: string | null,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CreationOptions> {
    if (actor === null || sessionId === null || !maySetUp(request)) throw new ReauthenticationRequired();
    const { state, options } = await this.passkeys.begin(actor, sessionId);
    keepChallenge(request, reply, { state, timeout: options.timeout });
    return options;
  }

  /**
   * Adds the passkey, ends the other sessions, and shows the recovery codes.
   * @answersAlike 302 the session has its second factor, or is too old to set one up
   * @answersAlike 400 the form again: the passkey is not accepted
   * @answersAlike 403 the person has a second factor, which the session has not verified
   */
  @Post()
  @WebPage(PASSKEY_HEADERS)
  async add(
    @Parameters()
    { client_data: clientData = '', attestation_object: attestationObject = '', next }: NewPasskeyDto,
    @CurrentActor() actor: Actor,
    @CurrentSession() sessionId: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    if (!maySetUp(request)) return lead(reply, SIGN_IN_PATH);
    const name = passkeyName(languageOf(request));
    const made = { name, state: keptState(request), clientData, attestationObject };
    const form = { next: nextPage(next), csrfToken: this.tokens.tokenFor(sessionId) };
    return formAnswer(
      reply,
      async () => {
        const { recoveryCodes } = await this.passkeys.add(actor, sessionId, made);
        keepChallenge(request, reply, null);
        return recoveryCodesPage(form.next, recoveryCodes ?? []);
      },
      (refusal) => setUpPage(form, true, (language) => refusalText(refusal, language)),
    );
  }
}
