import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../../platform/actor';
import {
  CurrentCaller,
  CurrentOrigin,
  OpenPage,
  type RequestOrigin,
} from '../../../platform/http/decorators';
import { sendSessionCookie } from '../../../platform/http/doors/session-cookie';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { formAnswer } from '../../../platform/pages/forms';
import { languageOf } from '../../../platform/pages/languages';
import { WebPage } from '../../../platform/pages/web-page.decorator';
import { KEEPS_ITS_ADDRESS, renderWebPage } from '../../../platform/pages/web-page';
import { FirstSignInService } from './first-sign-in.service';
import { LinkSignIn } from './link-sign-in.service';
import { lead } from './next-page';
import { FirstSignInCodeDto, FirstSignInDto } from './sign-in.api';
import { firstSignInPage } from './sign-in-pages';

/** The first sign-in of a new server's owner, with the link that the server prints when it first starts. */
@Controller('login/first')
@OpenPage()
export class FirstSignInController {
  constructor(
    private readonly firstSignIn: FirstSignInService,
    private readonly links: LinkSignIn,
  ) {}

  /**
   * Shows the form for the owner's password to anyone with the link.
   * @answersAlike 404 the link was used or has expired
   */
  @Get()
  @WebPage(KEEPS_ITS_ADDRESS)
  async show(
    @Parameters() { code = '' }: FirstSignInCodeDto,
    @Req() request: FastifyRequest,
  ): Promise<string> {
    const { deliveryEmail } = await this.firstSignIn.accountFor(code);
    return renderWebPage(firstSignInPage(deliveryEmail, code, this.firstSignIn.names), languageOf(request));
  }

  /**
   * Sets the owner's password and, if given, the names of owner and organization; signs in, and redirects.
   * @answersAlike 302 the caller is signed in
   * @answersAlike 400 the form again, with what has to be corrected
   * @answersAlike 403 another site sent it
   * @answersAlike 404 the link was used or has expired
   */
  @Post()
  @WebPage(KEEPS_ITS_ADDRESS)
  async signIn(
    @Parameters() dto: FirstSignInDto,
    @CurrentCaller() caller: Caller,
    @CurrentOrigin() origin: RequestOrigin,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const { code = '', password = '', full_name: fullName = '', organization = '' } = dto;
    const { deliveryEmail } = await this.firstSignIn.accountSigningIn(code, caller);
    const names = { fullName, organization: organization.trim() };
    return formAnswer(
      reply,
      async () => {
        const session = await this.firstSignIn.signIn(code, { ...names, password }, caller, origin);
        sendSessionCookie(request, reply, session);
        lead(reply, this.links.firstPageOf(session.userId));
        return firstSignInPage(deliveryEmail, code, names);
      },
      (refusal) => firstSignInPage(deliveryEmail, code, names, refusal),
    );
  }
}
