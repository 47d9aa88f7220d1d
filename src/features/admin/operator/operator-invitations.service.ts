import { Injectable } from '@nestjs/common';
import { Role } from '../../../platform/actor';
import { Hooks } from '../../../platform/hooks/hooks';
import { command, CommandRefused, operatorCommand } from '../../../platform/operator/operator-commands';
import { InvitationFailed, InviteService } from '../../membership/membership.module';
import { OperatorAccountAccess } from '../../users/users.module';
import { InviteInput } from './operator.api';

const DEFAULT_DAYS = 10;
const SECONDS_A_DAY = 86_400;

/** The operator's command that invites people. */
@Injectable()
export class OperatorInvitationsService {
  constructor(
    private readonly access: OperatorAccountAccess,
    private readonly inviting: InviteService,
    hooks: Hooks,
  ) {
    hooks.on(
      operatorCommand,
      command('invite', InviteInput, (input) => this.invite(input)),
    );
  }

  /** Invites on behalf of the first owner. @returns the link, and whether it was also mailed */
  private async invite({ email, role = 'member', days = DEFAULT_DAYS }: InviteInput) {
    const operator = this.access.actor();
    const terms = {
      role: Role[role],
      lifetimeSeconds: days * SECONDS_A_DAY,
      channelIds: [],
      groupIds: [],
      withDefaultChannels: true,
      welcomeText: null,
    };
    if (email === undefined) return { link: await this.inviting.makeLink(operator, terms), mailed: false };
    try {
      const [invited] = await this.inviting.invite(operator, email, terms, false);
      return { email: invited?.email, link: invited?.link_url, mailed: !this.inviting.isByHand };
    } catch (error) {
      if (!(error instanceof InvitationFailed)) throw error;
      const reasons = error.refused.map(([address, reason]) => `${address}: ${reason}`);
      throw new CommandRefused(reasons.join('\n') || error.message);
    }
  }
}
