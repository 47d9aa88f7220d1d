import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import {
  clientDeviceWire,
  type ClientDeviceWire,
  deviceAdded,
  deviceRemoved,
  deviceUpdated,
  InvalidRegistration,
  NoSuchDevice,
  NoSuchToken,
} from './devices.api';
import { ClientDevice, PushRegistration } from './devices.entity';
import type { Actor } from '../../../platform/actor';
import { initialState, stateFor } from '../../../platform/client-state/initial-state.hooks';
import { Clock } from '../../../platform/clock';
import { type Transaction, TransactionService } from '../../../platform/database/transaction.service';
import { Audience } from '../../../platform/events/audience';
import { Hooks } from '../../../platform/hooks/hooks';
import { entityRows } from '../../../platform/sql/entity-rows';
import type { Queryable } from '../../../platform/sql/queryable';

type TokenKind = PushRegistration['kind'];

const MAX_LENGTH = 4096;

/** People have few devices; only the newest tokens are compared. */
const TOKENS_COMPARED = 100;

/** Tokens of apps that receive notifications without end-to-end encryption. */
@Injectable()
export class PushTokenService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly clock: Clock,
  ) {}

  /** Registers a token, or renews its registration. @param appId for Apple only. @throws InvalidRegistration */
  async add(actor: Actor, kind: TokenKind, token: string, appId: string | null = null): Promise<void> {
    if (appId !== null && !/^[.a-zA-Z0-9-]+$/.test(appId)) {
      throw new InvalidRegistration('appid has invalid format');
    }
    checkToken(kind, token);
    await this.transactions.run(async (tx) => {
      await tx.query(
        `INSERT INTO push_registration (user_id, kind, token, app_id, created_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (user_id, kind, token) DO UPDATE
         SET app_id = excluded.app_id, created_at = excluded.created_at`,
        [actor.userId, kind, token, appId, this.clock.nowSeconds()],
      );
    });
  }

  /** @throws InvalidRegistration, NoSuchToken */
  async remove(actor: Actor, kind: TokenKind, token: string): Promise<void> {
    checkToken(kind, token);
    await this.transactions.run(async (tx) => {
      const { affected } = await tx
        .repository(PushRegistration)
        .delete({ userId: actor.userId, kind, token });
      if (affected === 0) throw new NoSuchToken();
    });
  }

  /** Removes a person's registration of a token, if any. @param tokenId as derived from the token by clients */
  async removeById(tx: Transaction, userId: number, kind: TokenKind, tokenId: string): Promise<void> {
    const own = await tx.query<Pick<PushRegistration, 'id' | 'token'>>(
      `SELECT id, token FROM push_registration WHERE user_id = ? AND kind = ?
       ORDER BY created_at DESC, id DESC LIMIT ?`,
      [userId, kind, TOKENS_COMPARED],
    );
    const same = own.filter(({ token }) => idOf(token) === tokenId).map(({ id }) => id);
    if (same.length > 0) await tx.repository(PushRegistration).delete({ id: In(same) });
  }

  /** Removes all of a person's registrations. */
  async removeAll(tx: Transaction, userId: number): Promise<void> {
    await tx.repository(PushRegistration).delete({ userId });
  }
}

/** The clients' ID for a token: a prefix of its hash. */
function idOf(token: string): string {
  return createHash('sha256').update(token).digest().subarray(0, 8).toString('base64');
}

function checkToken(kind: TokenKind, token: string): void {
  if (token === '' || token.length > MAX_LENGTH) {
    throw new InvalidRegistration('Empty or invalid length token');
  }
  // Hexadecimal, as written by Apple's clients.
  if (kind === 'apns' && !/^(?:[0-9a-f]{2})+$/i.test(token))
    throw new InvalidRegistration('Invalid APNS token');
}

/** The key for encrypting a device's notifications, in Base64. */
export interface PushKey {
  readonly id: number;
  readonly key: string;
}

/** A device's token issued by Apple or Google, encrypted for the relay. */
export interface SealedToken {
  readonly id: string;
  readonly kind: 'apns' | 'fcm';
  readonly relayPublicKey: string;
  readonly sealedRegistration: string;
}

/** The prefix of keys of the only supported cryptosystem: symmetric encryption with a 32-byte key. */
const SECRET_BOX = 0x31;

/**
 * Devices on which people are signed in, and their registrations for end-to-end-encrypted notifications. A registration
 * takes effect immediately, because there is no relay yet.
 */
@Injectable()
export class ClientDeviceService {
  constructor(
    private readonly transactions: TransactionService,
    private readonly clock: Clock,
    private readonly plain: PushTokenService,
    hooks: Hooks,
  ) {
    hooks.on(
      initialState,
      stateFor('device', async (db, { reader }) => ({
        devices: reader ? await devicesOf(db, reader.userId) : {},
      })),
    );
  }

  /** @returns the ID of the new device */
  add(actor: Actor): Promise<number> {
    return this.transactions.run(async (tx) => {
      const { id } = await tx.queryOne<{ id: number }>(
        'INSERT INTO client_device (user_id) VALUES (?) RETURNING id',
        [actor.userId],
      );
      tx.emit(deviceAdded({ device_id: id }), Audience.of([actor.userId]));
      return id;
    });
  }

  /** @throws NoSuchDevice */
  async remove(actor: Actor, deviceId: number): Promise<void> {
    await this.transactions.run(async (tx) => {
      const device = await load(tx, actor, deviceId);
      await tx.repository(ClientDevice).delete({ id: device.id });
      tx.emit(deviceRemoved({ device_id: device.id }), Audience.of([actor.userId]));
    });
  }

  /**
   * Registers a device, or replaces its key or its token. The first time, both are required. Deletes a plain
   * registration of the same token, or the device would receive each notification twice.
   * @throws NoSuchDevice, InvalidRegistration
   */
  async register(actor: Actor, deviceId: number, key?: PushKey, token?: SealedToken): Promise<void> {
    await this.transactions.run(async (tx) => {
      const device = await load(tx, actor, deviceId);
      if (!key && !token) {
        throw new InvalidRegistration(
          'Missing parameters: must provide either all push key fields, all token fields, or both.',
        );
      }
      if (device.pushKeyId === null && !(key && token)) {
        throw new InvalidRegistration(`No push registration exists to rotate ${key ? 'key' : 'token'} for.`);
      }
      const changed = { ...(key && replaceKey(device, key)), ...(token && this.replaceToken(device, token)) };
      if (token) await this.plain.removeById(tx, actor.userId, token.kind, token.id);
      if (Object.keys(changed).length === 0) return;
      await tx.repository(ClientDevice).save(device);
      tx.emit(deviceUpdated({ device_id: device.id, ...changed }), Audience.of([actor.userId]));
    });
  }

  /** Removes all of a person's devices and their registrations. */
  async removeAll(tx: Transaction, userId: number): Promise<void> {
    const rows = await tx.query<{ id: number }>('DELETE FROM client_device WHERE user_id = ? RETURNING id', [
      userId,
    ]);
    for (const { id } of rows) tx.emit(deviceRemoved({ device_id: id }), Audience.of([userId]));
  }

  private replaceToken(device: ClientDevice, token: SealedToken): Partial<ClientDeviceWire> {
    if (decodeBase64(token.id)?.length !== 8) throw new InvalidRegistration('Invalid `token_id`');
    if (device.pushTokenId === token.id && device.pushTokenKind === token.kind) return {};
    device.pushTokenId = token.id;
    device.pushTokenKind = token.kind;
    device.relayPublicKey = token.relayPublicKey;
    device.sealedRegistration = token.sealedRegistration;
    device.pushTokenUpdatedAt = this.clock.nowSeconds();
    return {
      push_token_id: token.id,
      pending_push_token_id: null,
      push_token_last_updated_timestamp: device.pushTokenUpdatedAt,
      push_registration_error_code: null,
    };
  }
}

/** Devices by ID, for a client's initial state. */
async function devicesOf(db: Queryable, userId: number): Promise<Record<string, ClientDeviceWire>> {
  const devices = await entityRows(db, ClientDevice, 'WHERE user_id = ? ORDER BY id', [userId]);
  return Object.fromEntries(devices.map((device) => [device.id, clientDeviceWire(device)]));
}

function replaceKey(device: ClientDevice, { id, key }: PushKey): Partial<ClientDeviceWire> {
  const bytes = decodeBase64(key);
  if (bytes?.length !== 33 || bytes[0] !== SECRET_BOX) throw new InvalidRegistration('Invalid `push_key`');
  if (device.pushKeyId === id && device.pushKey === key) return {};
  device.pushKeyId = id;
  device.pushKey = key;
  return { push_key_id: id };
}

/** @throws NoSuchDevice, also for other people's devices */
async function load(tx: Transaction, actor: Actor, deviceId: number): Promise<ClientDevice> {
  const isPossible = deviceId > 0 && deviceId < 2 ** 31;
  const device = isPossible
    ? await tx.repository(ClientDevice).findOneBy({ id: deviceId, userId: actor.userId })
    : null;
  if (!device) throw new NoSuchDevice();
  return device;
}

function decodeBase64(text: string): Buffer | undefined {
  return /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)
    ? Buffer.from(text, 'base64')
    : undefined;
}
