import { Controller, Get, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Caller } from '../../../platform/actor';
import { CurrentCaller, Public } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { formAnswer } from '../../../platform/pages/form-answer';
import { WebPage } from '../../../platform/pages/web-page.decorator';
import { renderWebPage } from '../../../platform/pages/web-page';
import { NewPasswordDto, RequestResetDto, ResetTokenDto } from './password-reset.api';
import { RequestResetService } from './request-reset.service';
import { RESET_PATH } from './reset-links.service';
import { changedPage, newPasswordPage, requestedPage, requestPage } from './reset-pages';
import { ResetPasswordService } from './reset-password.service';

/** The password reset pages. Clients open the first one with a trailing slash. */
@Controller(RESET_PATH)
@Public()
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
  @WebPage()
  ask(): string {
    this.requests.requireAvailable();
    return renderWebPage(requestPage());
  }

  /**
   * Mails a link if an account has the address; the answer is always the same.
   * @answersAlike 400 the form again, with what has to be changed
   * @answersAlike 404 the server sends no mail
   * @answersAlike 429 too many requests from one address
   */
  @Post()
  @WebPage()
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
  @WebPage()
  async show(@Parameters() { reset_token: token }: ResetTokenDto): Promise<string> {
    if (token === '') return this.ask();
    const { deliveryEmail } = await this.resetting.accountFor(token);
    return renderWebPage(newPasswordPage(deliveryEmail));
  }

  /**
   * Sets the new password.
   * @answersAlike 400 the form again, with what has to be changed
   * @answersAlike 404 the link is unknown, used up or too old
   * @answersAlike 429 too many requests from one address
   */
  @Post('*')
  @WebPage()
  async reset(
    @Parameters() { reset_token: token, password = '', email }: NewPasswordDto,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    if (token === '') return this.request({ email }, caller, reply);
    const { deliveryEmail } = await this.resetting.accountFor(token);
    return formAnswer(
      reply,
      async () => {
        await this.resetting.reset(token, password, caller);
        return changedPage();
      },
      (refusal) => newPasswordPage(deliveryEmail, refusal),
    );
  }
}
