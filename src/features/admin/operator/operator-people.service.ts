import { Injectable } from '@nestjs/common';
import { Role } from '../../../platform/actor';
import {
  CreateUserService,
  DeactivateAccountService,
  ReactivateAccountService,
  UpdateAccountService,
} from '../../membership';
import { AccountDirectory } from '../../users';
import { OperatorAccountAccess } from './operator-account.access';
import type { AddUserInput, ChangeRoleInput, ListUsersInput, UserInput } from './operator-people.dto';
import { accountWire, type AccountWire } from './operator.wire';
import { generatedPassword } from './generated-password';

/** What the operator does about people's accounts, and those of bots where it is the same. */
@Injectable()
export class OperatorPeopleService {
  constructor(
    private readonly access: OperatorAccountAccess,
    private readonly accounts: AccountDirectory,
    private readonly createUser: CreateUserService,
    private readonly updateAccount: UpdateAccountService,
    private readonly deactivateAccount: DeactivateAccountService,
    private readonly reactivateAccount: ReactivateAccountService,
  ) {}

  /** @returns the account, with its password where it was made up here */
  async add({ email, name, role = 'member', password }: AddUserInput) {
    this.access.actor();
    const chosen = password ?? generatedPassword();
    const person = { email, fullName: name, password: chosen, role: Role[role] };
    const userId = await this.createUser.createByOperator(person);
    return { user: this.wireOf(userId), ...(password === undefined && { password: chosen }) };
  }

  list({ role, inactive = false, bots = false }: ListUsersInput): { users: AccountWire[] } {
    const users = this.accounts
      .all()
      .filter((account) => (inactive || account.isActive) && (bots || !account.isBot))
      .filter((account) => role === undefined || account.role === Role[role]);
    return { users: users.map(accountWire) };
  }

  async changeRole({ user, role }: ChangeRoleInput) {
    const { id } = this.access.find(user);
    await this.updateAccount.update(this.access.actor(), id, { role: Role[role] });
    return { user: this.wireOf(id) };
  }

  async deactivate({ user }: UserInput) {
    const { id, isBot } = this.access.find(user);
    const actor = this.access.actor();
    if (isBot) await this.deactivateAccount.deactivateBot(actor, id);
    else await this.deactivateAccount.deactivatePerson(actor, id);
    return { user: this.wireOf(id) };
  }

  async reactivate({ user }: UserInput) {
    const { id } = this.access.find(user);
    await this.reactivateAccount.reactivate(this.access.actor(), id);
    return { user: this.wireOf(id) };
  }

  private wireOf(userId: number): AccountWire {
    const account = this.accounts.byId(userId);
    if (!account) throw new Error(`There is no account ${userId}.`);
    return accountWire(account);
  }
}
