import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LessThanOrEqual, MoreThan } from 'typeorm';
import { Clock } from '../../../platform/clock';
import type { Transaction } from '../../../platform/database/transaction.service';
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
  constructor(private readonly clock: Clock) {}

  /** Within the transaction in which the person signed in with a code. */
  async remember(tx: Transaction, userId: number): Promise<DeviceToken> {
    const now = this.clock.nowSeconds();
    const token = randomBytes(32).toString('base64url');
    const devices = tx.repository(RememberedDevice);
    await devices.delete({ userId, expiresAt: LessThanOrEqual(now) });
    await devices.insert({ userId, digest: digestOf(token), expiresAt: now + LIFETIME_SECONDS });
    await tx.query(
      `DELETE FROM remembered_device WHERE user_id = ? AND id NOT IN
         (SELECT id FROM remembered_device WHERE user_id = ? ORDER BY id DESC LIMIT ?)`,
      [userId, userId, MAX_DEVICES],
    );
    return { token, seconds: LIFETIME_SECONDS };
  }

  /** Whether a person signed in with a code where this came from. */
  async isKnown(tx: Transaction, userId: number, token: string): Promise<boolean> {
    if (!TOKEN.test(token)) return false;
    const expiresAt = MoreThan(this.clock.nowSeconds());
    return tx.repository(RememberedDevice).existsBy({ userId, digest: digestOf(token), expiresAt });
  }
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
