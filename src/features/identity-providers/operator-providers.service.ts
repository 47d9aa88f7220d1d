import { Injectable } from '@nestjs/common';
import { IsString, Length } from 'class-validator';
import { THE_OPERATOR } from '../../platform/actor';
import { type IdentityProvider, IdentityProviders } from '../../platform/config/identity-providers';
import { LdapSettings } from '../../platform/config/ldap-settings';
import { TransactionService } from '../../platform/database/transaction.service';
import { Hooks } from '../../platform/hooks/hooks';
import { command, CommandRefused, NoInput, operatorCommand } from '../../platform/operator/operator-commands';
import { AccountDirectory, type AccountRecord } from '../users/users.module';
import { AccountIdentity } from './account-identity.entity';
import { LdapClient } from './ldap/ldap-client.service';
import { sourceOf } from './ldap/ldap-sign-in.service';
import { OpenIdClient } from './openid-client.service';
import { type GroupMapping, ProvidedGroups } from './provided-groups.service';
import { type AccountSource, MAX_SUB, ProviderAccounts } from './provider-accounts.service';
import { SamlClient } from './saml/saml-client.service';

/** Input of `sso link`. */
export class LinkIdentityInput {
  /** Email address or ID of the account. */
  @IsString({ message: 'The account must be a text.' }) user!: string;
  /** Name of the provider in the configuration file. */
  @IsString({ message: 'The provider must be a text.' }) provider!: string;
  /** The provider's ID for the person. */
  @Length(1, MAX_SUB, { message: `The sub must be a text of 1 to ${MAX_SUB} characters.` })
  sub!: string;
}

/** Result of checking one provider. */
interface ProviderCheck {
  readonly name: string;
  /** Issuer URL. */
  readonly issuer: string;
  /** URL to register at the provider; null for an LDAP directory. */
  readonly redirectUri: string | null;
  /** Null if there is none. */
  readonly problem: string | null;
}

/** Operator commands for identity providers. */
@Injectable()
export class OperatorProvidersService {
  constructor(
    private readonly providers: IdentityProviders,
    private readonly openId: OpenIdClient,
    private readonly saml: SamlClient,
    private readonly ldap: LdapSettings,
    private readonly ldapClient: LdapClient,
    private readonly groups: ProvidedGroups,
    private readonly accounts: AccountDirectory,
    private readonly found: ProviderAccounts,
    private readonly transactions: TransactionService,
    hooks: Hooks,
  ) {
    hooks.on(
      operatorCommand,
      command('sso check', NoInput, () => this.check()),
    );
    hooks.on(
      operatorCommand,
      command(
        'sso link',
        LinkIdentityInput,
        (input) => this.link(input),
        ({ user }) => user,
      ),
    );
  }

  private async check(): Promise<{ providers: ProviderCheck[] }> {
    const providers = this.providers.all.map((provider) => this.checked(provider));
    return { providers: await Promise.all([...providers, ...this.checkedDirectory()]) };
  }

  private async checked(provider: IdentityProvider): Promise<ProviderCheck> {
    const isSaml = provider.protocol === 'saml';
    const issuer = isSaml ? provider.entityId : provider.issuer;
    const redirectUri = isSaml ? this.saml.consumerUrl(provider) : this.openId.redirectUri(provider);
    const found = isSaml ? this.saml.problemOf(provider) : await this.openId.problemOf(provider);
    const problem = found ?? this.problemOfGroups(provider.groups);
    return { name: provider.name, issuer, redirectUri, problem };
  }

  private checkedDirectory(): Promise<ProviderCheck>[] {
    const { directory } = this.ldap;
    if (!directory) return [];
    const { name, url: issuer, groups } = directory;
    return [
      this.ldapClient.problem().then((problem) => ({
        name,
        issuer,
        redirectUri: null,
        problem: problem ?? this.problemOfGroups(groups),
      })),
    ];
  }

  private problemOfGroups(mapping: GroupMapping): string | null {
    const [missing] = this.groups.missing(mapping);
    return missing === undefined ? null : `No user group has the name "${missing}".`;
  }

  /** The identity providers, and the LDAP directory, which links accounts in the same way. */
  private sources(): readonly AccountSource[] {
    return [...this.providers.all, ...(this.ldap.directory ? [sourceOf(this.ldap)] : [])];
  }

  /** Links an account to a person at a provider, and replaces an existing link to the same provider. */
  private async link({ user, provider: name, sub }: LinkIdentityInput): Promise<object> {
    const provider = this.sources().find((each) => each.name === name);
    if (!provider) {
      const names =
        this.sources()
          .map((each) => each.name)
          .join(', ') || 'none';
      throw new CommandRefused(`No identity provider has the name ${name}. There are: ${names}.`);
    }
    const account = this.person(user);
    const { issuer } = provider;
    await this.transactions.runExclusive(async (tx) => {
      const owner = await tx.repository(AccountIdentity).findOneBy({ issuer, sub });
      if (owner && owner.userId !== account.id) {
        throw new CommandRefused(`${sub} is already linked to the account with ID ${owner.userId}.`);
      }
      await tx.repository(AccountIdentity).delete({ userId: account.id, issuer });
      await this.found.link(tx, provider, { sub }, account.id, THE_OPERATOR);
    });
    return { user: { id: account.id, email: account.deliveryEmail, name: account.fullName } };
  }

  private person(given: string): AccountRecord {
    const isId = /^\d{1,10}$/.test(given.trim());
    const account = isId ? this.accounts.byId(Number(given)) : this.accounts.byEmail(given.trim());
    if (account && !account.isBot) return account;
    throw new CommandRefused(`No person has the ${isId ? 'ID' : 'address'} ${given}.`);
  }
}
