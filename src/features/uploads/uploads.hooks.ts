import type { Transaction } from '../../platform/database/transaction.service';
import { defineHook, definePort } from '../../platform/hooks/hook';
import type { Queryable } from '../../platform/sql/queryable';
import type { Attachment } from './attachment.entity';

/** Which messages may have placeholders to replace: those that link an upload, or the given ones. */
export type SettledPictures = { readonly attachmentId: number } | { readonly messageIds: readonly number[] };

/**
 * Thumbnails were generated, turned out to be impossible, or were deleted. Also runs if a message that was rendered
 * earlier is sent afterwards.
 */
export const picturesSettled = defineHook<[tx: Transaction, what: SettledPictures]>('picturesSettled');

/** Determines which files must be kept. */
export interface FileHolds {
  /** Prevents new holds until the transaction ends. Must be called before anything is locked. */
  settle(tx: Transaction): Promise<void>;
  /** IDs of the files that a message on hold needs. */
  heldAmong(db: Queryable, files: readonly Attachment[]): Promise<ReadonlySet<number>>;
}

/** Provided by the feature that manages legal holds. */
export const fileHoldsPort = definePort<FileHolds>('fileHoldsPort');
