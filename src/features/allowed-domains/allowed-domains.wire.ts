import type { AllowedDomain } from '../organization-settings';

/** A domain as clients see it. */
export interface AllowedDomainWire {
  readonly domain: string;
  readonly allow_subdomains: boolean;
}

/** The record of a domain on the wire. */
export function allowedDomainWire({ domain, withSubdomains }: AllowedDomain): AllowedDomainWire {
  return { domain, allow_subdomains: withSubdomains };
}

/** What clients are told of the domains when they register. */
export function allowedDomainsState(domains: readonly AllowedDomainWire[]) {
  return { realm_domains: domains };
}
