import { batch, signal } from '@preact/signals';
import type { Place } from '../connection/place';
import { navigate, path } from '../router';
import { hrefOf } from './places';

/** Request to focus the composer; the visible composer takes the focus and clears it. */
export const wantsToWrite = signal(false);

/** ID of the message that is being forwarded. */
export const forwarded = signal<number | null>(null);

/** Leads to where a conversation is written to. */
export function reply(place: Place): void {
  batch(() => {
    if (decodeURI(path.value) !== decodeURI(hrefOf(place))) navigate(hrefOf(place));
    wantsToWrite.value = true;
  });
}
