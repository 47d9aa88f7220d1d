import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { InvitationAccess } from './invitation.access';
import { Invitation } from '../membership.entity';
import { Clock } from '../../../platform/clock';
import { Config } from '../../../platform/config/config';
import type { ReadRepository } from '../../../platform/database/read-source';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Directories } from '../../../platform/events/directories';
import { defineJob } from '../../../platform/jobs/job';
import { Jobs } from '../../../platform/jobs/jobs.service';
import type { MailMessage } from '../../../platform/mail/mail-message';
import { Mailer } from '../../../platform/mail/mailer.service';
import { NONCE_LENGTH, SecretLinks, SIGNATURE_LENGTH } from '../../../platform/secrets/secret-links';
import type { Queryable } from '../../../platform/sql/queryable';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { AccountDirectory } from '../../users/users.module';

const PURPOSE = 'invitations';
const KEY = new RegExp(`^[a-z2-7]{${NONCE_LENGTH + SIGNATURE_LENGTH}}$`);

/** The links with which people join. Their keys identify the invitation, and prove that the server issued them. */
@Injectable()
export class InvitationLinks {
  constructor(
    private readonly links: SecretLinks,
    private readonly config: Config,
  ) {}

  urlOf({ nonce }: Pick<Invitation, 'nonce'>): string {
    return `${this.config.externalUrl}/join/${nonce}${this.links.signature(PURPOSE, nonce)}/`;
  }

  /** The invitation for this key, in any state; null if the key was never issued. */
  async find(db: Queryable, key: string): Promise<Invitation | null> {
    if (!KEY.test(key)) return null;
    const nonce = key.slice(0, NONCE_LENGTH);
    if (!this.links.matches(PURPOSE, nonce, key.slice(NONCE_LENGTH))) return null;
    return db.repository(Invitation).findOneBy({ nonce });
  }
}

/** An invitation email. Its key is the invitation ID; reminders have a separate key. */
interface InvitationMail {
  readonly invitationId: number;
  readonly isReminder: boolean;
}

const invitationMail = defineJob<InvitationMail>('invitation_mail');

const SECONDS_A_DAY = 86_400;

/** How long before expiry a reminder is sent, unless the invitation is short-lived. */
const REMINDED_BEFORE_SECONDS = 2 * SECONDS_A_DAY;
const SHORTEST_REMINDED_SECONDS = 4 * SECONDS_A_DAY;

/** Emails invitations to invitees, and a reminder before expiry. */
@Injectable()
export class InvitationMailService {
  constructor(
    private readonly directories: Directories,
    private readonly mailer: Mailer,
    private readonly jobs: Jobs,
    @InjectRepository(Invitation) private readonly invitations: ReadRepository<Invitation>,
    private readonly access: InvitationAccess,
    private readonly links: InvitationLinks,
    private readonly accounts: AccountDirectory,
    private readonly organization: OrganizationDirectory,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {
    mailer.handle(invitationMail, (data) => this.compose(data));
  }

  /** Whether the server can send email. */
  get isAvailable(): boolean {
    return this.mailer.isAvailable;
  }

  /** Schedules the invitation email and its reminder, if the server sends email. */
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

  /** Queues the email for sending now; a no-op while one is already queued. */
  async send(tx: Transaction, { id }: Invitation): Promise<void> {
    const data = { invitationId: id, isReminder: false };
    await this.jobs.enqueue(tx, { kind: invitationMail, key: String(id), data });
  }

  /** Cancels emails that have not been sent yet. */
  async cancel(tx: Transaction, ids: readonly number[]): Promise<void> {
    await this.jobs.cancel(tx, invitationMail, [...ids.map(String), ...ids.map(reminderKey)]);
  }

  /** Null if the invitation or the organization is no longer active. */
  private async compose({ invitationId: id, isReminder }: InvitationMail): Promise<MailMessage | null> {
    await this.directories.catchUp();
    if (this.organization.isDeactivated) return null;
    const invitation = await this.invitations.findOneBy({ id });
    if (!invitation || !this.access.isOpen(invitation)) return null;
    const { fullName } = this.accounts.existing(invitation.inviterId);
    const { name } = this.organization.settings;
    const site = this.config.externalUrl;
    return {
      to: invitation.email,
      fromName: name,
      title: isReminder ? `Reminder: join ${name}` : `${fullName} invited you to ${name}`,
      paragraphs: [
        'Hello,',
        isReminder
          ? `${fullName} invited you to join ${name} at ${site}. The invitation expires soon.`
          : `${fullName} invited you to join ${name} at ${site}.`,
      ],
      link: { label: 'Set your name and password', url: this.links.urlOf(invitation) },
      closing: [...this.untilWhen(invitation), 'If you didn’t expect this email, you can ignore it.'],
    };
  }

  private untilWhen({ expiresAt }: Invitation): string[] {
    if (expiresAt === null) return [];
    const hours = Math.max(1, Math.round((expiresAt - this.clock.nowSeconds()) / 3_600));
    const time = hours < 48 ? `${hours} ${hours === 1 ? 'hour' : 'hours'}` : `${Math.round(hours / 24)} days`;
    return [`The link works once and expires in ${time}.`];
  }
}

function reminderKey(id: number): string {
  return `${id}:reminder`;
}
