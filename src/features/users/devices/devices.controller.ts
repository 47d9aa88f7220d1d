import { Controller, Delete, Post } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { CurrentActor, HumansOnly, NotForNamedKeys } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { ClientDeviceService, type PushKey, PushTokenService, type SealedToken } from './devices.service';
import { AppleTokenDto, DeviceIdDto, PushTokenDto, RegisterPushDto } from './devices.api';

/** Registrations for notifications that are not end-to-end encrypted. */
@Controller('api/v1/users/me')
@HumansOnly()
@NotForNamedKeys()
export class PushTokensController {
  constructor(private readonly tokens: PushTokenService) {}

  /** Registers an Apple device for notifications. They are not sent yet. */
  @Post('apns_device_token')
  addApple(@CurrentActor() actor: Actor, @Parameters() dto: AppleTokenDto): Promise<void> {
    return this.tokens.add(actor, 'apns', dto.token, dto.appid);
  }

  /** Removes the registration of an Apple device. */
  @Delete('apns_device_token')
  removeApple(@CurrentActor() actor: Actor, @Parameters() dto: PushTokenDto): Promise<void> {
    return this.tokens.remove(actor, 'apns', dto.token);
  }

  /** Registers an Android device for notifications. They are not sent yet. */
  @Post('android_gcm_reg_id')
  addGoogle(@CurrentActor() actor: Actor, @Parameters() dto: PushTokenDto): Promise<void> {
    return this.tokens.add(actor, 'fcm', dto.token);
  }

  /** Removes the registration of an Android device. */
  @Delete('android_gcm_reg_id')
  removeGoogle(@CurrentActor() actor: Actor, @Parameters() dto: PushTokenDto): Promise<void> {
    return this.tokens.remove(actor, 'fcm', dto.token);
  }
}

/** Signed-in devices, and their registrations for end-to-end-encrypted notifications. */
@Controller('api/v1')
@HumansOnly()
@NotForNamedKeys()
export class ClientDevicesController {
  constructor(private readonly devices: ClientDeviceService) {}

  /** Registers a device of the caller. */
  @Post('register_client_device')
  async add(@CurrentActor() actor: Actor) {
    return { device_id: await this.devices.add(actor) };
  }

  /** Removes a device of the caller. */
  @Post('remove_client_device')
  remove(@CurrentActor() actor: Actor, @Parameters() dto: DeviceIdDto): Promise<void> {
    return this.devices.remove(actor, dto.device_id);
  }

  /** Registers a device for notifications. They are not sent yet. */
  @Post('mobile_push/register')
  register(@CurrentActor() actor: Actor, @Parameters() dto: RegisterPushDto): Promise<void> {
    return this.devices.register(actor, dto.device_id, toPushKey(dto), toSealedToken(dto));
  }
}

function toPushKey({ push_key: key, push_key_id: id }: RegisterPushDto): PushKey | undefined {
  return key === undefined || id === undefined ? undefined : { id, key };
}

function toSealedToken(dto: RegisterPushDto): SealedToken | undefined {
  const { token_id: id, token_kind: kind, bouncer_public_key: relayPublicKey } = dto;
  const sealedRegistration = dto.encrypted_push_registration;
  return id && kind && relayPublicKey && sealedRegistration
    ? { id, kind, relayPublicKey, sealedRegistration }
    : undefined;
}
