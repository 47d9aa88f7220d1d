import type { ClientDevice } from './client-device.entity';

/** What its owner is told of a device; the keys are those that its events change. */
export interface ClientDeviceWire {
  readonly push_key_id: number | null;
  readonly push_token_id: string | null;
  /** Always null: tokens are in force at once, as no relay is asked. */
  readonly pending_push_token_id: null;
  readonly push_token_last_updated_timestamp: number | null;
  readonly push_registration_error_code: null;
}

/** The record of a device, which its owner alone is told of. */
export function clientDeviceWire(device: ClientDevice): ClientDeviceWire {
  return {
    push_key_id: device.pushKeyId,
    push_token_id: device.pushTokenId,
    pending_push_token_id: null,
    push_token_last_updated_timestamp: device.pushTokenUpdatedAt,
    push_registration_error_code: null,
  };
}
