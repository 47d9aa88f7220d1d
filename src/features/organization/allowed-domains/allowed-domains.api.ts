import type { AllowedDomain } from '../../organization-settings/organization-settings.module';
import { json } from '../../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';
import { defineEvent, type ServerEvent } from '../../../platform/events/server-event';
import { ApiError } from '../../../platform/errors/api-error';

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

/** Parameters of `POST /realm/domains`. */
export class AddDomainDto {
  /** Name of the domain; the service has its own errors for invalid names. */
  @Parameter(text({ unchecked: true }), { checked: { minLength: 1, maxLength: 255 } }) domain!: string;

  /** Whether domains below it are meant as well. */
  @Parameter(json.boolean()) allow_subdomains!: boolean;
}

/** Parameters of `DELETE /realm/domains/{domain}`. */
export class DomainPathDto {
  /** Name of the domain. */
  @PathParameter(text({ maxLength: 255 })) domain!: string;
}

/** Parameters of `PATCH /realm/domains/{domain}`. */
export class ChangeDomainDto extends DomainPathDto {
  /** Whether domains below it are meant as well. */
  @Parameter(json.boolean()) allow_subdomains!: boolean;
}

/** The organization lists another domain. */
const added = defineEvent<{ realm_domain: AllowedDomainWire }>('realm_domains', 'add');

/** Whether a listed domain stands for those below it changed. */
const changed = defineEvent<{ realm_domain: AllowedDomainWire }>('realm_domains', 'change');

/** The organization lists a domain no longer. */
export const domainRemoved = defineEvent<{ domain: string }>('realm_domains', 'remove');

/** The organization lists another domain. */
export function domainAdded(domain: AllowedDomainWire): ServerEvent {
  return added({ realm_domain: domain });
}

/** Whether a listed domain stands for those below it changed. */
export function domainChanged(domain: AllowedDomainWire): ServerEvent {
  return changed({ realm_domain: domain });
}

/** The text is no name of a domain; the sentence says why. */
export class InvalidDomain extends ApiError {
  constructor(reason: string) {
    super(`Invalid domain: ${reason}`);
  }
}

/** The organization allows the domain already. */
export class DomainAlreadyAllowed extends ApiError {
  constructor(domain: string) {
    super(`The domain ${domain} is already a part of your organization.`);
  }
}

/** The organization does not list the domain. */
export class DomainUnknown extends ApiError {
  constructor(domain: string) {
    super(`No entry found for domain ${domain}.`);
  }
}

/** The organization lists as many domains as it may. */
export class TooManyDomains extends ApiError {
  constructor(limit: number) {
    super(`There can be at most ${limit} domains.`);
  }
}
