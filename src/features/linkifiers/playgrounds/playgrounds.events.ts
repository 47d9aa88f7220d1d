import { defineEvent } from '../../../platform/events/server-event';
import type { PlaygroundWire } from './playgrounds.wire';

/** Playgrounds came or went: what there is now. */
export const playgroundsChanged = defineEvent<{ realm_playgrounds: readonly PlaygroundWire[] }>(
  'realm_playgrounds',
);
