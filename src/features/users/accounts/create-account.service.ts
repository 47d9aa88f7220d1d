import { Injectable } from '@nestjs/common';
import type { Role } from '../../../platform/actor';
import { Clock } from '../../../platform/clock';
import type { Transaction } from '../../../platform/database/transaction.service';
import { ApiKeys } from '../../../platform/secrets/api-keys';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { emailKey } from './account.directory';
import { Account } from './account.entity';
import { initialAvatar } from './avatar-url';
import { EmailVisibility } from './email-visibility';

/** The details of a new account; everything else starts at its default. */
export interface NewAccount {
  readonly deliveryEmail: string;
  readonly fullName: string;
  readonly role: Role;
  readonly passwordHash?: string | null;
  readonly isBot?: boolean;
  readonly isSystemBot?: boolean;
  readonly botType?: number | null;
  readonly botOwnerId?: number | null;
  readonly canCreateUsers?: boolean;
  /** True if another person made the account, so that the first sign-in sets `dateJoined`. */
  readonly awaitsFirstLogin?: boolean;
  readonly emailVisibility?: number;
  /** Personal settings that differ from their initial values. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Key of a stored picture; without one the account has that which the organization gives. */
  readonly avatarKey?: string | null;
  readonly defaultSendingChannelId?: number | null;
  readonly defaultEventsChannelId?: number | null;
  readonly defaultAllPublicChannels?: boolean;
}

/** Writes the row of a new account. Groups, channels and events are up to the caller. */
@Injectable()
export class CreateAccountService {
  constructor(
    private readonly clock: Clock,
    private readonly organization: OrganizationDirectory,
  ) {}

  /** @returns the row as stored, with its ID */
  async insert(tx: Transaction, account: NewAccount): Promise<Account> {
    const row = tx.repository(Account).create({
      deliveryEmail: withLowerCaseDomain(account.deliveryEmail),
      emailKey: emailKey(account.deliveryEmail),
      fullName: account.fullName,
      role: account.role,
      isActive: true,
      isBot: account.isBot ?? false,
      isSystemBot: account.isSystemBot ?? false,
      botType: account.botType ?? null,
      botOwnerId: account.botOwnerId ?? null,
      passwordHash: account.passwordHash ?? null,
      keyNonce: ApiKeys.newNonce(),
      dateJoined: this.clock.nowSeconds(),
      awaitsFirstLogin: account.awaitsFirstLogin ?? false,
      timezone: '',
      ...this.avatarOf(account),
      avatarVersion: 1,
      emailVisibility: account.emailVisibility ?? EmailVisibility.everyone,
      isImportedStub: false,
      isDeleted: false,
      canCreateUsers: account.canCreateUsers ?? false,
      settings: JSON.stringify(account.settings ?? {}),
      editedSettings: '[]',
      defaultSendingChannelId: account.defaultSendingChannelId ?? null,
      defaultEventsChannelId: account.defaultEventsChannelId ?? null,
      defaultAllPublicChannels: account.defaultAllPublicChannels ?? false,
    });
    const stored = await tx.repository(Account).save(row);
    tx.touch('accounts', [stored.id]);
    return stored;
  }

  private avatarOf({ avatarKey, isSystemBot }: NewAccount): Pick<Account, 'avatarSource' | 'avatarKey'> {
    if (avatarKey) return { avatarSource: 'U', avatarKey };
    return initialAvatar(isSystemBot ? 'G' : this.organization.settings.default_avatar_source);
  }

  /** Gives another address and password to an account that no client has been told of yet. */
  async renew(
    tx: Transaction,
    userId: number,
    { deliveryEmail, passwordHash }: Pick<Account, 'deliveryEmail' | 'passwordHash'>,
  ): Promise<void> {
    await tx.repository(Account).update(userId, {
      deliveryEmail: withLowerCaseDomain(deliveryEmail),
      emailKey: emailKey(deliveryEmail),
      passwordHash,
    });
    tx.touch('accounts', [userId]);
  }
}

/** The part before the @ stays as given; domains are case-insensitive. */
export function withLowerCaseDomain(email: string): string {
  const trimmed = email.trim();
  const at = trimmed.lastIndexOf('@');
  return trimmed.slice(0, at) + trimmed.slice(at).toLowerCase();
}
