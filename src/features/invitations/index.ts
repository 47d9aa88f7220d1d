/** What other features use of this one. Nothing else of it is imported from outside. */
export { InvitationsModule } from './invitations.module';

// Inviting people.
export { InviteService } from './inviting/invite.service';
export { InvitationFailed } from './records/invitations.errors';
