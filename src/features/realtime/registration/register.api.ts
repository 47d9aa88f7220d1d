import { ADVERTISED_VERSION, FEATURE_LEVEL } from '../../../platform/version';
import { BEFORE_FIRST_EVENT } from '../queues/live-queue';
import { integerOrWord } from '../../../platform/http/parameters/further-types';
import { json } from '../../../platform/http/parameters/json';
import { Parameter } from '../../../platform/http/parameters/parameter.decorator';
import { oneOf } from '../../../platform/http/parameters/text';
import type { QueueRequest } from './queue-options.service';

/** A client's request to register. */
export interface RegisterRequest extends QueueRequest {
  /** Types of events whose current state to return; null for all. */
  readonly fetchTypes: readonly string[] | null;
  readonly includeSubscribers: boolean | 'partial';
  /** How far back presence goes, in days; null for unlimited. */
  readonly presenceHistoryDays: number | null;
  /** How long it may stay away: seconds, a word, or null for the default. */
  readonly idleTimeout: number | string | null;
}

/** The response to registration. */
export interface RegistrationWire {
  readonly zulip_version: string;
  readonly zulip_merge_base: string;
  readonly zulip_feature_level: number;
  /** Null for a client without an account. */
  readonly queue_id: string | null;
  readonly last_event_id?: number;
  readonly idle_queue_timeout_secs?: number;
  readonly [state: string]: unknown;
}

/** Builds the response: the state, and the queue if there is one. */
export function registrationWire(
  state: Readonly<Record<string, unknown>>,
  queue: { readonly id: string; readonly idleTimeoutMs: number } | null,
): RegistrationWire {
  return {
    ...state,
    zulip_version: ADVERTISED_VERSION,
    zulip_merge_base: ADVERTISED_VERSION,
    zulip_feature_level: FEATURE_LEVEL,
    ...(queue === null
      ? { queue_id: null }
      : {
          queue_id: queue.id,
          last_event_id: BEFORE_FIRST_EVENT,
          idle_queue_timeout_secs: queue.idleTimeoutMs / 1000,
        }),
  };
}

const optional = { optional: true } as const;
const capability = json.boolean(optional);

/** Accepts unknown names, because clients list types of other server versions. */
const typeNames = json.nullable(json.array(json.text({ maxLength: 100 }), { maxItems: 500 }));

/** Parameters of `POST /register`. */
export class RegisterDto {
  /** Whether message content in events is HTML rather than Markdown. */
  @Parameter(json.boolean(), { default: false }) apply_markdown!: boolean;
  /** Whether the client computes Gravatar URLs itself. */
  @Parameter(json.nullable(json.boolean()), { default: null, example: true }) client_gravatar!:
    boolean | null;
  /** Whether presence uses IDs instead of addresses. */
  @Parameter(json.boolean(), { default: false }) slim_presence!: boolean;
  /** Number of days after which people who were not seen are left out of presence. */
  @Parameter(json.integer({ min: 0 }), optional) presence_history_limit_days?: number;
  /** Whether the queue receives messages of all public channels, subscribed or not. */
  @Parameter(json.boolean(), optional) all_public_streams?: boolean;
  /** Whether to list the IDs of all, no, or some subscribers. */
  @Parameter(oneOf(['true', 'false', 'partial']), { default: 'false' })
  include_subscribers!: 'true' | 'false' | 'partial';
  /** Newer forms of responses and events that the client supports. */
  @Parameter(
    json.object({
      notification_settings_null: json.boolean(),
      bulk_message_deletion: capability,
      user_avatar_url_field_optional: capability,
      stream_typing_notifications: capability,
      user_settings_object: capability,
      linkifier_url_template: capability,
      user_list_incomplete: capability,
      include_deactivated_groups: capability,
      archived_channels: capability,
      empty_topic_name: capability,
      simplified_presence_events: capability,
      individual_emoji_changes: capability,
    }),
    { ...optional, example: { notification_settings_null: true, bulk_message_deletion: true } },
  )
  client_capabilities?: Readonly<Record<string, boolean>>;
  /** Types of events that the queue receives; null for all. */
  @Parameter(typeNames, { default: null, example: ['message', 'realm_user'] }) event_types!: string[] | null;
  /** Types of state in the response; null for those of `event_types`. */
  @Parameter(typeNames, { default: null, example: ['realm_user'] }) fetch_event_types!: string[] | null;
  /** Which messages the queue receives, as pairs that all have to match. */
  @Parameter(json.array(json.array(json.text({ unchecked: true })), { maxItems: 100 }), {
    default: [],
    example: [['channel', 'general']],
  })
  narrow!: string[][];
  /** Seconds that the queue outlives its client; 0 for the default. */
  @Parameter(json.integer({ min: 0 }), { default: 0 }) queue_lifespan_secs!: number;
  /** Like `queue_lifespan_secs`, at least 1, or `mobile` for 12 hours; takes precedence. */
  @Parameter(integerOrWord(['mobile']), { ...optional, example: 600 }) idle_queue_timeout?: number | string;
}

/** The client's request; capabilities that it does not name are off. */
export function toRegisterRequest(dto: RegisterDto): RegisterRequest {
  const capabilities = Object.entries(dto.client_capabilities ?? {});
  return {
    eventTypes: dto.event_types,
    fetchTypes: dto.fetch_event_types ?? dto.event_types,
    narrow: dto.narrow,
    allPublicChannels: dto.all_public_streams,
    applyMarkdown: dto.apply_markdown,
    clientGravatar: dto.client_gravatar,
    slimPresence: dto.slim_presence,
    presenceHistoryDays: dto.presence_history_limit_days ?? null,
    includeSubscribers:
      dto.include_subscribers === 'partial' ? 'partial' : dto.include_subscribers === 'true',
    capabilities: capabilities.flatMap(([name, isDeclared]) => (isDeclared ? [name] : [])),
    idleTimeout: dto.idle_queue_timeout ?? (dto.queue_lifespan_secs || null),
  };
}
