import { json } from '../../../platform/http/parameters/json';
import { Parameter } from '../../../platform/http/parameters/parameter.decorator';
import { oneOf, text } from '../../../platform/http/parameters/text';

/** A token of Google's or of Apple's push service. */
export class PushTokenDto {
  /** What the push service calls the device. */
  @Parameter(text()) token!: string;
}

/** The same with the name of the app it was given to, as Apple needs. */
export class AppleTokenDto {
  /** Name of the app. */
  @Parameter(text({ maxLength: 255 })) appid!: string;
  /** What the push service calls the device. */
  @Parameter(text()) token!: string;
}

/** Parameters of `POST /remove_client_device`. */
export class DeviceIdDto {
  /** ID of the device. */
  @Parameter(json.integer()) device_id!: number;
}

/** Parameters of `POST /mobile_push/register`: all of the key, all of the token, or both. */
export class RegisterPushDto extends DeviceIdDto {
  /** Push service of the device: Apple's or Google's. */
  @Parameter(oneOf(['apns', 'fcm']), { optional: true }) token_kind?: 'apns' | 'fcm';
  /** Key with which notifications are to be encrypted, in Base64. */
  @Parameter(text({ maxLength: 1000 }), { optional: true }) push_key?: string;
  /** Number by which the client knows the key. */
  @Parameter(json.integer({ min: 0, max: 0xffff_ffff }), { optional: true }) push_key_id?: number;
  /** Public key for which the registration was sealed. */
  @Parameter(text({ maxLength: 1000 }), { optional: true }) bouncer_public_key?: string;
  /** The registration, sealed for the relay of notifications. */
  @Parameter(text({ maxLength: 20_000 }), { optional: true }) encrypted_push_registration?: string;
  /** Tells the token apart from others. */
  @Parameter(text({ maxLength: 100 }), { optional: true }) token_id?: string;
}
