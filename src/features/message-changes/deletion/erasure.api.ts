import { IsString } from 'class-validator';
import type { Erased } from '../../users/users.module';

/** Input of `user erase`. */
export class EraseContentInput {
  /** Address or ID of the account. */
  @IsString({ message: 'The user must be a text.' }) user!: string;
}

/** The receipt of an erasure: what was erased, and what was kept. */
export interface ErasureReceipt {
  readonly user_id: number;
  readonly email: string;
  /** ISO 8601, of the first attempt. */
  readonly started_at: string;
  /** ISO 8601. */
  readonly finished_at: string;
  /** By kind, over all attempts. */
  readonly erased: Erased;
  readonly kept: readonly string[];
}

/** What an erasure keeps. */
export const KEPT_BY_ERASURE: readonly string[] = [
  'The account and its profile, which can be deleted now.',
  'What others wrote, with quotations of this person.',
  'Backups and exports that were made before.',
  'Events for clients, until they expire (EVENT_RETENTION_HOURS).',
];
