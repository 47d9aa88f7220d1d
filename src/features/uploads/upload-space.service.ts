import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config';
import { addToState, readState } from '../../platform/database/server-state';
import type { Transaction } from '../../platform/database/transaction.service';
import type { ApiError } from '../../platform/errors/api-error';
import type { Queryable } from '../../platform/sql/queryable';
import { AccountDirectory } from '../users/users.module';
import { OrganizationUploadQuotaExceeded, PersonalUploadQuotaExceeded } from './uploads.api';

/** Where the bytes of everybody together are kept. */
export const UPLOAD_SPACE_STATE = 'upload_space_used';

/** What may be uploaded until a quota is exceeded. */
interface UploadRoom {
  /** Infinite where there is no quota, and negative where one was lowered. */
  readonly bytes: number;
  /** The error for exceeding the quota. */
  refusal(): ApiError;
}

/** Bytes of unfinished uploads that are on the disk. */
export interface ArrivedBytes {
  readonly ofAll: number;
  /** And their bots. */
  readonly ofPerson: number;
}

const NONE_ARRIVED: ArrivedBytes = { ofAll: 0, ofPerson: 0 };

/**
 * How many bytes uploads take and may take: those of everybody together, and those of a person, whose bots count with
 * them, as anyone can have many.
 */
@Injectable()
export class UploadSpaceService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly config: Config,
  ) {}

  /** How many bytes all uploads take together. */
  async total(db: Queryable): Promise<number> {
    return Number((await readState(db, UPLOAD_SPACE_STATE)) ?? 0);
  }

  /** How many bytes the uploads of a person and their bots take, asked for any of them. */
  async ofPerson(db: Queryable, userId: number): Promise<number> {
    const { bytes } = await db.queryOne<{ bytes: number | string }>(
      'SELECT COALESCE(SUM(bytes), 0) AS bytes FROM upload_space WHERE user_id IN (?)',
      [this.together(userId)],
    );
    return Number(bytes);
  }

  /**
   * What the account may upload now. Others may be quicker, so {@link take} has the last word.
   * @param arrived counts as well
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
   * Notes an upload. On PostgreSQL others who change the total wait until the transaction ends, so that what is compared
   * with the quotas holds, and this is to be done late.
   * @returns the new total
   * @throws OrganizationUploadQuotaExceeded, PersonalUploadQuotaExceeded
   */
  async take(tx: Transaction, ownerId: number, bytes: number): Promise<number> {
    const total = await this.change(tx, ownerId, bytes);
    const room = await this.room(tx, ownerId);
    if (bytes > 0 && room.bytes < 0) throw room.refusal();
    return total;
  }

  /** Lets no other transaction add anything until this one ends. */
  async lock(tx: Transaction): Promise<void> {
    await addToState(tx, UPLOAD_SPACE_STATE, 0);
  }

  /** Notes that an upload is gone. @returns the new total */
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

  /** The account and those that count with it. */
  together(userId: number): number[] {
    const personId = this.accounts.personBehind(userId);
    const bots = this.accounts.all().filter(({ botOwnerId }) => botOwnerId === personId);
    return [personId, ...bots.map(({ id }) => id)];
  }
}
