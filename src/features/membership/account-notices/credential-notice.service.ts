import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock';
import { Config } from '../../../platform/config/config';
import { Directories } from '../../../platform/events/directories';
import { Hooks } from '../../../platform/hooks/hooks';
import { defineJob } from '../../../platform/jobs/job';
import { Jobs } from '../../../platform/jobs/jobs.service';
import type { MailMessage } from '../../../platform/mail/mail-message';
import { Mailer } from '../../../platform/mail/mailer.service';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { AccountDirectory, type CredentialChange, credentialsChanged } from '../../users/users.module';
import { timeFor } from './account-notices.service';

interface ChangedCredentials {
  readonly userId: number;
  /** The recipient's address at that time: an intruder who then changes it must not receive the mail. */
  readonly to: string;
  readonly change: CredentialChange;
  /** Name of the key, passkey or provider; empty for others. */
  readonly name: string;
  /** UNIX seconds. */
  readonly time: number;
}

const credentialNotice = defineJob<ChangedCredentials>('credential_notice_mail');

/** Descriptions of a change, for the subject and within a sentence. */
const WORDS: Readonly<Record<CredentialChange, (name: string) => readonly [title: string, what: string]>> = {
  password: () => ['Your password was changed', 'The password was changed'],
  factor_added: () => ['Two-factor sign-in was turned on', 'An authenticator app was added'],
  factor_removed: () => ['Two-factor sign-in was turned off', 'Every second factor was removed'],
  app_removed: () => ['An authenticator app was removed', 'The authenticator app was removed'],
  passkey_added: (name) => ['A passkey was added', `A passkey named “${name}” was added`],
  passkey_removed: (name) => ['A passkey was removed', `The passkey “${name}” was removed`],
  passkey_copied: (name) => [
    'A passkey was rejected',
    `A sign-in with what may be a copy of the passkey “${name}” was rejected`,
  ],
  recovery_code_used: () => ['A recovery code was used', 'A recovery code was used to prove a sign-in'],
  key_made: (name) => ['A new API key was created', `An API key named “${name}” was created`],
  identity_linked: (name) => ['A new way to sign in was added', `Signing in with ${name} was enabled`],
};

/** Notifies users by mail when their credentials change. This cannot be disabled. */
@Injectable()
export class CredentialNoticeService {
  constructor(
    mailer: Mailer,
    jobs: Jobs,
    hooks: Hooks,
    clock: Clock,
    private readonly directories: Directories,
    private readonly accounts: AccountDirectory,
    private readonly organization: OrganizationDirectory,
    private readonly config: Config,
  ) {
    mailer.handle(credentialNotice, (data) => this.compose(data));
    hooks.on(credentialsChanged, async (tx, userId, change, name = '') => {
      const reader = this.accounts.byId(this.accounts.personBehind(userId));
      if (!mailer.isAvailable || !reader) return;
      const data = { userId, to: reader.deliveryEmail, change, name, time: clock.nowSeconds() };
      await jobs.enqueue(tx, { kind: credentialNotice, data });
    });
  }

  private async compose(changed: ChangedCredentials): Promise<MailMessage | null> {
    const { userId, to, change, name: of, time } = changed;
    // Another node may have changed the account.
    await this.directories.catchUp();
    const account = this.accounts.byId(userId);
    // Changes to keys of bots are sent to their owners.
    const reader = this.accounts.byId(this.accounts.personBehind(userId));
    if (!account?.isActive || !reader?.isActive || reader.isBot || this.organization.isDeactivated)
      return null;
    const { name } = this.organization.settings;
    const [title, what] = WORDS[change](of);
    const whose =
      reader === account ? `your account ${account.deliveryEmail}` : `your bot ${account.fullName}`;
    return {
      to,
      fromName: name,
      title: `${title} at ${name}`,
      paragraphs: [
        `Hello ${reader.fullName},`,
        `${what} for ${whose} at ${name}.`,
        `Time: ${timeFor(reader, time)}`,
      ],
      link: { label: 'Review your settings', url: `${this.config.externalUrl}/console/settings` },
      closing: [
        'If you or an administrator did this, no action is needed.',
        'If not, change your password and contact an administrator immediately.',
      ],
    };
  }
}
