import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { normalizeIp } from '@nestjs/throttler';
import { KnownDevice } from '../membership.entity';
import { isOwner } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import { Config } from '../../../platform/config/config';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Directories } from '../../../platform/events/directories';
import { Hooks } from '../../../platform/hooks/hooks';
import type { RequestOrigin } from '../../../platform/http/decorators';
import { defineJob } from '../../../platform/jobs/job';
import { Jobs } from '../../../platform/jobs/jobs.service';
import type { MailMessage } from '../../../platform/mail/mail-message';
import { Mailer } from '../../../platform/mail/mailer.service';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import {
  AccountDirectory,
  type AccountRecord,
  emailChanged,
  personalDataRemoved,
  personalSetting,
  signedIn,
} from '../../users/users.module';

type Names = readonly (readonly [RegExp, string])[];

const BROWSERS: Names = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const SYSTEMS: Names = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

const MAX_NAME = 40;

/** A readable form of a `User-Agent` header, without versions: `Firefox on Linux`, or the name of another program. */
function deviceName(userAgent: string): string {
  const nameIn = (names: Names) => names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = userAgent.startsWith('Mozilla/') ? nameIn(BROWSERS) : undefined;
  const program =
    browser ??
    userAgent
      .split(/[/\s]/, 1)[0]!
      .replaceAll(/[^\w.-]/g, '')
      .slice(0, MAX_NAME);
  return [program || 'an unknown program', nameIn(SYSTEMS)].filter(Boolean).join(' on ');
}

interface ChangedEmail {
  readonly userId: number;
  readonly formerEmail: string;
}

const emailNotice = defineJob<ChangedEmail>('email_notice_mail');

/**
 * Notifies users at their former address when their account's email address changes. The address is enough to reset the
 * password, so the previous owner must be notified.
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

/** A device unused for this long counts as new again. */
const KNOWN_SECONDS = 30 * 86_400;

/** Maximum number of devices stored per person; the newest are kept. */
const MAX_DEVICES = 50;

/** Stores the devices from which people sign in. A device is a program, with its operating system, in a network. */
@Injectable()
export class KnownDevices {
  constructor(
    private readonly clock: Clock,
    hooks: Hooks,
  ) {
    hooks.on(personalDataRemoved, async (tx, userId) => {
      await tx.repository(KnownDevice).delete({ userId });
    });
  }

  /** @returns whether the device is new, and not the person's first one */
  async isNew(tx: Transaction, userId: number, { address, userAgent }: RequestOrigin): Promise<boolean> {
    const now = this.clock.nowSeconds();
    const place = JSON.stringify([deviceName(userAgent), networkOf(address)]);
    const digest = createHash('sha256').update(place).digest('hex');
    const rows = await tx.repository(KnownDevice).findBy({ userId });
    await tx.query(
      `INSERT INTO known_device (user_id, digest, seen_at) VALUES (?, ?, ?)
       ON CONFLICT (user_id, digest) DO UPDATE SET seen_at = EXCLUDED.seen_at`,
      [userId, digest, now],
    );
    if (rows.length >= MAX_DEVICES) await this.deleteOldest(tx, userId);
    const isKnown = rows.some((row) => row.digest === digest && row.seenAt > now - KNOWN_SECONDS);
    return rows.length > 0 && !isKnown;
  }

  private async deleteOldest(tx: Transaction, userId: number): Promise<void> {
    await tx.query(
      `DELETE FROM known_device WHERE user_id = ? AND id NOT IN
         (SELECT id FROM known_device WHERE user_id = ? ORDER BY seen_at DESC, id DESC LIMIT ?)`,
      [userId, userId, MAX_DEVICES],
    );
  }
}

/**
 * The network of an address, since addresses change within a provider's network: three quarters of an IPv4 address,
 * half of an IPv6 one.
 */
function networkOf(address: string): string {
  return normalizeIp(address).replace(/\.\d+$/, '');
}

interface NewSignIn extends RequestOrigin {
  readonly userId: number;
  /** The account's address at that time: an intruder who then changes it must not receive the mail. */
  readonly to: string;
  /** UNIX seconds. */
  readonly time: number;
}

const signInNotice = defineJob<NewSignIn>('sign_in_notice_mail');

/** The page where people see and end their sessions. */
const DEVICES_PATH = '/console/settings/devices';

/** Notifies people by mail that their account was signed in to from a new device. */
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
      // Also without mail, so that devices are known once mail is configured.
      const isNew = await devices.isNew(tx, userId, origin);
      if (!isNew || !mailer.isAvailable) return;
      const account = this.accounts.existing(userId);
      if (!wantsNotices(account)) return;
      const data = { ...origin, userId, to: account.deliveryEmail, time: clock.nowSeconds() };
      await jobs.enqueue(tx, { kind: signInNotice, data });
    });
  }

  private async compose({ userId, to, time, address, userAgent }: NewSignIn): Promise<MailMessage | null> {
    // Another node may have changed the account.
    await this.directories.catchUp();
    const account = this.accounts.byId(userId);
    if (!account?.isActive || this.organization.isDeactivated) return null;
    const { name } = this.organization.settings;
    const device = deviceName(userAgent);
    return {
      to,
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

/** An owner's account gives access to everything, so owners cannot disable the notices. */
function wantsNotices(account: AccountRecord): boolean {
  return isOwner(account) || personalSetting(account.settings, 'enable_login_emails');
}

/** Formats a time in the time zone and format of the account's owner. */
export function timeFor({ timezone, settings }: AccountRecord, seconds: number): string {
  return new Intl.DateTimeFormat('en', {
    dateStyle: 'full',
    timeStyle: 'long',
    timeZone: timezone || 'UTC',
    hour12: !personalSetting(settings, 'twenty_four_hour_time'),
  }).format(seconds * 1000);
}
