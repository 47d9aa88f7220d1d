import { Injectable } from '@nestjs/common';
import { THE_OPERATOR } from '../../../platform/actor';
import { Hooks } from '../../../platform/hooks/hooks';
import { command, operatorCommand } from '../../../platform/operator/operator-commands';
import { OperatorAccountAccess } from '../../users/users.module';
import { AuditInput, type AuditRecord } from './audit-log.api';
import { AuditLogService } from './audit-log.service';

/** The operator's command that shows the audit log. */
@Injectable()
export class AuditCommandsService {
  constructor(
    private readonly log: AuditLogService,
    private readonly access: OperatorAccountAccess,
    hooks: Hooks,
  ) {
    hooks.on(
      operatorCommand,
      command('audit', AuditInput, (input) => this.show(input)),
    );
  }

  /** The newest matching entries, in chronological order, and the total number of matches. @throws CommandRefused */
  private async show({ actor, user, action, since, until, limit }: AuditInput) {
    const question = {
      actorId: this.idOf(actor),
      targetUserId: this.idOf(user),
      action,
      since,
      until,
      isNewestFirst: true,
    };
    const window = { size: limit, page: 1, offset: 0, afterId: 0 };
    const { items, total } = await this.log.page(THE_OPERATOR, question, window);
    return { entries: items.toReversed() satisfies AuditRecord[], total };
  }

  private idOf(addressOrId: string | undefined): number | undefined {
    return addressOrId === undefined ? undefined : this.access.find(addressOrId).id;
  }
}
