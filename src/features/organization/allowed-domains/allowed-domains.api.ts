import type { AllowedDomain } from '../../organization-settings/organization-settings.module';
import { json } from '../../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';
import { defineEvent, type ServerEvent } from '../../../platform/events/server-event';
import { ApiError } from '../../../platform/errors/api-error';

/** A domain as sent to clients. */
export interface AllowedDomainWire {
  readonly domain: string;
  readonly allow_subdomains: boolean;
}

/** The record of a domain on the wire. */
export function allowedDomainWire({ domain, withSubdomains }: AllowedDomain): AllowedDomainWire {
  return { domain, allow_subdomains: withSubdomains };
}

/** Initial state of the domains for clients. */
export function allowedDomainsState(domains: readonly AllowedDomainWire[]) {
  return { realm_domains: domains };
}

/** Parameters of `POST /realm/domains`. */
export class AddDomainDto {
  /** Name of the domain; the service has specific errors for invalid names. */
  @Parameter(text({ unchecked: true }), { checked: { minLength: 1, maxLength: 255 } }) domain!: string;

  /** Whether subdomains are allowed as well. */
  @Parameter(json.boolean()) allow_subdomains!: boolean;
}

/** Parameters of `DELETE /realm/domains/{domain}`. */
export class DomainPathDto {
  /** Name of the domain. */
  @PathParameter(text({ maxLength: 255 })) domain!: string;
}

/** Parameters of `PATCH /realm/domains/{domain}`. */
export class ChangeDomainDto extends DomainPathDto {
  /** Whether subdomains are allowed as well. */
  @Parameter(json.boolean()) allow_subdomains!: boolean;
}

/** A domain was added to the organization's list. */
const added = defineEvent<{ realm_domain: AllowedDomainWire }>('realm_domains', 'add');

/** Whether subdomains of a listed domain are allowed changed. */
const changed = defineEvent<{ realm_domain: AllowedDomainWire }>('realm_domains', 'change');

/** A domain was removed from the organization's list. */
export const domainRemoved = defineEvent<{ domain: string }>('realm_domains', 'remove');

/** A domain was added to the organization's list. */
export function domainAdded(domain: AllowedDomainWire): ServerEvent {
  return added({ realm_domain: domain });
}

/** Whether subdomains of a listed domain are allowed changed. */
export function domainChanged(domain: AllowedDomainWire): ServerEvent {
  return changed({ realm_domain: domain });
}

/** The text is not a valid domain; the text of the error explains why. */
export class InvalidDomain extends ApiError {
  constructor(reason: string) {
    super(`Invalid domain: ${reason}`);
  }
}

/** The domain is already in the organization's list. */
export class DomainAlreadyAllowed extends ApiError {
  constructor(domain: string) {
    super(`The domain ${domain} is already a part of your organization.`);
  }
}

/** The domain is not in the organization's list. */
export class DomainUnknown extends ApiError {
  constructor(domain: string) {
    super(`No entry found for domain ${domain}.`);
  }
}

/** The limit on domains is reached. */
export class TooManyDomains extends ApiError {
  constructor(limit: number) {
    super(`There can be at most ${limit} domains.`);
  }
}
