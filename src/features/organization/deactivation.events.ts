import { defineEvent, type ServerEvent } from '../../platform/events/server-event';

/** Nobody may use the organization any more. */
const organizationClosed = defineEvent<{ realm_id: number }>('realm', 'deactivated');

/** Number of the only organization, with which the addresses of uploads begin as well. */
const ONLY_ORGANIZATION = 1;

/** Tells clients that the organization was deactivated. */
export function organizationDeactivated(): ServerEvent {
  return organizationClosed({ realm_id: ONLY_ORGANIZATION });
}
