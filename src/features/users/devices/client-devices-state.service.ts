import { Injectable } from '@nestjs/common';
import { InitialStateRegistry } from '../../../platform/client-state/initial-state.registry';
import { entityRows } from '../../../platform/database/entity-rows';
import type { Queryable } from '../../../platform/database/queryable';
import { ClientDevice } from './client-device.entity';
import { clientDeviceWire, type ClientDeviceWire } from './client-device.wire';

/** Tells clients that register on which devices their owner is signed in, by the devices' IDs. */
@Injectable()
export class ClientDevicesStateService {
  constructor(registry: InitialStateRegistry) {
    registry.register({
      fetchType: 'device',
      state: async (db, { reader }) => ({ devices: reader ? await devicesOf(db, reader.userId) : {} }),
    });
  }
}

async function devicesOf(db: Queryable, userId: number): Promise<Record<string, ClientDeviceWire>> {
  const devices = await entityRows(db, ClientDevice, 'WHERE user_id = ? ORDER BY id', [userId]);
  return Object.fromEntries(devices.map((device) => [device.id, clientDeviceWire(device)]));
}
