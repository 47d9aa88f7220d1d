import { isURL } from 'class-validator';
import { Role } from '../../../platform/actor';
import { ParameterProblem } from '../../../platform/errors/request.errors';
import { json } from '../../../platform/http/parameters/json';
import { listedNumber } from '../../../platform/http/parameters/further-types';
import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';
import type { WireType } from '../../../platform/http/parameters/json-type';
import { FULL_NAME_LENGTHS } from '../../users/users.module';
import type { NewBot } from './create-bot.service';
import type { BotUpdate } from './update-bot.service';

const optional = { optional: true } as const;
const WEB_ADDRESS = { protocols: ['http', 'https'], require_protocol: true, require_tld: false };
const configData = () => json.record(json.text());

/** The URL of a service, plain or as JSON, because clients send both. */
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

/** The default channels of a bot. The empty text means no channel. */
class BotDefaultsDto {
  /** Name of the channel in which the bot posts by default; empty for none. */
  @Parameter(text(), optional) default_sending_stream?: string;
  /** Name of the channel whose events the bot receives by default; empty for none. */
  @Parameter(text(), optional) default_events_register_stream?: string;
  /** Whether the bot receives events of all public channels by default. */
  @Parameter(json.boolean(), optional) default_all_public_streams?: boolean;
}

/** Parameters of `POST /bots`. */
export class CreateBotDto extends BotDefaultsDto {
  /** Full name. */
  @Parameter(text(), { checked: FULL_NAME_LENGTHS }) full_name!: string;
  /** First part of the bot's email address. */
  @Parameter(text({ trim: true }), { checked: { minLength: 1 } }) short_name!: string;
  /** 1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded. */
  @Parameter(json.integer(), { default: 1, checked: { enum: [1, 2, 3, 4] } }) bot_type!: number;
  /** URL that an outgoing webhook posts to. */
  @Parameter(url(), optional) payload_url?: string;
  /** Name of the service behind the bot; `short_name` if omitted. */
  @Parameter(text({ maxLength: 100 }), optional) service_name?: string;
  /** Format of the payload: 1 Zulip's, 2 Slack's. */
  @Parameter(json.integer(), { default: 1, checked: { enum: [1, 2] } }) interface_type!: number;
  /** Configuration of the bot, which it can read. */
  @Parameter(configData(), { default: {}, example: { city: 'Rome' } }) config_data!: Record<string, string>;
}

/** Parameters of `PATCH /bots/{bot_id}`. */
export class UpdateBotDto extends BotDefaultsDto {
  /** ID of the bot. */
  @PathParameter() bot_id!: number;
  /** Full name. */
  @Parameter(text(), { ...optional, checked: FULL_NAME_LENGTHS }) full_name?: string;
  /** First part of the bot's email address. */
  @Parameter(text({ trim: true }), optional) short_name?: string;
  /** Role, by its number. */
  @Parameter(listedNumber(Object.values(Role)), optional) role?: Role;
  /** ID of the new owner of the bot. */
  @Parameter(json.integer(), optional) bot_owner_id?: number;
  /** URL that an outgoing webhook posts to. */
  @Parameter(url(), optional) service_payload_url?: string;
  /** Format of the payload: 1 Zulip's, 2 Slack's. */
  @Parameter(json.integer(), { default: 1, checked: { enum: [1, 2] } }) service_interface!: number;
  /** Configuration of the bot, which it can read. */
  @Parameter(configData(), { ...optional, example: { city: 'Rome' } }) config_data?: Record<string, string>;
}

/** The bot in the path. */
export class BotIdDto {
  /** ID of the bot. */
  @PathParameter() bot_id!: number;
}

/** Converts the parameters to a new bot. */
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

/** Converts the parameters to an update. */
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
