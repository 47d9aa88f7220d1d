import { isURL } from 'class-validator';
import { Role } from '../../platform/actor';
import { json } from '../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { text } from '../../platform/http/parameters/text';
import { ParameterProblem, type WireType } from '../../platform/http/parameters/wire-type';
import type { NewBot } from './create-bot.service';
import type { BotUpdate } from './update-bot.service';

const optional = { optional: true } as const;
const WEB_ADDRESS = { protocols: ['http', 'https'], require_protocol: true, require_tld: false };
const configData = () => json.record(json.text());

/** The address of a service, bare or as JSON, since clients send both. */
function url(): WireType<string> {
  const quoted = json.text({ maxLength: 2000 });
  return {
    jsonSchema: { type: 'string', format: 'uri' },
    decode(raw, at) {
      const address = raw.startsWith('"') ? quoted.decode(raw, at) : raw;
      if (!isURL(address, WEB_ADDRESS)) throw new ParameterProblem(`${at} is not a URL`);
      return address;
    },
  };
}

/** Where a bot posts and listens by default. The empty text stands for no channel. */
class BotDefaultsDto {
  @Parameter(text(), optional) default_sending_stream?: string;
  @Parameter(text(), optional) default_events_register_stream?: string;
  @Parameter(json.boolean(), optional) default_all_public_streams?: boolean;
}

/** Parameters of `POST /bots`. */
export class CreateBotDto extends BotDefaultsDto {
  @Parameter(text()) full_name!: string;
  @Parameter(text({ trim: true })) short_name!: string;
  @Parameter(json.integer(), { default: 1 }) bot_type!: number;
  @Parameter(url(), optional) payload_url?: string;
  @Parameter(text({ maxLength: 100 }), optional) service_name?: string;
  @Parameter(json.integer(), { default: 1 }) interface_type!: number;
  @Parameter(configData(), { default: {} }) config_data!: Record<string, string>;
}

/** Parameters of `PATCH /bots/{bot_id}`. */
export class UpdateBotDto extends BotDefaultsDto {
  @PathParameter() bot_id!: number;
  @Parameter(text(), optional) full_name?: string;
  @Parameter(text({ trim: true }), optional) short_name?: string;
  @Parameter(json.oneOf(Object.values(Role)), optional) role?: Role;
  @Parameter(json.integer(), optional) bot_owner_id?: number;
  @Parameter(url(), optional) service_payload_url?: string;
  @Parameter(json.integer(), { default: 1 }) service_interface!: number;
  @Parameter(configData(), optional) config_data?: Record<string, string>;
}

export class BotIdDto {
  @PathParameter() bot_id!: number;
}

/** Turns the parameters into the words used inside. */
export function toNewBot(dto: CreateBotDto): NewBot {
  return {
    fullName: dto.full_name,
    shortName: dto.short_name,
    botType: dto.bot_type,
    payloadUrl: dto.payload_url,
    serviceName: dto.service_name,
    interfaceType: dto.interface_type,
    config: dto.config_data,
    defaultSendingChannel: dto.default_sending_stream,
    defaultEventsChannel: dto.default_events_register_stream,
    defaultAllPublicChannels: dto.default_all_public_streams,
  };
}

/** Turns the parameters into the words used inside. */
export function toBotUpdate(dto: UpdateBotDto): BotUpdate {
  return {
    fullName: dto.full_name,
    shortName: dto.short_name,
    role: dto.role,
    ownerId: dto.bot_owner_id,
    payloadUrl: dto.service_payload_url,
    interfaceType: dto.service_interface,
    config: dto.config_data,
    defaultSendingChannel: dto.default_sending_stream,
    defaultEventsChannel: dto.default_events_register_stream,
    defaultAllPublicChannels: dto.default_all_public_streams,
  };
}
