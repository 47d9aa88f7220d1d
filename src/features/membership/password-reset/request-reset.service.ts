import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import { Config } from '../../../platform/config/config';
import { TransactionService } from '../../../platform/database/transaction.service';
import { RateLimitHit } from '../../../platform/errors/request.errors';
import { Directories } from '../../../platform/events/directories';
import { defineJob } from '../../../platform/jobs/job';
import { Jobs } from '../../../platform/jobs/jobs.service';
import type { MailMessage } from '../../../platform/mail/mail-message';
import { Mailer } from '../../../platform/mail/mailer.service';
import { RequestLimit } from '../../../platform/secrets/request-limit';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { AccountDirectory, AccountRules, emailKey, PasswordService } from '../../users/users.module';
import { mayReset, RESET_SECONDS, ResetLinks } from './reset-links.service';
import { NoResetByMail } from './reset-pages';

/** A reset requested for an address that may not belong to an account. Its key is the address. */
const resetMail = defineJob<{ readonly email: string; readonly requestedAt: number }>('password_reset_mail');

const WHAT = 'password reset';
const HOUR_MS = 3_600_000;

/** Requests from one client, whatever the addresses. */
const FROM_ONE_CLIENT = { times: 20, withinMs: HOUR_MS };

/** Mails to one address. */
const TO_ONE_ADDRESS = { times: 3, withinMs: HOUR_MS };

/**
 * Emails password reset links. A request takes the same steps whether or not an account has the address, so neither the
 * response nor its timing reveals it; the job looks the account up later.
 */
@Injectable()
export class RequestResetService {
  constructor(
    private readonly directories: Directories,
    private readonly mailer: Mailer,
    private readonly jobs: Jobs,
    private readonly passwords: PasswordService,
    private readonly transactions: TransactionService,
    private readonly limit: RequestLimit,
    private readonly accounts: AccountDirectory,
    private readonly rules: AccountRules,
    private readonly links: ResetLinks,
    private readonly organization: OrganizationDirectory,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {
    mailer.handle(resetMail, (data) => this.compose(data));
  }

  /** @throws NoResetByMail */
  requireAvailable(): void {
    if (!this.mailer.isAvailable) throw new NoResetByMail();
  }

  /**
   * Requests a link by email. Silently sends none if the address received several recently.
   * @throws NoResetByMail, InvalidEmail, RateLimitHit
   */
  async request(email: string, { address }: Caller): Promise<void> {
    this.requireAvailable();
    this.rules.requireUsableEmail(email);
    if (!(await this.limit.takeFrom(address, WHAT, FROM_ONE_CLIENT))) {
      throw new RateLimitHit(HOUR_MS / 1000);
    }
    const key = emailKey(email);
    if (!(await this.limit.takeFor(key, WHAT, TO_ONE_ADDRESS))) return;
    const data = { email: key, requestedAt: this.clock.nowSeconds() };
    await this.transactions.run((tx) => this.jobs.enqueue(tx, { kind: resetMail, key, data }));
  }

  private async compose({
    email,
    requestedAt,
  }: {
    readonly email: string;
    readonly requestedAt: number;
  }): Promise<MailMessage | null> {
    // Another node may have taken the request, just after the address was assigned there.
    await this.directories.catchUp();
    if (this.organization.isDeactivated) return null;
    if (this.clock.nowSeconds() - requestedAt > RESET_SECONDS) return null;
    const known = this.accounts.byDeliveryEmail(email);
    if (!known || !mayReset(known) || (await this.passwords.isKeptElsewhere(known.id))) return null;
    const passwordHash = await this.passwords.hashOf(known.id);
    const { name } = this.organization.settings;
    return {
      to: known.deliveryEmail,
      fromName: name,
      title: `Reset your password for ${name}`,
      paragraphs: [
        `Hello ${known.fullName},`,
        `A password reset was requested for your account at ${name}, ${this.config.externalUrl}.`,
      ],
      link: { label: 'Set a new password', url: this.links.urlFor({ ...known, passwordHash }) },
      closing: [
        'The link works once and expires in one hour.',
        'If you didn’t request this, ignore this email. Your password stays the same.',
      ],
    };
  }
}
