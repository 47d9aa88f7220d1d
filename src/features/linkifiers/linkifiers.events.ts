import { defineEvent, type ServerEvent } from '../../platform/events/server-event';
import type { LinkifierWire } from './linkifiers.wire';

/** The linkifiers changed; the list is complete and in order. */
const changed = defineEvent<{ realm_linkifiers: readonly LinkifierWire[] }>('realm_linkifiers');

/**
 * Linkifiers came, went, changed or stand in another order: what there is now, in its order.
 */
export function linkifiersChanged(linkifiers: readonly LinkifierWire[]): ServerEvent {
  return changed({ realm_linkifiers: linkifiers });
}
