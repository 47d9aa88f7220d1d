import type { ClientDevice } from './devices.entity';
import { json } from '../../../platform/http/parameters/json';
import { Parameter } from '../../../platform/http/parameters/parameter.decorator';
import { oneOf, text } from '../../../platform/http/parameters/text';
import { defineEvent } from '../../../platform/events/server-event';
import { ApiError, refusal } from '../../../platform/errors/api-error';

/** A device as sent to its owner; events contain the changed keys. */
export interface ClientDeviceWire {
  readonly push_key_id: number | null;
  readonly push_token_id: string | null;
  /** Always null: tokens take effect immediately, because no relay is involved. */
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

/** A token issued by Google's or Apple's push service. */
export class PushTokenDto {
  /** Token issued by the push service. */
  @Parameter(text()) token!: string;
}

/** A token, with the app to which it was issued, as Apple requires. */
export class AppleTokenDto {
  /** Name of the app. */
  @Parameter(text({ maxLength: 255 })) appid!: string;
  /** Token issued by the push service. */
  @Parameter(text()) token!: string;
}

/** Parameters of `POST /remove_client_device`. */
export class DeviceIdDto {
  /** ID of the device. */
  @Parameter(json.integer()) device_id!: number;
}

/** Parameters of `POST /mobile_push/register`: all key parameters, all token parameters, or both. */
export class RegisterPushDto extends DeviceIdDto {
  /** Push service of the device: Apple's or Google's. */
  @Parameter(oneOf(['apns', 'fcm']), { optional: true }) token_kind?: 'apns' | 'fcm';
  /** Key for encrypting notifications, in Base64. */
  @Parameter(text({ maxLength: 1000 }), { optional: true }) push_key?: string;
  /** The client's number for the key. */
  @Parameter(json.integer({ min: 0, max: 0xffff_ffff }), { optional: true }) push_key_id?: number;
  /** Public key for which the registration is encrypted. */
  @Parameter(text({ maxLength: 1000 }), { optional: true }) bouncer_public_key?: string;
  /** The registration, encrypted for the notification relay. */
  @Parameter(text({ maxLength: 20_000 }), { optional: true }) encrypted_push_registration?: string;
  /** The client's ID for the token. */
  @Parameter(text({ maxLength: 100 }), { optional: true }) token_id?: string;
}

interface DevicePayload extends Partial<ClientDeviceWire> {
  readonly device_id: number;
}

/** One of the recipient's devices was registered. */
export const deviceAdded = defineEvent<{ device_id: number }>('device', 'add');

/** A device of the recipient changed. */
export const deviceUpdated = defineEvent<DevicePayload>('device', 'update');

/** A device of the recipient is no longer registered. */
export const deviceRemoved = defineEvent<{ device_id: number }>('device', 'remove');

/** A push token or key is malformed; the text says which. */
export class InvalidRegistration extends ApiError {}

/** The caller has not registered this token. */
export class NoSuchToken extends refusal('Token does not exist') {}

/** The caller has no such device. */
export class NoSuchDevice extends refusal('Invalid `device_id`') {}
