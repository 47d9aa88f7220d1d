import type { NavigationView } from './navigation-view.entity';

/** A view in the left sidebar as clients see it. */
export interface NavigationViewWire {
  /** What follows `#` in the address. */
  readonly fragment: string;
  readonly is_pinned: boolean;
  /** Null for built-in views. */
  readonly name: string | null;
}

/** The record of a view on the wire. */
export function navigationViewWire({ fragment, isPinned, name }: NavigationView): NavigationViewWire {
  return { fragment, is_pinned: isPinned, name };
}
