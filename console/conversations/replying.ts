import { batch, signal } from '@preact/signals';
import type { Place } from '../connection/place';
import type { Message } from '../connection/records';
import { navigate, path } from '../router';
import { hrefOf } from './places';

/** Request to focus the composer; the visible composer takes the focus and clears it. */
export const wantsToWrite = signal(false);

/** Text that the visible composer adds to what is written, and clears. */
export const toInsert = signal('');

/** ID of the message that is being forwarded. */
export const forwarded = signal<number | null>(null);

/** What a key has opened: a window for a message, or the question whether to join or leave a channel. */
export const asked = signal<
  | { readonly message: Message; readonly stage: 'move' | 'history' | 'receipts' }
  | { readonly channelId: number }
  | null
>(null);

/** The names that are looked for in the navigation, since a key has asked. */
export const filtered = signal<'channels' | 'people' | null>(null);

/** Leads to where a conversation is written to. */
export function reply(place: Place): void {
  batch(() => {
    if (decodeURI(path.value) !== decodeURI(hrefOf(place))) navigate(hrefOf(place));
    wantsToWrite.value = true;
  });
}
