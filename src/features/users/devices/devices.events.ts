import { defineEvent } from '../../../platform/events/server-event';
import type { ClientDeviceWire } from './client-device.wire';

interface DevicePayload extends Partial<ClientDeviceWire> {
  readonly device_id: number;
}

/** A device of one's own was registered. */
export const deviceAdded = defineEvent<{ device_id: number }>('device', 'add');

/** What is known about a device of one's own changed. */
export const deviceUpdated = defineEvent<DevicePayload>('device', 'update');

/** A device of one's own is no longer registered. */
export const deviceRemoved = defineEvent<{ device_id: number }>('device', 'remove');
