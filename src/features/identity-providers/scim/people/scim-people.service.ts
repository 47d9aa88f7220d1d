import { Injectable } from '@nestjs/common';
import { isOwner, Role } from '../../../../platform/actor';
import { Database } from '../../../../platform/database/database.service';
import { type Transaction, TransactionService } from '../../../../platform/database/transaction.service';
import { Hooks } from '../../../../platform/hooks/hooks';
import { AuditLog } from '../../../audit/audit.module';
import { PersonReferencesService } from '../../../admin/admin.module';
import {
  AccountActivityService,
  AccountAuditService,
  ArrivalService,
  ChangeRoleService,
  NewAccountService,
  OrganizationOwners,
} from '../../../membership/membership.module';
import {
  type Account,
  AccountChanges,
  AccountDirectory,
  type AccountRecord,
  AccountRules,
  personalDataRemoved,
} from '../../../users/users.module';
import type { DirectoryCaller } from '../keys/scim-key.guard';
import { listAnswer, type ListQuery } from '../protocol/listing';
import { asScimError, InvalidValue, NameTaken, NotForDirectories } from '../protocol/scim.api';
import { requireVersion, versioned } from '../protocol/versions';
import { DirectoryPeople } from './directory-people.service';
import { partsOf, type PersonResource } from './person-resource';
import { ScimPerson } from './scim-person.entity';
import { type WantedPerson, wantedName } from './wanted-person';

/** Lists and changes the people of a company directory. Each request applies all of its changes or none. */
@Injectable()
export class ScimPeople {
  constructor(
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly people: DirectoryPeople,
    private readonly accounts: AccountDirectory,
    private readonly rules: AccountRules,
    private readonly changes: AccountChanges,
    private readonly newAccounts: NewAccountService,
    private readonly activity: AccountActivityService,
    private readonly roles: ChangeRoleService,
    private readonly owners: OrganizationOwners,
    private readonly references: PersonReferencesService,
    private readonly records: AccountAuditService,
    private readonly arrival: ArrivalService,
    private readonly audit: AuditLog,
    hooks: Hooks,
  ) {
    hooks.on(personalDataRemoved, async (tx, userId) => {
      await tx.repository(ScimPerson).delete({ userId });
    });
  }

  /** Returns a page of the people that the directory has access to. */
  async list(caller: DirectoryCaller, query: ListQuery): Promise<object> {
    const found = await this.people.all(this.database.read, caller, this.fewIds(query));
    return listAnswer(
      found.map(({ account, known }) => this.people.resource(account, known)),
      query,
    );
  }

  /** @throws NoSuchResource */
  async get(caller: DirectoryCaller, id: number): Promise<PersonResource> {
    const { account, known } = await this.people.existing(this.database.read, caller, id);
    return versioned(this.people.resource(account, known));
  }

  /** Creates an account without a password. @throws InvalidValue, NameTaken, NotForDirectories */
  async create(caller: DirectoryCaller, wanted: WantedPerson): Promise<PersonResource> {
    if (wanted.userName === undefined) throw new InvalidValue('userName is missing.');
    if (wanted.active === false) throw new InvalidValue('New user must have active=True');
    if (wanted.role === 'owner') throw new NotForDirectories('A directory cannot create owners.');
    const { email, userName } = this.addressOf(wanted, wanted.userName);
    if (email === undefined) throw new InvalidValue('Neither userName nor a primary email is an address.');
    const given = wantedName(wanted, partsOf('')) ?? email.slice(0, email.lastIndexOf('@'));
    const id = await this.exclusively(async (tx) => {
      if (this.accounts.byDeliveryEmail(email)) throw new NameTaken('Another account has this address.');
      this.rules.requireUsableEmail(email);
      this.rules.requireAllowedDomain(email);
      const fullName = this.rules.checkedFullName(given);
      this.rules.requireUniqueName(fullName);
      const role = Role[wanted.role ?? 'member'];
      const account = { deliveryEmail: email, fullName, role, awaitsFirstLogin: true };
      const { id: userId } = await this.newAccounts.add(tx, account);
      this.audit.record(tx, caller, 'user.created', { userId }, { role });
      await this.note(tx, caller, userId, { externalId: wanted.externalId ?? null, userName });
      return userId;
    });
    await this.arrival.tell(id);
    return this.get(caller, id);
  }

  /**
   * Changes the given attributes of a person.
   * @param version the expected version; null for any
   * @throws NoSuchResource, OutdatedVersion, InvalidValue, NameTaken, NotForDirectories, StillInUse
   */
  async change(
    caller: DirectoryCaller,
    id: number,
    wanted: WantedPerson,
    version: string | null,
  ): Promise<PersonResource> {
    await this.exclusively(async (tx) => {
      const { account, known } = await this.people.existing(tx, caller, id);
      requireVersion(this.people.resource(account, known), version);
      const actor = this.people.actor(caller);
      await this.changeActivity(tx, caller, account, wanted.active);
      const row = await this.changes.load(tx, id);
      const before = { ...row };
      const role = wanted.role === undefined ? row.role : Role[wanted.role];
      if (role !== row.role) {
        this.requireNoOwner(row, role);
        if (row.isActive) this.references.requireRoleChangeable(account, role);
        await this.roles.change(tx, actor, row, role);
      }
      const fullName = wantedName(wanted, partsOf(row.fullName));
      if (fullName !== undefined) await this.changes.rename(tx, row, fullName);
      const { email, userName } = this.addressOf(wanted, wanted.userName ?? known?.userName ?? undefined);
      if (email !== undefined) await this.changeEmail(tx, row, email);
      await this.changes.save(tx, row);
      this.records.record(tx, actor, before, row);
      await this.note(tx, caller, id, {
        externalId: wanted.externalId === undefined ? (known?.externalId ?? null) : wanted.externalId,
        userName: wanted.userName === undefined ? (known?.userName ?? null) : userName,
      });
    });
    return this.get(caller, id);
  }

  /** Runs `work` exclusively, so that its checks still hold at the commit. Converts errors to SCIM errors. */
  private async exclusively<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    try {
      return await this.transactions.runExclusive(work);
    } catch (error) {
      throw asScimError(error);
    }
  }

  private async changeActivity(
    tx: Transaction,
    caller: DirectoryCaller,
    account: AccountRecord,
    isActive?: boolean,
  ): Promise<void> {
    if (isActive === undefined || isActive === account.isActive) return;
    const actor = this.people.actor(caller);
    if (isActive) {
      if (isOwner(account)) throw new NotForDirectories('A directory cannot reactivate owners.');
      return this.activity.bringBack(tx, account, actor);
    }
    if (this.owners.isOnlyOwner(account)) {
      throw new NotForDirectories('The only owner of the organization cannot be deactivated.');
    }
    this.references.requireDeactivatable(account);
    await this.activity.deactivate(tx, actor, account);
  }

  /** Refuses owners: control of their email address allows a password reset, and so control of the organization. */
  private async changeEmail(tx: Transaction, row: Account, email: string): Promise<void> {
    const owner = this.accounts.byDeliveryEmail(email);
    if (owner && owner.id !== row.id) throw new NameTaken('Another account has this address.');
    if (owner?.deliveryEmail === email) return;
    if (isOwner(row)) throw new NotForDirectories('A directory cannot change the address of an owner.');
    await this.changes.changeEmail(tx, row, email);
  }

  private requireNoOwner(row: Account, role: Role): void {
    if (isOwner(row) || role === Role.owner) {
      throw new NotForDirectories('A directory can neither make anyone an owner nor change the role of one.');
    }
  }

  /** `userName` is the email address if it is one; otherwise the address comes from `emails`. */
  private addressOf({ email }: WantedPerson, name: string | undefined) {
    if (name === undefined) return { email: undefined, userName: null };
    const isAddress = this.rules.isUsableEmail(name);
    return isAddress ? { email: name, userName: null } : { email, userName: name };
  }

  /** Records that the directory manages the person. @throws NameTaken if it uses the name for another person */
  private async note(
    tx: Transaction,
    { clientName: directory }: DirectoryCaller,
    userId: number,
    known: Pick<ScimPerson, 'externalId' | 'userName'>,
  ): Promise<void> {
    if (known.userName !== null) {
      const [other] = await tx.query(
        'SELECT user_id FROM scim_person WHERE directory = ? AND lower(user_name) = lower(?) AND user_id <> ?',
        [directory, known.userName, userId],
      );
      if (other) throw new NameTaken('Another user has this userName.');
    }
    await tx.repository(ScimPerson).save({ userId, directory, ...known });
  }

  /** The ID of the only account that a filter by email address can match; directories send such filters often. */
  private fewIds({ filter }: ListQuery): number[] | undefined {
    if (filter?.kind !== 'compare' || filter.by !== 'eq' || filter.path !== 'username') return undefined;
    if (typeof filter.to !== 'string' || !this.rules.isUsableEmail(filter.to)) return undefined;
    const account = this.accounts.byDeliveryEmail(filter.to);
    return account ? [account.id] : [];
  }
}
