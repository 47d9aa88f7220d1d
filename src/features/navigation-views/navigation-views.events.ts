import { defineEvent } from '../../platform/events/server-event';
import type { NavigationViewWire } from './navigation-views.wire';

/** A view was added to the receiver's left sidebar. */
export const navigationViewAdded = defineEvent<{ navigation_view: NavigationViewWire }>(
  'navigation_view',
  'add',
);

/** A view in the receiver's left sidebar changed: what of it, under the names that its record has. */
export const navigationViewUpdated = defineEvent<{
  fragment: string;
  data: Partial<Pick<NavigationViewWire, 'is_pinned' | 'name'>>;
}>('navigation_view', 'update');

/** A view is gone from the receiver's left sidebar. */
export const navigationViewRemoved = defineEvent<{ fragment: string }>('navigation_view', 'remove');
