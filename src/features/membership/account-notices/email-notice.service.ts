import { Injectable } from '@nestjs/common';
import { Config } from '../../../platform/config/config';
import { Directories } from '../../../platform/events/directories';
import { Hooks } from '../../../platform/hooks/hooks';
import { defineJob } from '../../../platform/jobs/job';
import { Jobs } from '../../../platform/jobs/jobs.service';
import type { MailMessage } from '../../../platform/mail/mail-message';
import { Mailer } from '../../../platform/mail/mailer.service';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { AccountDirectory, emailChanged } from '../../users/users.module';

interface ChangedEmail {
  readonly userId: number;
  readonly formerEmail: string;
}

const emailNotice = defineJob<ChangedEmail>('email_notice_mail');

/**
 * Tells people at their former address that their account has another one. An API key alone can change it, and with the
 * address comes the way to a new password, so whoever had the account before has to hear of it.
 */
@Injectable()
export class EmailNoticeService {
  constructor(
    mailer: Mailer,
    jobs: Jobs,
    hooks: Hooks,
    private readonly directories: Directories,
    private readonly accounts: AccountDirectory,
    private readonly organization: OrganizationDirectory,
    private readonly config: Config,
  ) {
    mailer.handle(emailNotice, (data) => this.compose(data));
    hooks.on(emailChanged, async (tx, { id: userId }, formerEmail) => {
      if (!mailer.isAvailable) return;
      await jobs.enqueue(tx, { kind: emailNotice, data: { userId, formerEmail } });
    });
  }

  private async compose({ userId, formerEmail }: ChangedEmail): Promise<MailMessage | null> {
    // The change may have come to another node.
    await this.directories.catchUp();
    const account = this.accounts.byId(userId);
    if (!account || account.isDeleted || this.organization.isDeactivated) return null;
    const { name } = this.organization.settings;
    return {
      to: formerEmail,
      fromName: name,
      title: `Your account at ${name} has another address`,
      paragraphs: [
        `Hello ${account.fullName},`,
        `the e-mail address of your account at ${name} was changed. You sign in with the new one from now on.`,
      ],
      link: { label: `Go to ${name}`, url: this.config.externalUrl },
      closing: [
        'If it was you, you need not do anything.',
        'If it was not, somebody else has your password or API key: tell an administrator at once.',
      ],
    };
  }
}
