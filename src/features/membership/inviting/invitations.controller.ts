import { Controller, Delete, Get, Post } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { CurrentActor, HumansOnly, NeedsScope, NoGuests } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import type { InvitationWire } from '../invitations/invitation-records.api';
import { InvitationIdDto, InviteDto, MultiuseInviteDto, toTerms } from './invitations.api';
import { type HandedOver, InviteService } from './invite.service';
import { ManageInvitationsService } from './manage-invitations.service';

/** Inviting people to the organization. */
@Controller('api/v1/invites')
@NoGuests()
@HumansOnly()
@NeedsScope('manage_people')
export class InvitationsController {
  constructor(
    private readonly inviting: InviteService,
    private readonly managing: ManageInvitationsService,
  ) {}

  /** Lists open invitations: of everybody for administrators, otherwise the caller's own. */
  @Get()
  async list(@CurrentActor() actor: Actor): Promise<{ invites: InvitationWire[] }> {
    return { invites: await this.managing.list(actor) };
  }

  /** Invites people by their e-mail addresses. */
  @Post()
  async invite(
    @CurrentActor() actor: Actor,
    @Parameters() dto: InviteDto,
  ): Promise<{
    /** Where the server sends no mail: what the caller has to hand over. */
    invite_links?: readonly HandedOver[];
  }> {
    const notifiesInviter = dto.notify_referrer_on_join ?? true;
    const links = await this.inviting.invite(actor, dto.invitee_emails, toTerms(dto), notifiesInviter);
    return this.inviting.isByHand ? { invite_links: links } : {};
  }

  /** Makes a link with which several people can join. */
  @Post('multiuse')
  async makeLink(
    @CurrentActor() actor: Actor,
    @Parameters() dto: MultiuseInviteDto,
  ): Promise<{ invite_link: string }> {
    return { invite_link: await this.inviting.makeLink(actor, toTerms(dto)) };
  }

  /** Revokes the invitation of a person. */
  @Delete(':invite_id(\\d+)')
  revoke(@CurrentActor() actor: Actor, @Parameters() dto: InvitationIdDto): Promise<void> {
    return this.managing.revoke(actor, 'person', dto.invite_id);
  }

  /** Revokes a link for several people. */
  @Delete('multiuse/:invite_id(\\d+)')
  revokeLink(@CurrentActor() actor: Actor, @Parameters() dto: InvitationIdDto): Promise<void> {
    return this.managing.revoke(actor, 'link', dto.invite_id);
  }

  /** Mails an invitation again. */
  @Post(':invite_id(\\d+)/resend')
  resend(@CurrentActor() actor: Actor, @Parameters() dto: InvitationIdDto): Promise<void> {
    return this.managing.resend(actor, dto.invite_id);
  }
}
