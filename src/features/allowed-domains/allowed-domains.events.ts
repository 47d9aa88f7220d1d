import { defineEvent, type ServerEvent } from '../../platform/events/server-event';
import type { AllowedDomainWire } from './allowed-domains.wire';

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
