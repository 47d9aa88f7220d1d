import { idList } from '../../../platform/http/parameters/further-types';
import { json } from '../../../platform/http/parameters/json';
import { Parameter } from '../../../platform/http/parameters/parameter.decorator';
import { oneOf, text } from '../../../platform/http/parameters/text';
import type { Decoded } from '../../../platform/http/parameters/json-type';
import {
  ChannelOptionsDto,
  ChannelPathDto,
  InvalidColor,
  MAX_CHANNEL_DESCRIPTION_LENGTH,
  toChannelOptions,
} from '../store/channels.api';
import { DEFAULT_CHANNEL_OPTIONS } from '../store/channel-settings.service';
import type { WantedChannel } from '../creation/find-or-create-channels.service';
import type { SubscriberDetail } from './subscription-records.service';
import {
  BOOLEAN_COLUMNS,
  checkSettingChange,
  isColor,
  parseSettingValue,
  type SettingChange,
} from './personal-settings';
import type { SubscribeRequest, UnsubscribeRequest } from './subscribe.service';

/** The service validates names, because forbidden characters have their own error. */
const channelName = json.text({ unchecked: true });

/** Channels in one request; creating each blocks all other writes for a moment. */
const MAX_CHANNELS = 500;

/** Names and descriptions may be long, and clients may encode a letter as six characters. */
const MANY_CHANNELS = { maxItems: MAX_CHANNELS, maxCharacters: 1_048_576 };

/** Maximum number of people in one request, by their addresses. */
const MAX_ADDRESSES = 20_000;

/** Maximum number of settings in one request. */
const MAX_SETTINGS = 1_000;

const wantedChannels = json.array(
  json.object(
    {
      name: channelName,
      color: json.text({ optional: true }),
      description: json.text({ maxLength: MAX_CHANNEL_DESCRIPTION_LENGTH, optional: true }),
    },
    {
      notAnObject: (at) =>
        `Invalid ${at}: Input should be a valid dictionary or instance of AddSubscriptionData`,
    },
  ),
  MANY_CHANNELS,
);

const principals = json.union({
  'list[str]': json.array(json.text(), { maxItems: MAX_ADDRESSES, maxCharacters: 1_048_576 }),
  'list[int]': idList(),
});

/** Parameters of `POST /users/me/subscriptions`. */
export class SubscribeDto extends ChannelOptionsDto {
  /** The channels. Missing ones are created with the settings in the other parameters. */
  @Parameter(wantedChannels, {
    example: [{ name: 'general' }, { name: 'lunch', description: 'Where to eat' }],
  })
  subscriptions!: Decoded<typeof wantedChannels>;
  /** Whether new channels are announced. */
  @Parameter(json.boolean(), { default: false }) announce!: boolean;
  /** IDs or addresses of the accounts to subscribe; by default, the caller. */
  @Parameter(principals, { default: [], example: [8, 9] }) principals!: Decoded<typeof principals>;
  /** Whether one inaccessible channel fails the whole request. */
  @Parameter(json.boolean(), { default: true }) authorization_errors_fatal!: boolean;
  /** Whether people who were subscribed by another person get a message about it. */
  @Parameter(json.boolean(), { default: true }) send_new_subscription_messages!: boolean;
}

/** @throws InvalidColor, BadRetention */
export function toSubscribeRequest(dto: SubscribeDto): SubscribeRequest {
  return {
    channels: withColors(dto.subscriptions, 'subscriptions'),
    options: toChannelOptions(dto),
    principals: dto.principals,
    announce: dto.announce,
    isAuthorizationFatal: dto.authorization_errors_fatal,
    sendMessages: dto.send_new_subscription_messages,
  };
}

/** Parameters of `DELETE /users/me/subscriptions`. */
export class UnsubscribeDto {
  /** Names of the channels. */
  @Parameter(json.array(channelName, MANY_CHANNELS), { example: ['general', 'lunch'] })
  subscriptions!: string[];
  /** IDs or addresses of the accounts to unsubscribe; by default, the caller. */
  @Parameter(principals, { default: [], example: [8, 9] }) principals!: Decoded<typeof principals>;
}

/** Users to unsubscribe, and from which channels. */
export function toUnsubscribeRequest(dto: UnsubscribeDto): UnsubscribeRequest {
  return { names: dto.subscriptions, principals: dto.principals };
}

/** Parameters of `PATCH /users/me/subscriptions`: which channels to join and to leave. */
export class UpdateSubscriptionsDto {
  /** Names of the channels to leave. */
  @Parameter(json.array(channelName, MANY_CHANNELS), { default: [], example: ['general'] })
  delete!: string[];
  /** The channels to subscribe to. */
  @Parameter(wantedChannels, { default: [], example: [{ name: 'lunch' }] }) add!: Decoded<
    typeof wantedChannels
  >;
  /** IDs or addresses of the accounts to subscribe and unsubscribe; by default, the caller. */
  @Parameter(principals, { default: [], example: [8, 9] }) principals!: Decoded<typeof principals>;
}

/** @throws InvalidColor */
export function toAddition(dto: UpdateSubscriptionsDto): SubscribeRequest {
  return {
    channels: withColors(dto.add, 'add'),
    options: DEFAULT_CHANNEL_OPTIONS,
    principals: dto.principals,
    announce: false,
    isAuthorizationFatal: true,
    sendMessages: true,
  };
}

/** The channels to leave, after the others were joined. */
export function toRemoval(dto: UpdateSubscriptionsDto): UnsubscribeRequest {
  return { names: dto.delete, principals: dto.principals };
}

function withColors(channels: Decoded<typeof wantedChannels>, parameter: string): WantedChannel[] {
  channels.forEach(({ color }, index) => {
    if (color !== undefined && !isColor(color)) {
      throw new InvalidColor(`Invalid ${parameter}[${index}]: Value error, add.`);
    }
  });
  return channels;
}

const DETAILS: Readonly<Record<string, SubscriberDetail>> = {
  false: 'none',
  true: 'all',
  partial: 'partial',
};

/** Parameters of `GET /users/me/subscriptions`. */
export class ListSubscriptionsDto {
  /** Whether to list the IDs of all, no, or some subscribers. */
  @Parameter(oneOf(['false', 'true', 'partial']), { default: 'false' })
  include_subscribers!: 'false' | 'true' | 'partial';
}

/** Which subscribers each record lists. */
export function toDetail(dto: ListSubscriptionsDto): SubscriberDetail {
  return DETAILS[dto.include_subscribers] ?? 'none';
}

/** Parameters of `PATCH /users/me/subscriptions/{stream_id}`. */
export class UpdateSubscriptionSettingDto extends ChannelPathDto {
  /** Name of the setting, such as `is_muted` or `color`. */
  @Parameter(text(), { checked: { enum: ['color', ...Object.keys(BOOLEAN_COLUMNS)] } }) property!: string;
  /** Its value, as JSON or plain text. */
  @Parameter(text()) value!: string;
}

/** @throws UnknownSubscriptionProperty, PropertyNotBoolean, InvalidColor */
export function toSettingChanges(dto: UpdateSubscriptionSettingDto): SettingChange[] {
  const value = parseSettingValue(dto.value);
  return [checkSettingChange(dto.stream_id, dto.property, value, new InvalidColor())];
}

const settingData = json.array(
  json.object({
    stream_id: json.integer(),
    property: json.text(),
    value: json.union({ bool: json.boolean(), str: json.text() }),
  }),
  { maxItems: MAX_SETTINGS, maxCharacters: 131_072 },
);

/** Parameters of `POST /users/me/subscriptions/properties`. */
export class UpdateSubscriptionSettingsDto {
  /** Settings, each with the channel that it is for. */
  @Parameter(settingData, { example: [{ stream_id: 11, property: 'is_muted', value: true }] })
  subscription_data!: Decoded<typeof settingData>;
}

/** @throws UnknownSubscriptionProperty, PropertyNotBoolean, InvalidColor */
export function toBulkSettingChanges(dto: UpdateSubscriptionSettingsDto): SettingChange[] {
  return dto.subscription_data.map(({ stream_id, property, value }, index) =>
    checkSettingChange(
      stream_id,
      property,
      value,
      new InvalidColor(`Invalid subscription_data[${index}]: Value error, `),
    ),
  );
}
