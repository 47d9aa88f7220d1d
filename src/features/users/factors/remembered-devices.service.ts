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

/** Maximum number of browsers per person; the newest are kept. */
const MAX_DEVICES = 20;

const TOKEN = /^[\w-]{43}$/;

/** The token that a remembered browser stores. */
export interface DeviceToken {
  readonly token: string;
  readonly seconds: number;
}

/** Browsers in which the password is sufficient for a while after a second-factor code was entered. */
@Injectable()
export class RememberedDevices {
  constructor(
    @InjectRepository(RememberedDevice) private readonly devices: ReadRepository<RememberedDevice>,
    private readonly clock: Clock,
  ) {}

  /** Called in the transaction in which the person signed in with a code. */
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

  /** Whether a token belongs to a browser in which the person entered a code; if so, it replaces the next code. */
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

  /** Browsers that a person is remembered in, oldest first. */
  of(userId: number): Promise<RememberedDevice[]> {
    const expiresAt = MoreThan(this.clock.nowSeconds());
    return this.devices.find({ where: { userId, expiresAt }, order: { id: 'ASC' } });
  }

  /** Whether the token belongs to the remembered browser. */
  isThat({ digest }: RememberedDevice, token: string): boolean {
    return digest === digestOf(token);
  }

  /** Forgets the browsers that were remembered up to a time, in UNIX seconds. */
  async forgetUntil(tx: Transaction, userId: number, time: number): Promise<void> {
    await tx.repository(RememberedDevice).delete({ userId, createdAt: LessThanOrEqual(time) });
  }

  /** Forgets one or all of a person's browsers. @returns how many */
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
