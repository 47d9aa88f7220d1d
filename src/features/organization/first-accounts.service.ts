import { Injectable } from '@nestjs/common';
import { BotType, Role } from '../../platform/actor';
import { Config } from '../../platform/config/config';
import { StartRefused } from '../../platform/config/start-refused';
import type { Transaction } from '../../platform/database/transaction.service';
import { Audience } from '../../platform/events/audience';
import { OrganizationDirectory } from '../organization-settings/organization-settings.module';
import { SystemGroupService } from '../user-groups/user-groups.module';
import {
  AccountDirectory,
  type AccountRecord,
  CreateAccountService,
  emailKey,
  type NewAccount,
} from '../users/users.module';

/** Accounts with which the server itself sends messages; clients expect these addresses. */
const SYSTEM_BOTS: readonly NewAccount[] = [
  { deliveryEmail: 'notification-bot@zulip.com', fullName: 'Notification Bot' },
  { deliveryEmail: 'welcome-bot@zulip.com', fullName: 'Welcome Bot' },
  { deliveryEmail: 'emailgateway@zulip.com', fullName: 'Email Gateway' },
  { deliveryEmail: 'messaging-bridge@zulip.com', fullName: 'Messaging Bridge' },
].map((bot) => ({ ...bot, role: Role.member, isBot: true, isSystemBot: true, botType: BotType.generic }));

/** The operator chose an address for the owner that is reserved for the server or belongs to another account. */
class OwnerEmailUnusable extends StartRefused {
  constructor(email: string) {
    super(`OWNER_EMAIL is "${email}", which is reserved for the server. Set it to the owner's own address.`);
  }
}

/** Creates the first accounts and groups of an organization. */
@Injectable()
export class FirstAccountsService {
  constructor(
    private readonly config: Config,
    private readonly accounts: AccountDirectory,
    private readonly createAccount: CreateAccountService,
    private readonly systemGroups: SystemGroupService,
    private readonly organization: OrganizationDirectory,
  ) {}

  get ownerEmail(): string {
    return this.config.ownerEmail ?? `owner@${this.config.emailDomain}`;
  }

  /** @throws OwnerEmailUnusable */
  requireUsableOwnerEmail(): void {
    const key = emailKey(this.ownerEmail);
    const isSystemBot = SYSTEM_BOTS.some(({ deliveryEmail }) => emailKey(deliveryEmail) === key);
    if (isSystemBot || this.accounts.isPlaceholder(key)) throw new OwnerEmailUnusable(this.ownerEmail);
  }

  /** The owner, if an interrupted start has created one, possibly with another address. */
  findOwner(): AccountRecord | undefined {
    return this.accounts.all().find((account) => account.role === Role.owner);
  }

  /** The owner, who exists after {@link create}. */
  owner(): AccountRecord {
    const owner = this.findOwner();
    if (!owner) throw new Error('The organization has no owner.');
    return owner;
  }

  /** Creates the system groups, the system bots, the owner and the organization's name. */
  async create(tx: Transaction, passwordHash: string): Promise<void> {
    const groupIds = await this.systemGroups.createAll(tx);
    for (const bot of SYSTEM_BOTS) await this.createAccount.insert(tx, bot);
    const owner = await this.createAccount.insert(tx, {
      deliveryEmail: this.ownerEmail,
      fullName: 'Owner',
      role: Role.owner,
      passwordHash,
      canCreateUsers: true,
    });
    const placement = { userId: owner.id, role: owner.role, dateJoined: owner.dateJoined };
    await this.systemGroups.place(tx, placement, Audience.none, groupIds);
    await this.organization.store(tx, 'name', this.config.organizationName);
  }

  /** Resumes an interrupted start: the generated password is lost, and the configuration may have changed. */
  async takeUp(tx: Transaction, passwordHash: string): Promise<void> {
    await this.createAccount.renew(tx, this.owner().id, { deliveryEmail: this.ownerEmail, passwordHash });
    await this.organization.store(tx, 'name', this.config.organizationName);
  }
}
