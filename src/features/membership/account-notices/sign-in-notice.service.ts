import { Injectable } from '@nestjs/common';
import { isOwner } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import { Config } from '../../../platform/config/config';
import { Directories } from '../../../platform/events/directories';
import { Hooks } from '../../../platform/hooks/hooks';
import type { RequestOrigin } from '../../../platform/http/decorators';
import { defineJob } from '../../../platform/jobs/job';
import { Jobs } from '../../../platform/jobs/jobs.service';
import type { MailMessage } from '../../../platform/mail/mail-message';
import { Mailer } from '../../../platform/mail/mailer.service';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { AccountDirectory, type AccountRecord, personalSetting, signedIn } from '../../users/users.module';
import { deviceName } from './device-name';
import { KnownDevices } from './known-devices.service';

interface NewSignIn extends RequestOrigin {
  readonly userId: number;
  /** UNIX seconds. */
  readonly time: number;
}

const signInNotice = defineJob<NewSignIn>('sign_in_notice_mail');

/** Where people see and end their sessions. */
const DEVICES_PATH = '/console/settings/devices';

/** Tells people by mail that an account was signed in to from a new device. */
@Injectable()
export class SignInNoticeService {
  constructor(
    mailer: Mailer,
    jobs: Jobs,
    hooks: Hooks,
    devices: KnownDevices,
    clock: Clock,
    private readonly directories: Directories,
    private readonly accounts: AccountDirectory,
    private readonly organization: OrganizationDirectory,
    private readonly config: Config,
  ) {
    mailer.handle(signInNotice, (data) => this.compose(data));
    hooks.on(signedIn, async (tx, userId, origin) => {
      // Also without mail, so that devices are known once there is some.
      const isNew = await devices.isNew(tx, userId, origin);
      if (!isNew || !mailer.isAvailable || !wantsNotices(this.accounts.existing(userId))) return;
      await jobs.enqueue(tx, { kind: signInNotice, data: { ...origin, userId, time: clock.nowSeconds() } });
    });
  }

  private async compose({ userId, time, address, userAgent }: NewSignIn): Promise<MailMessage | null> {
    // Another node may have changed the account.
    await this.directories.catchUp();
    const account = this.accounts.byId(userId);
    if (!account?.isActive || this.organization.isDeactivated) return null;
    const { name } = this.organization.settings;
    const device = deviceName(userAgent);
    return {
      to: account.deliveryEmail,
      fromName: name,
      title: `New sign-in from ${device}`,
      paragraphs: [
        `Hello ${account.fullName},`,
        `Someone signed in to your account ${account.deliveryEmail} at ${name} from a new device.`,
        `Time: ${timeFor(account, time)}`,
        `Device: ${device}`,
        `IP address: ${address}`,
      ],
      link: { label: 'Review your devices', url: `${this.config.externalUrl}${DEVICES_PATH}` },
      closing: [
        'If this was you, no action is needed.',
        `If not, end that session, then change your password. If you can no longer sign in, reset your password at ` +
          `${this.config.externalUrl}/accounts/password/reset/.`,
      ],
    };
  }
}

/** An account of an owner gives everything away, so owners cannot turn the notices off. */
function wantsNotices(account: AccountRecord): boolean {
  return isOwner(account) || personalSetting(account.settings, 'enable_login_emails');
}

/** In the time zone of the account, as its owner reads times. */
export function timeFor({ timezone, settings }: AccountRecord, seconds: number): string {
  return new Intl.DateTimeFormat('en', {
    dateStyle: 'full',
    timeStyle: 'long',
    timeZone: timezone || 'UTC',
    hour12: !personalSetting(settings, 'twenty_four_hour_time'),
  }).format(seconds * 1000);
}
