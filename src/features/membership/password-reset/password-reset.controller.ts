import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../../platform/actor';
import {
  CurrentCaller,
  CurrentOrigin,
  CurrentSession,
  OpenPage,
  type RequestOrigin,
} from '../../../platform/http/decorators';
import { sendSessionCookie } from '../../../platform/http/doors/session-cookie';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { formAnswer } from '../../../platform/pages/form-answer';
import { WebPage } from '../../../platform/pages/web-page.decorator';
import { KEEPS_ITS_ADDRESS, renderWebPage } from '../../../platform/pages/web-page';
import { lead } from '../../auth/auth.module';
import { NewPasswordDto, RequestResetDto, ResetTokenDto } from './password-reset.api';
import { RequestResetService } from './request-reset.service';
import { RESET_PATH } from './reset-links.service';
import { changedPage, newPasswordPage, requestedPage, requestPage } from './reset-pages';
import { ResetPasswordService } from './reset-password.service';

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
  ask(): string {
    this.requests.requireAvailable();
    return renderWebPage(requestPage());
  }

  /**
   * Mails a link if an account has the address; the answer is always the same.
   * @answersAlike 400 the form again, with what has to be changed
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
   * @answersAlike 404 the link is unknown, used up or too old
   * @answersAlike 429 too many requests from one address
   */
  @Get('*')
  @WebPage(KEEPS_ITS_ADDRESS)
  async show(@Parameters() { reset_token: token }: ResetTokenDto): Promise<string> {
    if (token === '') return this.ask();
    const { deliveryEmail } = await this.resetting.accountFor(token);
    return renderWebPage(newPasswordPage(deliveryEmail));
  }

  /**
   * Sets the new password, signs in and redirects. Users with a second factor sign in themselves.
   * @answersAlike 302 the caller is signed in
   * @answersAlike 400 the form again, with what has to be changed
   * @answersAlike 403 another site sent it
   * @answersAlike 404 the link is unknown, used up or too old
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
