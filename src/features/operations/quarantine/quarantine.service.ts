import { Injectable } from '@nestjs/common';
import { THE_OPERATOR } from '../../../platform/actor';
import { Database } from '../../../platform/database/database.service';
import { TransactionService } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { Jobs } from '../../../platform/jobs/jobs.service';
import { endQuarantine, readQuarantine } from '../../../platform/jobs/job';
import {
  command,
  CommandRefused,
  NoInput,
  operatorCommand,
} from '../../../platform/operator/operator-commands';
import { AuditLog } from '../../audit/audit.module';
import { type LiftedQuarantine, LiftQuarantineInput, type QuarantineStatus } from '../operations.api';

/** Offers the commands about what a restored server holds back. */
@Injectable()
export class QuarantineService {
  constructor(
    hooks: Hooks,
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly jobs: Jobs,
    private readonly audit: AuditLog,
  ) {
    hooks.on(
      operatorCommand,
      command('quarantine status', NoInput, () => this.status()),
    );
    hooks.on(
      operatorCommand,
      command('quarantine lift', LiftQuarantineInput, ({ drop = false }) => this.lift(drop)),
    );
  }

  private async status(): Promise<QuarantineStatus> {
    const { read } = this.database;
    const reason = await readQuarantine(read);
    return { reason, held: reason === null ? 0 : await this.jobs.countLeaving(read) };
  }

  /** @param drop discards what was held back instead of sending it */
  private async lift(drop: boolean): Promise<LiftedQuarantine> {
    const outcome = await this.transactions.runExclusive(async (tx) => {
      if ((await readQuarantine(tx)) === null) throw new CommandRefused('This server holds nothing back.');
      const held = await this.jobs.countLeaving(tx);
      if (drop) await this.jobs.dropLeaving(tx);
      await endQuarantine(tx);
      const lifted = { sent: drop ? 0 : held, dropped: drop ? held : 0 };
      this.audit.record(tx, THE_OPERATOR, 'server.quarantine_lifted', {}, lifted);
      return lifted;
    });
    this.jobs.endQuarantine();
    return outcome;
  }
}
