import type { Transaction } from '../../platform/database/transaction.service';
import { defineHook, definePort } from '../../platform/hooks/hook';
import type { Queryable } from '../../platform/sql/queryable';
import type { Attachment } from './attachment.entity';

/** Which messages may wait for pictures in vain: those that link an upload, or some that are named. */
export type SettledPictures = { readonly attachmentId: number } | { readonly messageIds: readonly number[] };

/**
 * Smaller versions of pictures are there, are not to be had, or are gone. Told also where a message that was rendered
 * before is sent after that.
 */
export const picturesSettled = defineHook<[tx: Transaction, what: SettledPictures]>('picturesSettled');

/** Knows which files must stay. */
export interface FileHolds {
  /** No hold is placed from here on until the transaction ends. To be called before anything is locked. */
  settle(tx: Transaction): Promise<void>;
  /** IDs of those that a message on hold needs. */
  heldAmong(db: Queryable, files: readonly Attachment[]): Promise<ReadonlySet<number>>;
}

/** Provided by the feature that has legal holds. */
export const fileHoldsPort = definePort<FileHolds>('fileHoldsPort');
