import type { Transaction } from '../../platform/database/transaction.service';
import { defineHook } from '../../platform/hooks/hook';

/** Which messages may wait for pictures in vain: those that link an upload, or some that are named. */
export type SettledPictures = { readonly attachmentId: number } | { readonly messageIds: readonly number[] };

/**
 * Smaller versions of pictures are there, are not to be had, or are gone. Told also where a message that was rendered
 * before is sent after that.
 */
export const picturesSettled = defineHook<[tx: Transaction, what: SettledPictures]>('picturesSettled');
