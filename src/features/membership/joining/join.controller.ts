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
import { formAnswer } from '../../../platform/pages/forms';
import { languageOf } from '../../../platform/pages/languages';
import { SentFields, WebPage } from '../../../platform/pages/web-page.decorator';
import { KEEPS_ITS_ADDRESS, renderWebPage } from '../../../platform/pages/web-page';
import { lead, LinkSignIn } from '../../auth/auth.module';
import { channelGroupsIn, InvitationKeyDto, JoinDto, keyOf } from '../membership.api';
import { joinedPage, joinPage } from './join-pages';
import { JoinService } from './join.service';

/** The page of an invitation. Available to anyone with its URL; there is no other protection. */
@Controller('join')
@OpenPage()
export class JoinController {
  constructor(
    private readonly joining: JoinService,
    private readonly links: LinkSignIn,
  ) {}

  /**
   * Shows the form with which an invited person creates an account.
   * @answersAlike 404 the invitation is unknown, used, revoked or expired
   * @answersAlike 429 too many requests from one address
   */
  @Get('*')
  @WebPage(KEEPS_ITS_ADDRESS)
  async show(@Parameters() dto: InvitationKeyDto, @Req() request: FastifyRequest): Promise<string> {
    return renderWebPage(joinPage(await this.joining.invitationFor(keyOf(dto))), languageOf(request));
  }

  /**
   * Creates the account of the invitee, signs in and redirects.
   * @answersAlike 302 the caller is signed in
   * @answersAlike 400 the form again, with what has to be corrected
   * @answersAlike 403 another site sent it
   * @answersAlike 404 the invitation is unknown, used, revoked or expired
   * @answersAlike 429 too many requests from one address
   */
  @Post('*')
  @WebPage(KEEPS_ITS_ADDRESS)
  async join(
    @Parameters() dto: JoinDto,
    @SentFields() fields: ReadonlyMap<string, string>,
    @CurrentCaller() caller: Caller,
    @CurrentOrigin() origin: RequestOrigin,
    @CurrentSession() former: string | null,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const { full_name: fullName = '', email = '', password = '' } = dto;
    const key = keyOf(dto);
    const person = { fullName, email, password, channelGroupIds: channelGroupsIn(fields) };
    return formAnswer(
      reply,
      async () => {
        const joined = await this.joining.join(key, person, { caller, origin, former });
        if (joined.session) {
          sendSessionCookie(request, reply, joined.session);
          lead(reply, this.links.firstPageOf(joined.session.userId));
        }
        return joinedPage(joined);
      },
      async (refusal) => joinPage(await this.joining.invitationFor(key), { ...person, refusal }),
    );
  }
}
