import { batch, signal } from '@preact/signals';
import type { Place } from '../connection/place';
import type { Message } from '../connection/records';
import { navigate, path } from '../router';
import { hrefOf } from './places';

/** Request to focus the composer; the visible composer takes the focus and clears it. */
export const wantsToWrite = signal(false);

/** Text that the visible composer inserts and clears. */
export const toInsert = signal('');

/** ID of the message being forwarded. */
export const forwarded = signal<number | null>(null);

/** Opened by a shortcut: a dialog for a message, or a confirmation to join or leave a channel. */
export const asked = signal<
  | { readonly message: Message; readonly stage: 'move' | 'history' | 'receipts' }
  | { readonly channelId: number }
  | null
>(null);

/** The list of the navigation being filtered, after a shortcut. */
export const filtered = signal<'channels' | 'people' | null>(null);

/** Opens a conversation or channel and focuses its composer. */
export function reply(place: Place | { readonly channelId: number }): void {
  batch(() => {
    if (decodeURI(path.value) !== decodeURI(hrefOf(place))) navigate(hrefOf(place));
    wantsToWrite.value = true;
  });
}
