import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config';
import { addToState, readState } from '../../platform/database/server-state';
import type { Transaction } from '../../platform/database/transaction.service';
import type { ApiError } from '../../platform/errors/api-error';
import type { Queryable } from '../../platform/sql/queryable';
import { AccountDirectory } from '../users/users.module';
import { OrganizationUploadQuotaExceeded, PersonalUploadQuotaExceeded } from './uploads.api';

/** Key of the total size of all uploads. */
export const UPLOAD_SPACE_STATE = 'upload_space_used';

/** How much may be uploaded until a quota is exceeded. */
interface UploadRoom {
  /** Infinite without a quota, and negative if the quota was lowered. */
  readonly bytes: number;
  /** The error for exceeding the quota. */
  refusal(): ApiError;
}

/** Bytes of unfinished uploads on the disk. */
export interface ArrivedBytes {
  readonly ofAll: number;
  /** Including the person's bots. */
  readonly ofPerson: number;
}

const NONE_ARRIVED: ArrivedBytes = { ofAll: 0, ofPerson: 0 };

/**
 * The space that uploads use and may use: in total, and per person including their bots, as anyone can have many bots.
 */
@Injectable()
export class UploadSpaceService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly config: Config,
  ) {}

  /** The total size of all uploads. */
  async total(db: Queryable): Promise<number> {
    return Number((await readState(db, UPLOAD_SPACE_STATE)) ?? 0);
  }

  /** The total size of the uploads of a person and their bots, given any of them. */
  async ofPerson(db: Queryable, userId: number): Promise<number> {
    const { bytes } = await db.queryOne<{ bytes: number | string }>(
      'SELECT COALESCE(SUM(bytes), 0) AS bytes FROM upload_space WHERE user_id IN (?)',
      [this.together(userId)],
    );
    return Number(bytes);
  }

  /**
   * How much the account may upload now. Others may be faster, so {@link take} checks again.
   * @param arrived counts as used
   */
  async room(db: Queryable, userId: number, arrived: ArrivedBytes = NONE_ARRIVED): Promise<UploadRoom> {
    const organization = this.config.uploadQuotaBytes - (await this.total(db)) - arrived.ofAll;
    const person =
      this.config.personalUploadQuotaBytes - (await this.ofPerson(db, userId)) - arrived.ofPerson;
    return organization <= person
      ? { bytes: organization, refusal: () => new OrganizationUploadQuotaExceeded() }
      : { bytes: person, refusal: () => new PersonalUploadQuotaExceeded(this.config.personalUploadQuotaMib) };
  }

  /**
   * Records an upload. On PostgreSQL, others who change the total wait until the transaction ends, so that the
   * comparison with the quotas holds; call it late.
   * @returns the new total
   * @throws OrganizationUploadQuotaExceeded, PersonalUploadQuotaExceeded
   */
  async take(tx: Transaction, ownerId: number, bytes: number): Promise<number> {
    const total = await this.change(tx, ownerId, bytes);
    const room = await this.room(tx, ownerId);
    if (bytes > 0 && room.bytes < 0) throw room.refusal();
    return total;
  }

  /** Prevents other transactions from adding uploads until this one ends. */
  async lock(tx: Transaction): Promise<void> {
    await addToState(tx, UPLOAD_SPACE_STATE, 0);
  }

  /** Records the deletion of an upload. @returns the new total */
  giveBack(tx: Transaction, ownerId: number, bytes: number): Promise<number> {
    return this.change(tx, ownerId, -bytes);
  }

  private async change(tx: Transaction, ownerId: number, bytes: number): Promise<number> {
    const total = await addToState(tx, UPLOAD_SPACE_STATE, bytes);
    await tx.query(
      `INSERT INTO upload_space (user_id, bytes) VALUES (?, ?)
       ON CONFLICT (user_id) DO UPDATE SET bytes = upload_space.bytes + excluded.bytes`,
      [ownerId, bytes],
    );
    return total;
  }

  /** The account and those that share its quota. */
  together(userId: number): number[] {
    const personId = this.accounts.personBehind(userId);
    const bots = this.accounts.all().filter(({ botOwnerId }) => botOwnerId === personId);
    return [personId, ...bots.map(({ id }) => id)];
  }
}
