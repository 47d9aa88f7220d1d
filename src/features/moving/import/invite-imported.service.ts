import { Injectable } from '@nestjs/common';
import { THE_OPERATOR } from '../../../platform/actor';
import { Config } from '../../../platform/config/config';
import { Database } from '../../../platform/database/database.service';
import { TransactionService } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { command, CommandRefused, operatorCommand } from '../../../platform/operator/operator-commands';
import { AuditLog } from '../../audit/audit.module';
import { FirstPasswordService } from '../../membership/membership.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { InviteImportedInput } from './import-command.api';
import { readImportState } from './import-state';
import { isPlaceholderAddress } from './records/usable-names';

/** Result of the command. */
interface Invited {
  readonly isDryRun: boolean;
  /** Number of people who receive an email. */
  readonly people: number;
  /** Number of people who cannot be reached, because the archive lacked their address. */
  readonly withoutAddress: number;
}

interface Candidate {
  readonly id: number;
  readonly email: string;
}

/** Emails imported people when the operator asks for it. An import itself sends no email. */
@Injectable()
export class InviteImportedService {
  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly firstPasswords: FirstPasswordService,
    private readonly organization: OrganizationDirectory,
    private readonly audit: AuditLog,
    hooks: Hooks,
  ) {
    hooks.on(
      operatorCommand,
      command('import invite', InviteImportedInput, (input) => this.invite(input)),
    );
  }

  /** @throws CommandRefused */
  private async invite({ dryRun = false }: InviteImportedInput): Promise<Invited> {
    const candidates = await this.candidates();
    const due: Candidate[] = [];
    for (const each of candidates) if (await this.firstPasswords.isDue(each.id)) due.push(each);
    const reached = due.filter(({ email }) => !isPlaceholderAddress(email, this.config.emailDomain));
    const result = {
      isDryRun: dryRun,
      people: reached.length,
      withoutAddress: due.length - reached.length,
    };
    if (dryRun) return result;
    this.requireMail();
    await this.transactions.run(async (tx) => {
      for (const { id } of reached) {
        await this.firstPasswords.request(tx, { userId: id });
        this.audit.record(tx, THE_OPERATOR, 'user.password_link_made', { userId: id });
      }
    });
    return result;
  }

  /** @throws CommandRefused */
  private requireMail(): void {
    if (!this.firstPasswords.isAvailable)
      throw new CommandRefused('The server cannot send email. Set SMTP_URL, and run this again.');
    if (this.organization.signInMethods.Email === false)
      throw new CommandRefused(
        'Signing in with a password is turned off, so that nobody needs a link to set one.',
      );
  }

  /**
   * Imported people who have not signed in. Accounts created later are recognized by their audit entries.
   * @throws CommandRefused
   */
  private async candidates(): Promise<Candidate[]> {
    const db = this.database.read;
    const state = await readImportState(db);
    if (!state?.isFinished)
      throw new CommandRefused('Nothing was imported here, or the import is not finished.');
    return db.query<Candidate>(
      `SELECT a.id, a.delivery_email AS email FROM account a
       WHERE a.id > ? AND a.id <> ? AND a.is_active = ? AND a.is_bot = ? AND a.is_deleted = ?
         AND a.password_hash IS NULL
         AND NOT EXISTS (SELECT 1 FROM audit_entry e WHERE e.target_user_id = a.id AND e.action = 'user.created')
         AND NOT EXISTS (SELECT 1 FROM account_identity i WHERE i.user_id = a.id)
       ORDER BY a.id`,
      [state.bases.account, state.ownerId, true, false, false],
    );
  }
}
