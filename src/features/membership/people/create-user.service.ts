import { Injectable } from '@nestjs/common';
import { isAdministrator, isOwner, Role, type Actor } from '../../../platform/actor';
import { TransactionService } from '../../../platform/database/transaction.service';
import { MustBeAdministrator, MustBeOwner } from '../../../platform/errors/shared.errors';
import { Passwords } from '../../../platform/secrets/passwords';
import { AuditLog } from '../../audit/audit.module';
import { AccountDirectory, AccountRules } from '../../users/users.module';
import { BadNameOrUsername, MayNotCreateUsers } from '../membership.api';
import { ArrivalService } from './arrival.service';
import { NewAccountService } from './new-account.service';

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
    private readonly passwords: Passwords,
    private readonly newAccounts: NewAccountService,
    private readonly arrival: ArrivalService,
    private readonly audit: AuditLog,
  ) {}

  /**
   * What others may have changed while the password was hashed is checked again in the transaction.
   * @returns the ID of the new account
   * @throws MustBeAdministrator, MayNotCreateUsers, MustBeOwner, BadNameOrUsername, WeakPassword, and what AccountRules
   * throw
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
    this.passwords.requireStrong(person.password);
    const passwordHash = await this.passwords.hash(person.password);
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
