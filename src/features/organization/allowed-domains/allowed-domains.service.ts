import { Injectable } from '@nestjs/common';
import {
  allowedDomainsState,
  allowedDomainWire,
  type AllowedDomainWire,
  domainAdded,
  DomainAlreadyAllowed,
  domainChanged,
  domainRemoved,
  DomainUnknown,
  InvalidDomain,
  TooManyDomains,
} from './allowed-domains.api';
import { type Actor, isOwner } from '../../../platform/actor';
import { initialState, stateFor } from '../../../platform/client-state/initial-state.hooks';
import type { Transaction } from '../../../platform/database/transaction.service';
import { MustBeOwner } from '../../../platform/errors/shared.errors';
import { Hooks } from '../../../platform/hooks/hooks';
import { AuditLog } from '../../audit/audit.module';
import {
  type AllowedDomain,
  OrganizationDirectory,
  organizationSettingChanged,
} from '../../organization-settings/organization-settings.module';
import { AccountDirectory, ActorTransactions } from '../../users/users.module';

const MAX_LENGTH = 255;

/**
 * Validates the name of a domain.
 * @returns the name, trimmed and in lower case
 * @throws InvalidDomain
 */
export function checkedDomain(given: string): string {
  const domain = given.trim().toLowerCase();
  const problem = problemOf(domain);
  if (problem !== null) throw new InvalidDomain(problem);
  return domain;
}

function problemOf(domain: string): string | null {
  if (domain === '') return "Domain can't be empty.";
  if (!domain.includes('.')) return 'Domain must have at least one dot (.)';
  if (domain.length > MAX_LENGTH) return 'Domain is too long';
  if (domain.startsWith('.') || domain.endsWith('.')) return 'Domain cannot start or end with a dot (.)';
  for (const part of domain.split('.')) {
    if (part === '') return "Consecutive '.' are not allowed.";
    if (part.startsWith('-') || part.endsWith('-')) return "Subdomains cannot start or end with a '-'.";
    if (!/^[a-z0-9-]+$/.test(part)) return "Domain can only have letters, numbers, '.' and '-'s.";
  }
  return null;
}

/** All domains are part of the initial state of clients. */
const MAX_DOMAINS = 500;

/**
 * The allowed email domains while the organization restricts addresses; owners change them. To check an address, use
 * `AccountRules`.
 */
@Injectable()
export class AllowedDomainsService {
  constructor(
    private readonly transactions: ActorTransactions,
    private readonly organization: OrganizationDirectory,
    private readonly accounts: AccountDirectory,
    private readonly audit: AuditLog,
    hooks: Hooks,
  ) {
    hooks.on(
      initialState,
      stateFor('realm_domains', () => allowedDomainsState(this.list())),
    );
  }

  /** In the order of creation. */
  list(): AllowedDomainWire[] {
    return this.organization.settings.allowed_domains.map(allowedDomainWire);
  }

  /** @throws MustBeOwner, InvalidDomain, DomainAlreadyAllowed, TooManyDomains */
  add(caller: Actor, given: string, withSubdomains: boolean): Promise<AllowedDomain> {
    const domain = checkedDomain(given);
    return this.run(caller, async (tx, actor, domains) => {
      if (domains.some((each) => each.domain === domain)) throw new DomainAlreadyAllowed(domain);
      if (domains.length >= MAX_DOMAINS) throw new TooManyDomains(MAX_DOMAINS);
      const id = 1 + Math.max(0, ...domains.map((each) => each.id));
      const added = { id, domain, withSubdomains };
      await this.organization.store(tx, 'allowed_domains', [...domains, added]);
      const details = { domain, subdomains: withSubdomains };
      this.audit.record(tx, actor, 'organization.domain_added', { id }, details);
      tx.emit(domainAdded(allowedDomainWire(added)), this.accounts.active);
      return added;
    });
  }

  /** @throws MustBeOwner, DomainUnknown */
  change(caller: Actor, domain: string, withSubdomains: boolean): Promise<void> {
    return this.run(caller, async (tx, actor, domains) => {
      const before = found(domains, domain);
      if (before.withSubdomains === withSubdomains) return;
      const after = { ...before, withSubdomains };
      const changed = domains.map((each) => (each === before ? after : each));
      await this.organization.store(tx, 'allowed_domains', changed);
      const details = { domain, subdomains: withSubdomains };
      this.audit.record(tx, actor, 'organization.domain_changed', { id: before.id }, details);
      tx.emit(domainChanged(allowedDomainWire(after)), this.accounts.active);
    });
  }

  /**
   * Removing the last domain removes the restriction; otherwise nobody could join.
   * @throws MustBeOwner, DomainUnknown
   */
  remove(caller: Actor, domain: string): Promise<void> {
    return this.run(caller, async (tx, actor, domains) => {
      const removed = found(domains, domain);
      const left = domains.filter((each) => each !== removed);
      await this.organization.store(tx, 'allowed_domains', left);
      this.audit.record(tx, actor, 'organization.domain_removed', { id: removed.id }, { domain });
      if (left.length === 0) await this.endRestriction(tx, actor);
      tx.emit(domainRemoved({ domain }), this.accounts.active);
    });
  }

  private async endRestriction(tx: Transaction, actor: Actor): Promise<void> {
    if (!this.organization.settings.emails_restricted_to_domains) return;
    await this.organization.store(tx, 'emails_restricted_to_domains', false);
    const details = { emails_restricted_to_domains: { from: true, to: false } };
    this.audit.record(tx, actor, 'organization.changed', {}, details);
    for (const event of organizationSettingChanged({ emails_restricted_to_domains: false })) {
      tx.emit(event, this.accounts.active);
    }
  }

  private run<Result>(
    caller: Actor,
    work: (tx: Transaction, actor: Actor, domains: readonly AllowedDomain[]) => Promise<Result>,
  ): Promise<Result> {
    return this.transactions.runExclusive(caller, async (tx, actor) => {
      if (!isOwner(actor)) throw new MustBeOwner();
      return work(tx, actor, this.organization.settings.allowed_domains);
    });
  }
}

/** @throws DomainUnknown */
function found(domains: readonly AllowedDomain[], domain: string): AllowedDomain {
  const record = domains.find((each) => each.domain === domain);
  if (!record) throw new DomainUnknown(domain);
  return record;
}
