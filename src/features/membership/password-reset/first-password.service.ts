import { Injectable } from '@nestjs/common';
import { mayReset, ResetLinks } from './password-reset.service';
import { Config } from '../../../platform/config/config';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Directories } from '../../../platform/events/directories';
import { defineJob } from '../../../platform/jobs/job';
import { Jobs } from '../../../platform/jobs/jobs.service';
import type { MailMessage } from '../../../platform/mail/mail-message';
import { Mailer } from '../../../platform/mail/mailer.service';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { AccountDirectory, PasswordService } from '../../users/users.module';

/** A person who has an account, and no password. */
interface Invited {
  readonly userId: number;
  /** Whether the account is new, and was not imported with its messages. */
  readonly isNew?: boolean;
}

/** Mail to a person whom the operator has added. Its key is the account's ID. */
const firstPasswordMail = defineJob<Invited>('first_password_mail');

const DAYS = 7;

/** Emails people who have never had a password a link to set one. */
@Injectable()
export class FirstPasswordService {
  constructor(
    private readonly directories: Directories,
    private readonly mailer: Mailer,
    private readonly jobs: Jobs,
    private readonly accounts: AccountDirectory,
    private readonly passwords: PasswordService,
    private readonly links: ResetLinks,
    private readonly organization: OrganizationDirectory,
    private readonly config: Config,
  ) {
    mailer.handle(firstPasswordMail, (invited) => this.compose(invited));
  }

  /** Whether the operator has configured a mail server. */
  get isAvailable(): boolean {
    return this.mailer.isAvailable;
  }

  /** Whether the person could set a password and has none. */
  async isDue(userId: number): Promise<boolean> {
    const account = this.accounts.byId(userId);
    return account !== undefined && mayReset(account) && !(await this.passwords.isSet(userId));
  }

  /** Has the mail sent after the commit; one that still waits takes the place of two. */
  async request(tx: Transaction, invited: Invited): Promise<void> {
    await this.jobs.enqueue(tx, { kind: firstPasswordMail, key: String(invited.userId), data: invited });
  }

  private async compose({ userId, isNew = false }: Invited): Promise<MailMessage | null> {
    // Another node may have changed the account meanwhile.
    await this.directories.catchUp();
    if (this.organization.isDeactivated || !(await this.isDue(userId))) return null;
    const account = this.accounts.existing(userId);
    const { name } = this.organization.settings;
    return {
      to: account.deliveryEmail,
      fromName: name,
      title: `Your account at ${name}`,
      paragraphs: [
        `Hello ${account.fullName},`,
        isNew
          ? `You have an account at ${name}: ${this.config.externalUrl}`
          : `${name} is now at ${this.config.externalUrl}, with your account and your messages.`,
      ],
      link: {
        label: 'Set a password',
        url: this.links.urlFor({ ...account, passwordHash: null }, DAYS * 86_400),
      },
      closing: [
        `The link works once and expires in ${DAYS} days.`,
        'After that, use “Forgot your password?” on the sign-in page.',
      ],
    };
  }
}
