import { Controller, Get, Header, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Hooks } from '../../../platform/hooks/hooks';
import { NotRateLimited, OpenPage, Public, WithoutDatabase } from '../../../platform/http/decorators';
import { successText } from '../../../platform/http/envelope.interceptor';
import { languageOf } from '../../../platform/pages/languages';
import { WebPage } from '../../../platform/pages/web-page.decorator';
import { renderWebPage, SAYS_ITS_SITE } from '../../../platform/pages/web-page';
import { CsrfTokens } from '../../../platform/secrets/secret-links';
import { AccountDirectory } from '../../users/users.module';
import { chosenHomePagePort, homePagePort } from '../auth.hooks';
import { signedInPage, strangersPage } from './sign-in-pages';

/** The root URL of the server, which it prints when it starts. */
@Controller()
@OpenPage()
@WithoutDatabase('if possible')
export class HomeController {
  constructor(
    private readonly hooks: Hooks,
    private readonly accounts: AccountDirectory,
    private readonly tokens: CsrfTokens,
  ) {}

  /**
   * Shows people who open the URL in a browser what they can do there.
   * @answersAlike 302 to the caller's client
   */
  @Get()
  @WebPage(SAYS_ITS_SITE)
  async show(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const home = this.hooks.provider(chosenHomePagePort) ?? this.hooks.provider(homePagePort);
    const page = await home?.show(request, reply);
    return page ?? renderWebPage(this.frontPage(request), languageOf(request));
  }

  private frontPage({ actor, sessionId }: FastifyRequest) {
    if (actor === null || sessionId === null) return strangersPage();
    return signedInPage(this.accounts.existing(actor.userId).fullName, this.tokens.tokenFor(sessionId));
  }
}

/** The check that web clients make before they reload. */
@Controller('compatibility')
@Public()
@NotRateLimited()
export class CompatibilityController {
  /** Reports that the server is reachable. */
  @Get()
  @Header('cache-control', 'no-store')
  @Header('content-type', 'application/json; charset=utf-8')
  tell(): string {
    return successText({ result: {}, ignored: [] });
  }
}
