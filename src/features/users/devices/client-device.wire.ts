import type { ClientDevice } from './client-device.entity';

/** A device as its owner sees it; its events change the same keys. */
export interface ClientDeviceWire {
  readonly push_key_id: number | null;
  readonly push_token_id: string | null;
  /** Always null: tokens take effect at once, because no relay is asked. */
  readonly pending_push_token_id: null;
  readonly push_token_last_updated_timestamp: number | null;
  readonly push_registration_error_code: null;
}

/** The record of a device, which only its owner gets. */
export function clientDeviceWire(device: ClientDevice): ClientDeviceWire {
  return {
    push_key_id: device.pushKeyId,
    push_token_id: device.pushTokenId,
    pending_push_token_id: null,
    push_token_last_updated_timestamp: device.pushTokenUpdatedAt,
    push_registration_error_code: null,
  };
}
