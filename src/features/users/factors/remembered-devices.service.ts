import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThanOrEqual, MoreThan } from 'typeorm';
import { Clock } from '../../../platform/clock';
import type { ReadRepository } from '../../../platform/database/read-source';
import type { Transaction } from '../../../platform/database/transaction.service';
import type { RequestOrigin } from '../../../platform/http/decorators';
import { RememberedDevice } from './remembered-device.entity';

const LIFETIME_SECONDS = 30 * 86_400;

/** Browsers of one person; the newest stay. */
const MAX_DEVICES = 20;

const TOKEN = /^[\w-]{43}$/;

/** What a browser keeps of being remembered. */
export interface DeviceToken {
  readonly token: string;
  readonly seconds: number;
}

/** Browsers in which the password is enough for a while, since the code of the second factor was shown there. */
@Injectable()
export class RememberedDevices {
  constructor(
    @InjectRepository(RememberedDevice) private readonly devices: ReadRepository<RememberedDevice>,
    private readonly clock: Clock,
  ) {}

  /** Within the transaction in which the person signed in with a code. */
  async remember(
    tx: Transaction,
    userId: number,
    { address, userAgent }: RequestOrigin,
  ): Promise<DeviceToken> {
    const createdAt = this.clock.nowSeconds();
    const token = randomBytes(32).toString('base64url');
    const devices = tx.repository(RememberedDevice);
    const expiresAt = createdAt + LIFETIME_SECONDS;
    await devices.insert({ userId, digest: digestOf(token), createdAt, expiresAt, address, userAgent });
    await tx.query(
      `DELETE FROM remembered_device WHERE user_id = ? AND id NOT IN
         (SELECT id FROM remembered_device WHERE user_id = ? ORDER BY id DESC LIMIT ?)`,
      [userId, userId, MAX_DEVICES],
    );
    return { token, seconds: LIFETIME_SECONDS };
  }

  /** Whether a person signed in with a code where this came from, which now stands for another one. */
  async use(tx: Transaction, userId: number, token: string): Promise<boolean> {
    if (!TOKEN.test(token)) return false;
    const now = this.clock.nowSeconds();
    const used = await tx.query(
      `UPDATE remembered_device SET last_used_at = ?
       WHERE user_id = ? AND digest = ? AND expires_at > ? RETURNING id`,
      [now, userId, digestOf(token), now],
    );
    return used.length > 0;
  }

  /** Where a person is remembered, the oldest first. */
  of(userId: number): Promise<RememberedDevice[]> {
    const expiresAt = MoreThan(this.clock.nowSeconds());
    return this.devices.find({ where: { userId, expiresAt }, order: { id: 'ASC' } });
  }

  /** Whether a browser with this token is the remembered one. */
  isThat({ digest }: RememberedDevice, token: string): boolean {
    return digest === digestOf(token);
  }

  /** Has the browsers ask for a code again that were remembered up to a time, in UNIX seconds. */
  async forgetUntil(tx: Transaction, userId: number, time: number): Promise<void> {
    await tx.repository(RememberedDevice).delete({ userId, createdAt: LessThanOrEqual(time) });
  }

  /** Has a browser, or all of a person's, ask for a code again. @returns how many */
  async forget(tx: Transaction, userId: number, id?: number): Promise<number> {
    const which = id === undefined ? { userId } : { userId, id };
    const expiresAt = MoreThan(this.clock.nowSeconds());
    const { affected } = await tx.repository(RememberedDevice).delete({ ...which, expiresAt });
    return affected ?? 0;
  }
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
