import { Injectable } from '@nestjs/common';
import { initialState, stateFor } from '../../../platform/client-state/initial-state.hooks';
import { Hooks } from '../../../platform/hooks/hooks';
import { AccountDirectory } from '../../users/users.module';
import { InvitationAccess } from '../invitations/invitation.access';
import { invitingState } from '../invitations/invitation-records.api';

/** Tells clients that register whether they may offer to invite people. */
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
