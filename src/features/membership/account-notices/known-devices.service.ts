import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { normalizeIp } from '@nestjs/throttler';
import { Clock } from '../../../platform/clock';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import type { RequestOrigin } from '../../../platform/http/decorators';
import { personalDataRemoved } from '../../users/users.module';
import { deviceName } from './device-name';
import { KnownDevice } from './known-device.entity';

/** A device that was not used for so long is new again. */
const KNOWN_SECONDS = 30 * 86_400;

/** Devices remembered of each person; the newest stay. */
const MAX_DEVICES = 50;

/** Remembers from where people sign in. A device is a program, with its system, in a network. */
@Injectable()
export class KnownDevices {
  constructor(
    private readonly clock: Clock,
    hooks: Hooks,
  ) {
    hooks.on(personalDataRemoved, async (tx, userId) => {
      await tx.repository(KnownDevice).delete({ userId });
    });
  }

  /** @returns whether the device is new, and not the first one of this person */
  async isNew(tx: Transaction, userId: number, { address, userAgent }: RequestOrigin): Promise<boolean> {
    const now = this.clock.nowSeconds();
    const place = JSON.stringify([deviceName(userAgent), networkOf(address)]);
    const digest = createHash('sha256').update(place).digest('hex');
    const rows = await tx.repository(KnownDevice).findBy({ userId });
    await tx.query(
      `INSERT INTO known_device (user_id, digest, seen_at) VALUES (?, ?, ?)
       ON CONFLICT (user_id, digest) DO UPDATE SET seen_at = EXCLUDED.seen_at`,
      [userId, digest, now],
    );
    if (rows.length >= MAX_DEVICES) await this.deleteOldest(tx, userId);
    const isKnown = rows.some((row) => row.digest === digest && row.seenAt > now - KNOWN_SECONDS);
    return rows.length > 0 && !isKnown;
  }

  private async deleteOldest(tx: Transaction, userId: number): Promise<void> {
    await tx.query(
      `DELETE FROM known_device WHERE user_id = ? AND id NOT IN
         (SELECT id FROM known_device WHERE user_id = ? ORDER BY seen_at DESC, id DESC LIMIT ?)`,
      [userId, userId, MAX_DEVICES],
    );
  }
}

/** Addresses change within the network of a provider; the first three quarters of a short one, half of a long one. */
function networkOf(address: string): string {
  return normalizeIp(address).replace(/\.\d+$/, '');
}
