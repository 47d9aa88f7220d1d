import { Controller, Get, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Caller } from '../../../platform/actor';
import { CurrentCaller, Public } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { formAnswer } from '../../../platform/pages/form-answer';
import { SentFields, WebPage } from '../../../platform/pages/web-page.decorator';
import { renderWebPage } from '../../../platform/pages/web-page';
import { channelGroupsIn, InvitationKeyDto, JoinDto, keyOf } from './join.api';
import { joinedPage, joinPage } from './join-pages';
import { JoinService } from './join.service';

/** The page of an invitation. Anyone with its address may use it; there is no other protection. */
@Controller('join')
@Public()
export class JoinController {
  constructor(private readonly joining: JoinService) {}

  /**
   * Shows the form with which an invited person makes an account.
   * @answersAlike 404 the invitation is unknown, used up, revoked or too old
   * @answersAlike 429 too many requests from one address
   */
  @Get('*')
  @WebPage()
  async show(@Parameters() dto: InvitationKeyDto): Promise<string> {
    return renderWebPage(joinPage(await this.joining.invitationFor(keyOf(dto))));
  }

  /**
   * Makes the account of an invited person.
   * @answersAlike 400 the form again, with what has to be changed
   * @answersAlike 404 the invitation is unknown, used up, revoked or too old
   * @answersAlike 429 too many requests from one address
   */
  @Post('*')
  @WebPage()
  async join(
    @Parameters() dto: JoinDto,
    @SentFields() fields: ReadonlyMap<string, string>,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const { full_name: fullName = '', email = '', password = '' } = dto;
    const key = keyOf(dto);
    const person = { fullName, email, password, channelGroupIds: channelGroupsIn(fields) };
    return formAnswer(
      reply,
      async () => joinedPage(await this.joining.join(key, person, caller)),
      async (refusal) => joinPage(await this.joining.invitationFor(key), { ...person, refusal }),
    );
  }
}
