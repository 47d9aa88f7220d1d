import { Injectable, Logger } from '@nestjs/common';
import { type Actor, isAdministrator, isOwner, Role } from '../../../platform/actor';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { MustBeAdministrator, MustBeOwner } from '../../../platform/errors/shared.errors';
import { AuditLog } from '../../audit/audit.module';
import { AddSubscribersService, ChannelDirectory, type ChannelRecord } from '../../channels/channels.module';
import { silentMention, SystemMessageService } from '../../messages/messages.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { SystemGroupService } from '../../user-groups/user-groups.module';
import {
  type Account,
  AccountChanges,
  AccountDirectory,
  AccountRules,
  CreateAccountService,
  InitialSettingsService,
  type NewAccount,
  NewPasswords,
} from '../../users/users.module';
import { BadNameOrUsername, MayNotCreateUsers } from '../membership.api';
import { WelcomeService } from '../welcome/welcome.service';

/** Makes an account a member of the organization, with everything that follows from it. */
@Injectable()
export class NewAccountService {
  constructor(
    private readonly createAccount: CreateAccountService,
    private readonly changes: AccountChanges,
    private readonly accounts: AccountDirectory,
    private readonly systemGroups: SystemGroupService,
    private readonly settings: InitialSettingsService,
    private readonly channels: ChannelDirectory,
    private readonly subscribers: AddSubscribersService,
  ) {}

  /**
   * Called within the caller's exclusive transaction.
   * @param channels the person's first channels; the default ones if omitted
   * @returns the stored row
   */
  async add(
    tx: Transaction,
    account: NewAccount,
    channels: readonly ChannelRecord[] = this.defaultChannels(),
  ): Promise<Account> {
    const row = await this.createAccount.insert(tx, { ...this.initialSettings(account), ...account });
    const told = await this.changes.announceNew(tx, row);
    const placement = { userId: row.id, role: row.role, dateJoined: row.dateJoined };
    await this.systemGroups.place(tx, placement, this.accounts.active);
    if (!row.isBot) await this.subscribe(tx, row.id, channels);
    await this.changes.introduceToNeighbors(tx, row, told);
    return row;
  }

  private initialSettings({ isBot }: NewAccount): Partial<NewAccount> {
    return isBot ? { settings: this.settings.forBot() } : this.settings.forPerson();
  }

  /** The default channels that are not archived. */
  defaultChannels(): ChannelRecord[] {
    return this.channels.all().filter((channel) => channel.isDefault && !channel.isArchived);
  }

  private async subscribe(
    tx: Transaction,
    userId: number,
    channels: readonly ChannelRecord[],
  ): Promise<void> {
    const additions = channels.map((channel) => ({ channel, userIds: [userId] }));
    await this.subscribers.add(tx, additions);
  }
}

const TOPIC = 'signups';

/** Announces that a person joined, in the channel that the organization chose for it. */
@Injectable()
export class SignupNoticeService {
  private readonly logger = new Logger(SignupNoticeService.name);

  constructor(
    private readonly transactions: TransactionService,
    private readonly organization: OrganizationDirectory,
    private readonly channels: ChannelDirectory,
    private readonly accounts: AccountDirectory,
    private readonly messages: SystemMessageService,
  ) {}

  /**
   * Called after the account was committed, because only then can it be mentioned. The person has joined even if the
   * notice fails, so a failure is only logged.
   */
  async post(userId: number): Promise<void> {
    if (!this.channel) return;
    try {
      await this.transactions.runExclusive(async (tx) => {
        const { channel } = this;
        const newcomer = this.accounts.byId(userId);
        if (!channel || !newcomer) return;
        const content = `${silentMention(newcomer)} joined this organization.`;
        await this.messages.sendToChannel(tx, 'notification-bot', { channel, topic: TOPIC }, { content });
      });
    } catch (error) {
      this.logger.error(error);
    }
  }

  private get channel() {
    const channel = this.channels.byId(this.organization.settings.signup_announcements_channel_id);
    return channel?.isArchived ? undefined : channel;
  }
}

/** Announces new people to others, and welcomes them. */
@Injectable()
export class ArrivalService {
  constructor(
    private readonly notice: SignupNoticeService,
    private readonly welcome: WelcomeService,
  ) {}

  /**
   * Called after the account was committed, because only then can it be mentioned and written to. The person has joined
   * even if this fails.
   * @param welcomeText instead of the organization's own; empty for none
   */
  async tell(userId: number, welcomeText?: string): Promise<void> {
    await this.notice.post(userId);
    await this.welcome.greet(userId, welcomeText);
  }
}

/** A person to add. */
export interface NewPerson {
  readonly email: string;
  readonly password: string;
  readonly fullName: string;
  /** A member if omitted. */
  readonly role?: Role;
}

/** Creates people who sign in with a password, for administrators with `can_create_users`. */
@Injectable()
export class CreateUserService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly accounts: AccountDirectory,
    private readonly rules: AccountRules,
    private readonly passwords: NewPasswords,
    private readonly newAccounts: NewAccountService,
    private readonly arrival: ArrivalService,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Checks again in the transaction what others may have changed while the password was hashed.
   * @returns the ID of the new account
   * @throws MustBeAdministrator, MayNotCreateUsers, MustBeOwner, BadNameOrUsername, WeakPassword, and the errors of
   * AccountRules
   */
  create(actor: Actor, person: NewPerson): Promise<number> {
    return this.add(actor, person, () => this.requireMayCreate(actor, person));
  }

  /**
   * The same for the operator of the server, who needs no permission and may give the one to add people.
   * @throws BadNameOrUsername, WeakPassword, and what AccountRules throw
   */
  createByOperator(operator: Actor, person: NewPerson, canCreateUsers: boolean): Promise<number> {
    return this.add(operator, person, () => undefined, canCreateUsers);
  }

  private async add(
    actor: Actor,
    person: NewPerson,
    requirePermission: () => void,
    canCreateUsers = false,
  ): Promise<number> {
    requirePermission();
    this.check(person);
    const passwordHash = await this.passwords.hash(person.password, {
      ...person,
      deliveryEmail: person.email,
    });
    const userId = await this.transactions.runExclusive(async (tx) => {
      requirePermission();
      const fullName = this.check(person);
      const { id, role } = await this.newAccounts.add(tx, {
        deliveryEmail: person.email,
        fullName,
        role: person.role ?? Role.member,
        passwordHash,
        canCreateUsers,
        awaitsFirstLogin: true,
      });
      this.audit.record(tx, actor, 'user.created', { userId: id }, { role });
      return id;
    });
    await this.arrival.tell(userId);
    return userId;
  }

  private requireMayCreate(actor: Actor, { role }: NewPerson): void {
    const creator = this.accounts.byId(actor.userId);
    if (!creator?.isActive || !isAdministrator(creator)) throw new MustBeAdministrator();
    if (!creator.canCreateUsers) throw new MayNotCreateUsers();
    if (role === Role.owner && !isOwner(creator)) throw new MustBeOwner();
  }

  /** @returns the name to store */
  private check({ fullName, email }: NewPerson): string {
    const name = this.rules.checkedFullName(fullName);
    this.rules.requireUniqueName(name);
    if (!this.rules.isUsableEmail(email)) {
      throw new BadNameOrUsername('Enter a valid email address, such as ada@example.com.');
    }
    this.rules.requireAllowedDomain(email);
    this.rules.requireFreeEmail(email);
    return name;
  }
}
