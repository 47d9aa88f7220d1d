import { json } from '../../../platform/http/parameters/json';
import { Parameter } from '../../../platform/http/parameters/parameter.decorator';
import { oneOf, text } from '../../../platform/http/parameters/text';

/** A token of Google's or of Apple's push service. */
export class PushTokenDto {
  @Parameter(text()) token!: string;
}

/** The same with the name of the app it was given to, as Apple needs. */
export class AppleTokenDto {
  @Parameter(text({ maxLength: 255 })) appid!: string;
  @Parameter(text()) token!: string;
}

export class DeviceIdDto {
  @Parameter(json.integer()) device_id!: number;
}

/** Parameters of `POST /mobile_push/register`: all of the key, all of the token, or both. */
export class RegisterPushDto extends DeviceIdDto {
  @Parameter(oneOf(['apns', 'fcm']), { optional: true }) token_kind?: 'apns' | 'fcm';
  @Parameter(text({ maxLength: 1000 }), { optional: true }) push_key?: string;
  @Parameter(json.integer({ min: 0, max: 0xffff_ffff }), { optional: true }) push_key_id?: number;
  @Parameter(text({ maxLength: 1000 }), { optional: true }) bouncer_public_key?: string;
  @Parameter(text({ maxLength: 20_000 }), { optional: true }) encrypted_push_registration?: string;
  @Parameter(text({ maxLength: 100 }), { optional: true }) token_id?: string;
}
