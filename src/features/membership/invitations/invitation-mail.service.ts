import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import { Config } from '../../../platform/config/config';
import { Database } from '../../../platform/database/database.service';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Directories } from '../../../platform/events/directories';
import { defineJob } from '../../../platform/jobs/job';
import { Jobs } from '../../../platform/jobs/jobs.service';
import type { MailMessage } from '../../../platform/mail/mail-message';
import { Mailer } from '../../../platform/mail/mailer.service';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { AccountDirectory } from '../../users/users.module';
import { InvitationAccess } from './invitation.access';
import { Invitation } from './invitation.entity';
import { InvitationLinks } from './invitation-links.service';

/** What an invitation mail is about; its key is the ID, and another one for reminders. */
interface InvitationMail {
  readonly invitationId: number;
  readonly isReminder: boolean;
}

const invitationMail = defineJob<InvitationMail>('invitation_mail');

const SECONDS_A_DAY = 86_400;

/** Before the end, where there was time enough to forget the invitation. */
const REMINDED_BEFORE_SECONDS = 2 * SECONDS_A_DAY;
const SHORTEST_REMINDED_SECONDS = 4 * SECONDS_A_DAY;

/** Mails invitations to the people invited, and a reminder before they expire. */
@Injectable()
export class InvitationMailService {
  constructor(
    private readonly directories: Directories,
    private readonly mailer: Mailer,
    private readonly jobs: Jobs,
    private readonly database: Database,
    private readonly access: InvitationAccess,
    private readonly links: InvitationLinks,
    private readonly accounts: AccountDirectory,
    private readonly organization: OrganizationDirectory,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {
    mailer.handle(invitationMail, (data) => this.compose(data));
  }

  /** Whether the server sends mails at all. */
  get isAvailable(): boolean {
    return this.mailer.isAvailable;
  }

  /** Has a new invitation mailed, and a reminder later, where the server sends mails. */
  async schedule(tx: Transaction, invitation: Invitation): Promise<void> {
    if (!this.isAvailable || invitation.isMultiuse) return;
    await this.send(tx, invitation);
    const { id, createdAt, expiresAt } = invitation;
    if (expiresAt === null || expiresAt - createdAt < SHORTEST_REMINDED_SECONDS) return;
    await this.jobs.enqueue(tx, {
      kind: invitationMail,
      key: reminderKey(id),
      data: { invitationId: id, isReminder: true },
      dueAt: (expiresAt - REMINDED_BEFORE_SECONDS) * 1000,
    });
  }

  /** Has the mail sent now. While one is waiting already, it is that one. */
  async send(tx: Transaction, { id }: Invitation): Promise<void> {
    const data = { invitationId: id, isReminder: false };
    await this.jobs.enqueue(tx, { kind: invitationMail, key: String(id), data });
  }

  /** Takes back what is still to be sent. */
  async cancel(tx: Transaction, ids: readonly number[]): Promise<void> {
    await this.jobs.cancel(tx, invitationMail, [...ids.map(String), ...ids.map(reminderKey)]);
  }

  /** Null where the invitation is over, or nobody may come in. */
  private async compose({ invitationId: id, isReminder }: InvitationMail): Promise<MailMessage | null> {
    await this.directories.catchUp();
    if (this.organization.isDeactivated) return null;
    const invitation = await this.database.read.repository(Invitation).findOneBy({ id });
    if (!invitation || !this.access.isOpen(invitation)) return null;
    const { fullName } = this.accounts.existing(invitation.inviterId);
    const { name } = this.organization.settings;
    const site = this.config.externalUrl;
    return {
      to: invitation.email,
      fromName: name,
      title: isReminder ? `Reminder: join ${name}` : `${fullName} has invited you to ${name}`,
      paragraphs: [
        'Hello,',
        isReminder
          ? `${fullName} has invited you to join ${name} at ${site}, and the invitation ends soon.`
          : `${fullName} has invited you to join ${name} at ${site}.`,
      ],
      link: { label: 'Set your name and password', url: this.links.urlOf(invitation) },
      closing: [...this.untilWhen(invitation), 'If you did not expect this mail, you need not do anything.'],
    };
  }

  private untilWhen({ expiresAt }: Invitation): string[] {
    if (expiresAt === null) return [];
    const hours = Math.max(1, Math.round((expiresAt - this.clock.nowSeconds()) / 3_600));
    const time = hours < 48 ? `${hours} ${hours === 1 ? 'hour' : 'hours'}` : `${Math.round(hours / 24)} days`;
    return [`The link works once, for another ${time}.`];
  }
}

function reminderKey(id: number): string {
  return `${id}:reminder`;
}
