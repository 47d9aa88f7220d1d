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
 * Notifies users at their former address when their account's email address changes. The address is enough to reset the
 * password, so the previous owner must hear of it.
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
    // Another node may have made the change.
    await this.directories.catchUp();
    const account = this.accounts.byId(userId);
    if (!account || account.isDeleted || this.organization.isDeactivated) return null;
    const { name } = this.organization.settings;
    return {
      to: formerEmail,
      fromName: name,
      title: `Your email address at ${name} was changed`,
      paragraphs: [
        `Hello ${account.fullName},`,
        `The email address of your account at ${name} was changed. Use the new address to sign in from now on.`,
      ],
      link: { label: `Go to ${name}`, url: this.config.externalUrl },
      closing: [
        'If this was you, no action is needed.',
        'If not, someone else has your password. Contact an administrator immediately.',
      ],
    };
  }
}
