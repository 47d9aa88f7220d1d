import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { BotType, Role } from '../../../platform/actor';
import { TransactionService } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { command, CommandRefused, operatorCommand } from '../../../platform/operator/operator-commands';
import { ApiKeys } from '../../../platform/secrets/api-keys';
import { AuditLog } from '../../audit/audit.module';
import {
  AccountActivityService,
  CreateBotService,
  CreateUserService,
  UpdateAccountService,
} from '../../membership/membership.module';
import {
  AccountChanges,
  AccountDirectory,
  type AccountRecord,
  ApiKeyService,
  OperatorAccountAccess,
  NewPasswords,
} from '../../users/users.module';
import {
  accountWire,
  type AccountWire,
  AddBotInput,
  AddUserInput,
  ChangeRoleInput,
  ListUsersInput,
  ReactivateUserInput,
  SetPasswordInput,
  UserInput,
  UserKeyInput,
} from './operator.api';

const JSON_INTERFACE = 1;

/** The account in a command. */
const named = ({ user }: UserInput) => user;

/** The operator's commands about the accounts of people and bots, and about their credentials. */
@Injectable()
export class OperatorAccountsService {
  constructor(
    private readonly access: OperatorAccountAccess,
    private readonly accounts: AccountDirectory,
    private readonly transactions: TransactionService,
    private readonly changes: AccountChanges,
    private readonly createUser: CreateUserService,
    private readonly createBot: CreateBotService,
    private readonly updateAccount: UpdateAccountService,
    private readonly activity: AccountActivityService,
    private readonly passwords: NewPasswords,
    private readonly apiKeys: ApiKeys,
    private readonly replaceKey: ApiKeyService,
    private readonly audit: AuditLog,
    hooks: Hooks,
  ) {
    const offers = [
      command(
        'user add',
        AddUserInput,
        (input) => this.add(input),
        ({ email }) => email,
      ),
      command('user list', ListUsersInput, async (input) => this.list(input)),
      command('user role', ChangeRoleInput, (input) => this.changeRole(input), named),
      command('user deactivate', UserInput, (input) => this.deactivate(input), named),
      command('user reactivate', ReactivateUserInput, (input) => this.reactivate(input), named),
      command('user password', SetPasswordInput, (input) => this.setPassword(input), named),
      command('user key', UserKeyInput, (input, { site }) => this.key(input, site), named),
      command(
        'bot add',
        AddBotInput,
        (input, { site }) => this.addBot(input, site),
        ({ shortName }) => shortName,
      ),
    ];
    for (const offer of offers) hooks.on(operatorCommand, offer);
  }

  /** @returns the account, with its password if it was generated here */
  private async add({ email, name, role = 'member', password, canCreateUsers = false }: AddUserInput) {
    const operator = this.access.actor();
    const chosen = password ?? generatedPassword();
    const person = { email, fullName: name, password: chosen, role: Role[role] };
    const userId = await this.createUser.createByOperator(operator, person, canCreateUsers);
    return { user: this.wireOf(userId), ...(password === undefined && { password: chosen }) };
  }

  private list({ role, inactive = false, bots = false }: ListUsersInput): { users: AccountWire[] } {
    const users = this.accounts
      .all()
      .filter((account) => (inactive || account.isActive) && (bots || !account.isBot))
      .filter((account) => role === undefined || account.role === Role[role]);
    return { users: users.map(accountWire) };
  }

  private async changeRole({ user, role, canCreateUsers }: ChangeRoleInput) {
    const { id } = this.access.find(user);
    await this.updateAccount.update(this.access.actor(), id, { role: Role[role], canCreateUsers });
    return { user: this.wireOf(id) };
  }

  /** @returns the account, and the bots that were deactivated with the person */
  private async deactivate({ user }: UserInput) {
    const { id, isBot } = this.access.find(user);
    const actor = this.access.actor();
    if (isBot) {
      await this.activity.deactivateBot(actor, id);
      return { user: this.wireOf(id), stoppedBots: [] };
    }
    const stopped = await this.activity.deactivatePerson(actor, id);
    return { user: this.wireOf(id), stoppedBots: stopped.map((botId) => this.wireOf(botId)) };
  }

  /** @returns the account, and the bots of the person that are still deactivated */
  private async reactivate({ user, withBots = false }: ReactivateUserInput) {
    const { id } = this.access.find(user);
    await this.activity.reactivate(this.access.actor(), id);
    if (withBots) await this.activity.reactivateBotsOf(this.access.actor(), id);
    return { user: this.wireOf(id), inactiveBots: this.activity.inactiveBotsOf(id).map(accountWire) };
  }

  /** @returns the account, with its password if it was generated here. @throws WeakPassword */
  private async setPassword({ user, password }: SetPasswordInput) {
    const account = this.access.findPerson(user);
    if (account.isDeleted) throw new CommandRefused(`${account.fullName} was permanently deleted.`);
    const chosen = password ?? generatedPassword();
    const passwordHash = await this.passwords.hash(chosen, account);
    await this.transactions.runExclusive(async (tx) => {
      const row = await this.changes.load(tx, account.id);
      row.passwordHash = passwordHash;
      await this.changes.save(tx, row);
      this.audit.record(tx, this.access.actor(), 'user.password_changed', { userId: row.id });
    });
    return { user: accountWire(account), ...(password === undefined && { password: chosen }) };
  }

  /** @returns what a client needs to sign in as the account */
  private async key({ user, regenerate = false }: UserKeyInput, site: string) {
    const account = this.access.find(user);
    const key = regenerate
      ? await this.replaceKey.regenerate(this.access.actor(), account.id)
      : await this.readKey(account);
    return { user: accountWire(account), zuliprc: { email: account.deliveryEmail, key, site } };
  }

  private async readKey({ id, keyNonce }: AccountRecord): Promise<string> {
    const operator = this.access.actor();
    await this.transactions.run(async (tx) =>
      this.audit.record(tx, operator, 'user.key_read', { userId: id }),
    );
    return this.apiKeys.apiKeyFor(keyNonce);
  }

  /** Creates the bot on behalf of its owner. @returns the credentials for its program */
  private async addBot({ name, shortName, owner }: AddBotInput, site: string) {
    const account = this.access.find(owner);
    if (account.isBot || !account.isActive) {
      throw new CommandRefused(`${account.fullName} cannot own a bot. Choose an active user with --owner.`);
    }
    const created = await this.createBot.create(
      this.access.actAs(account),
      {
        fullName: name,
        shortName: shortName.trim(),
        botType: BotType.generic,
        interfaceType: JSON_INTERFACE,
        config: {},
      },
      null,
    );
    const bot = this.accounts.existing(created.user_id);
    return { bot: accountWire(bot), zuliprc: { email: bot.deliveryEmail, key: created.api_key, site } };
  }

  private wireOf(userId: number): AccountWire {
    return accountWire(this.accounts.existing(userId));
  }
}

/** A password of 128 random bits. */
function generatedPassword(): string {
  return randomBytes(16).toString('base64url');
}
