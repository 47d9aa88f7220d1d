import { Injectable, Logger } from '@nestjs/common';
import { type Caller, isOwner } from '../../../platform/actor';
import { LdapSettings } from '../../../platform/config/ldap-settings';
import { Database } from '../../../platform/database/database.service';
import { TransactionService } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { PageRefusal } from '../../../platform/pages/web-page';
import { entityRows } from '../../../platform/sql/entity-rows';
import { ArrivalService } from '../../membership/membership.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { AccountDirectory, passwordDirectoryPort, RememberedDevices } from '../../users/users.module';
import { AccountIdentity } from '../account-identity.entity';
import type { PersonClaims } from '../claims';
import { AccountDeactivated } from '../identity-providers.api';
import { type AccountSource, ProviderAccounts } from '../provider-accounts.service';
import { ProvidedGroups } from '../provided-groups.service';
import type { DirectoryPerson } from './directory-person';
import { LdapClient } from './ldap-client.service';

/** Longest user name in a sign-in; no account has a longer one. */
const MAX_NAME = 320;

/** Signs people in with their password from the LDAP directory. */
@Injectable()
export class LdapSignIn {
  private readonly logger = new Logger(LdapSignIn.name);

  constructor(
    hooks: Hooks,
    private readonly settings: LdapSettings,
    private readonly client: LdapClient,
    private readonly organization: OrganizationDirectory,
    private readonly database: Database,
    private readonly transactions: TransactionService,
    private readonly accounts: AccountDirectory,
    private readonly found: ProviderAccounts,
    private readonly groups: ProvidedGroups,
    private readonly arrival: ArrivalService,
    private readonly devices: RememberedDevices,
  ) {
    if (settings.directory) hooks.provide(passwordDirectoryPort, this);
  }

  /** Whether the directory has the user's password. Owners keep one here, for when the directory is unavailable. */
  async keeps(userId: number): Promise<boolean> {
    if (!this.isOn || isOwner(this.accounts.existing(userId))) return false;
    return (await this.identityOf(userId)) !== null;
  }

  /** Checks name and password. @returns the ID of the account, which may be deactivated @throws DirectoryUnreachable */
  async recognize(name: string, password: string, caller: Caller): Promise<number | null> {
    if (!this.isOn || name === '' || name.length > MAX_NAME) return null;
    const { username_attributes } = this.settings.directory!;
    const wanted = Object.fromEntries(username_attributes.map((attribute) => [attribute, name]));
    const person = await this.client.authenticate(wanted, password);
    return person && this.accountOf(person, caller);
  }

  /** Whether the password is that of the person linked to the account. @throws DirectoryUnreachable */
  async confirm(userId: number, password: string): Promise<boolean> {
    const id = this.isOn ? await this.identityOf(userId) : null;
    if (id === null) return false;
    const person = await this.client.authenticate({ [this.settings.directory!.id_attribute]: id }, password);
    return person !== null && !person.isDisabled;
  }

  private get isOn(): boolean {
    return this.settings.directory !== null && this.organization.signInMethods.LDAP === true;
  }

  private async identityOf(userId: number): Promise<string | null> {
    const { issuer } = sourceOf(this.settings);
    const where = 'WHERE user_id = ? AND issuer = ?';
    const [row] = await entityRows(this.database.read, AccountIdentity, where, [userId, issuer]);
    return row?.sub ?? null;
  }

  private async accountOf(person: DirectoryPerson, caller: Caller): Promise<number | null> {
    if (person.isDisabled) return this.refused('disabled');
    try {
      const known = sourceOf(this.settings);
      // A deactivated organization refuses the session later, but must not get new accounts.
      const source = {
        ...known,
        creates_accounts: known.creates_accounts && !this.organization.isDeactivated,
      };
      const { row, isNew } = await this.transactions.runExclusive(async (tx) => {
        const account = await this.found.find(tx, source, claimsOf(person), caller);
        // After changing a leaked password, people expect every device to require the second factor.
        if (person.passwordChangedAt !== null)
          await this.devices.forgetUntil(tx, account.row.id, person.passwordChangedAt);
        return account;
      });
      const { id } = row;
      await this.groups.update(this.settings.directory!.groups, person.groups, id, source.name);
      if (isNew) await this.arrival.tell(id);
      return id;
    } catch (error) {
      if (error instanceof AccountDeactivated) return this.accounts.byDeliveryEmail(error.email)?.id ?? null;
      if (error instanceof PageRefusal) return this.refused(error.constructor.name);
      throw error;
    }
  }

  private refused(reason: string): null {
    this.logger.warn(`A person of the directory may not sign in: ${reason}.`);
    return null;
  }
}

/** Converts a person to claims. Email addresses are verified, because the directory's administrators assign them. */
function claimsOf({ id, email, name }: DirectoryPerson): PersonClaims {
  return {
    sub: id,
    email_verified: true,
    ...(email !== null && { email }),
    ...(name !== null && { name }),
  };
}

/** The LDAP directory as a source of accounts. */
export function sourceOf({ directory }: LdapSettings): AccountSource {
  const { name, creates_accounts, links_by_email, domains } = directory!;
  return {
    name,
    issuer: `ldap:${name}`,
    label: 'The directory',
    creates_accounts,
    links_by_email,
    domains,
    trusts_email: false,
    role_claim: undefined,
    roles: {},
  };
}
