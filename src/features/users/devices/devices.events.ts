import { defineEvent } from '../../../platform/events/server-event';
import type { ClientDeviceWire } from './client-device.wire';

interface DevicePayload extends Partial<ClientDeviceWire> {
  readonly device_id: number;
}

/** One of the receiver's devices was registered. */
export const deviceAdded = defineEvent<{ device_id: number }>('device', 'add');

/** A device of the receiver changed. */
export const deviceUpdated = defineEvent<DevicePayload>('device', 'update');

/** A device of the receiver is no longer registered. */
export const deviceRemoved = defineEvent<{ device_id: number }>('device', 'remove');
