import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type Actor, isAdministrator, isOwner, Role } from '../../../platform/actor';
import { initialState, stateFor } from '../../../platform/client-state/initial-state.hooks';
import type { ReadRepository } from '../../../platform/database/read-source';
import { Hooks } from '../../../platform/hooks/hooks';
import { AuditLog } from '../../audit/audit.module';
import { AccountDirectory, ActorTransactions } from '../../users/users.module';
import { InvitationAudienceService, InvitationEndService } from '../invitations/invitation-end.service';
import { InvitationLinks, InvitationMailService } from '../invitations/invitation-mail.service';
import {
  invitationWire,
  type InvitationWire,
  invitingState,
  MailedTooOften,
  NoMailServer,
  NoSuchInvitation,
} from '../invitations/invitation-records.api';
import { InvitationAccess, type InvitationKind } from '../invitations/invitation.access';
import { Invitation } from '../membership.entity';

/** How often an invitation can be mailed again on request. */
const MAX_MAILS_ASKED = 10;

/** Lists, revokes and resends invitations. */
@Injectable()
export class ManageInvitationsService {
  constructor(
    @InjectRepository(Invitation) private readonly invitations: ReadRepository<Invitation>,
    private readonly transactions: ActorTransactions,
    private readonly access: InvitationAccess,
    private readonly audiences: InvitationAudienceService,
    private readonly ending: InvitationEndService,
    private readonly links: InvitationLinks,
    private readonly mails: InvitationMailService,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Personal invitations first, then links. Administrators who are not owners do not see links for owners, because
   * anyone with a link can use it.
   */
  async list(actor: Actor): Promise<InvitationWire[]> {
    const rows = await this.invitations.find({
      where: { state: 'open', ...(isAdministrator(actor) ? {} : { inviterId: actor.userId }) },
      order: { isMultiuse: 'ASC', id: 'ASC' },
    });
    return rows
      .filter((row) => this.access.isOpen(row))
      .filter((row) => !row.isMultiuse || row.role !== Role.owner || isOwner(actor))
      .map((row) => invitationWire(row, this.linkFor(actor, row)));
  }

  /** @throws NoSuchInvitation, InvitationRevokedAlready, MustBeOwner, InvitationNeedsAdministrator */
  async revoke(caller: Actor, kind: InvitationKind, id: number): Promise<void> {
    await this.transactions.runExclusive(caller, async (tx, actor) => {
      const invitation = await this.access.forChange(tx, actor, kind, id);
      await this.ending.end(tx, [invitation], 'revoked');
      this.audit.record(tx, actor, 'invitation.revoked', { id });
      this.audiences.tell(tx, invitation.inviterId);
    });
  }

  /**
   * Sends the mail again, with the same link and expiry.
   * @throws NoSuchInvitation, MustBeOwner, InvitationNeedsAdministrator, NoMailServer, MailedTooOften
   */
  async resend(caller: Actor, id: number): Promise<void> {
    await this.transactions.runExclusive(caller, async (tx, actor) => {
      const invitation = await this.access.forChange(tx, actor, 'person', id);
      if (!this.access.isOpen(invitation)) throw new NoSuchInvitation();
      if (!this.mails.isAvailable) throw new NoMailServer();
      if (invitation.mailsAsked >= MAX_MAILS_ASKED) throw new MailedTooOften();
      await tx.repository(Invitation).increment({ id }, 'mailsAsked', 1);
      await this.mails.send(tx, invitation);
      this.audit.record(tx, actor, 'invitation.sent_again', { id });
    });
  }

  /** Mailed links go only to the invitees. */
  private linkFor(actor: Actor, invitation: Invitation): string | null {
    const isForHand = invitation.isMultiuse || !this.mails.isAvailable;
    return isForHand && this.access.maySeeLink(actor, invitation) ? this.links.urlOf(invitation) : null;
  }
}

/** Initial state for clients: whether to offer inviting people. */
@Injectable()
export class InvitationsStateService {
  constructor(access: InvitationAccess, accounts: AccountDirectory, hooks: Hooks) {
    hooks.on(
      initialState,
      stateFor('realm_user', (_, { reader }) => {
        const isPerson = reader !== null && !accounts.existing(reader.userId).isBot;
        return invitingState(isPerson && access.mayInvite(reader, 'person'));
      }),
    );
  }
}
