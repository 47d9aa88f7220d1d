import { Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type PasswordLink,
  PasswordLinksService,
  RequestResetService,
  RESET_PATH,
  ResetPasswordService,
} from './password-reset.service';
import { NewPasswordDto, RequestResetDto, ResetTokenDto } from '../membership.api';
import { changedPage, newPasswordPage, requestedPage, requestPage } from './reset-pages';
import type { Actor, Caller } from '../../../platform/actor';
import { CompanionController, PathId } from '../../../platform/http/companion/companion-decorators';
import {
  AdministratorOnly,
  CurrentActor,
  CurrentCaller,
  CurrentOrigin,
  CurrentSession,
  NeedsRecentSignIn,
  OpenPage,
  type RequestOrigin,
} from '../../../platform/http/decorators';
import { sendSessionCookie } from '../../../platform/http/doors/session-cookie';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { formAnswer } from '../../../platform/pages/forms';
import { languageOf } from '../../../platform/pages/languages';
import { WebPage } from '../../../platform/pages/web-page.decorator';
import { KEEPS_ITS_ADDRESS, renderWebPage } from '../../../platform/pages/web-page';
import { lead } from '../../auth/auth.module';

/** The password reset pages. Clients open the first one with a trailing slash. */
@Controller(RESET_PATH)
@OpenPage()
export class PasswordResetController {
  constructor(
    private readonly requests: RequestResetService,
    private readonly resetting: ResetPasswordService,
  ) {}

  /**
   * Shows the form for a password reset.
   * @answersAlike 404 the server sends no mail
   * @answersAlike 429 too many requests from one address
   */
  @Get()
  @WebPage(KEEPS_ITS_ADDRESS)
  ask(@Req() request: FastifyRequest): string {
    this.requests.requireAvailable();
    return renderWebPage(requestPage(), languageOf(request));
  }

  /**
   * Mails a link if an account has the address; the response is always the same.
   * @answersAlike 400 the form again, with what has to be corrected
   * @answersAlike 403 another site sent it
   * @answersAlike 404 the server sends no mail
   * @answersAlike 429 too many requests from one address
   */
  @Post()
  @WebPage(KEEPS_ITS_ADDRESS)
  async request(
    @Parameters() { email = '' }: RequestResetDto,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    return formAnswer(
      reply,
      async () => {
        await this.requests.request(email, caller);
        return requestedPage();
      },
      (refusal) => requestPage({ email, refusal }),
    );
  }

  /**
   * Shows the form for the new password to anyone with the link.
   * @answersAlike 404 the link is unknown, used or expired
   * @answersAlike 429 too many requests from one address
   */
  @Get('*')
  @WebPage(KEEPS_ITS_ADDRESS)
  async show(
    @Parameters() { reset_token: token }: ResetTokenDto,
    @Req() request: FastifyRequest,
  ): Promise<string> {
    if (token === '') return this.ask(request);
    const { deliveryEmail } = await this.resetting.accountFor(token);
    return renderWebPage(newPasswordPage(deliveryEmail), languageOf(request));
  }

  /**
   * Sets the new password, signs in and redirects. Users with a second factor sign in themselves.
   * @answersAlike 302 the caller is signed in
   * @answersAlike 400 the form again, with what has to be corrected
   * @answersAlike 403 another site sent it
   * @answersAlike 404 the link is unknown, used or expired
   * @answersAlike 429 too many requests from one address
   */
  @Post('*')
  @WebPage(KEEPS_ITS_ADDRESS)
  async reset(
    @Parameters() { reset_token: token, password = '', email }: NewPasswordDto,
    @CurrentCaller() caller: Caller,
    @CurrentOrigin() origin: RequestOrigin,
    @CurrentSession() former: string | null,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    if (token === '') return this.request({ email }, caller, reply);
    const { deliveryEmail } = await this.resetting.accountFor(token);
    return formAnswer(
      reply,
      async () => {
        const outcome = await this.resetting.reset(token, password, { caller, origin, former });
        if (outcome.session) {
          sendSessionCookie(request, reply, outcome.session);
          lead(reply, outcome.leadsTo);
        }
        return changedPage();
      },
      (refusal) => newPasswordPage(deliveryEmail, refusal),
    );
  }
}

/** Links for new passwords that administrators pass on themselves, if no mail is sent or it does not arrive. */
@CompanionController('auth/users')
export class PasswordLinksController {
  constructor(private readonly links: PasswordLinksService) {}

  /**
   * Creates a link with which a person sets a new password: once, within an hour. Only owners create those of owners.
   * @answers 404 there is no such person
   * @answers 409 the person was deleted
   */
  @Post(':user_id/password-link')
  @NeedsRecentSignIn()
  @HttpCode(201)
  @AdministratorOnly()
  create(@CurrentActor() actor: Actor, @PathId('user_id') userId: number): Promise<PasswordLink> {
    return this.links.create(actor, userId);
  }
}
