import { refusal } from '../../../platform/errors/api-error';
import { json } from '../../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';
import type { PushSubscription } from './push-subscription.entity';

/** Maximum length of a push service's URL. */
const MAX_ENDPOINT = 2_000;

/** The end of the year 9999, in UNIX seconds. */
const MAX_TIME = 253_402_300_799;

/** A browser that is notified, as sent to its owner. */
export interface PushSubscriptionWire {
  readonly id: number;
  /** Host of the push service, such as `fcm.googleapis.com`. */
  readonly service: string;
  /** UNIX seconds. */
  readonly created_at: number;
  /** Whether it belongs to the caller's session. */
  readonly is_current: boolean;
  /** UNIX seconds until which it is muted; null if it is not. */
  readonly quiet_until: number | null;
}

/** The caller's subscriptions, and the key for new ones. */
export interface WebPushWire {
  /** Public key of this server: `applicationServerKey` in browsers. */
  readonly public_key: string;
  readonly subscriptions: readonly PushSubscriptionWire[];
}

/** The result of a test. */
export interface PushTestWire {
  /** `gone` means that the push service has ended the subscription, which is then deleted. */
  readonly outcome: 'delivered' | 'gone' | 'failed';
  /** Why it failed; null otherwise. */
  readonly reason: string | null;
}

/** Parameters of `POST /web_push/subscriptions`: a `PushSubscription` of a browser. */
export class PushSubscriptionDto {
  /** URL of the push service for this browser. */
  @Parameter(text({ maxLength: MAX_ENDPOINT })) endpoint!: string;
  /** Public key of the browser, in Base64. */
  @Parameter(text({ maxLength: 200 })) p256dh!: string;
  /** Authentication secret of the browser, in Base64. */
  @Parameter(text({ maxLength: 100 })) auth!: string;
  /** UNIX seconds until which it is muted; unchanged if omitted. */
  @Parameter(json.integer({ min: 0, max: MAX_TIME }), { optional: true }) quiet_until?: number;
}

/** Identifies a subscription. */
export class PushSubscriptionIdDto {
  /** ID of the subscription. */
  @PathParameter() subscription_id!: number;
}

/** Parameters of `PATCH /web_push/subscriptions/{subscription_id}`. */
export class QuietPushDto extends PushSubscriptionIdDto {
  /** UNIX seconds until which the browser is muted; 0 to unmute it. */
  @Parameter(json.integer({ min: 0, max: MAX_TIME })) quiet_until!: number;
}

/** Converts a subscription for the session. */
export function pushSubscriptionWire(
  { id, endpoint, createdAt, sessionTokenId, quietUntil }: PushSubscription,
  sessionId: string | null,
  now: number,
): PushSubscriptionWire {
  return {
    id,
    service: new URL(endpoint).host,
    created_at: createdAt,
    is_current: sessionTokenId === sessionId,
    quiet_until: quietUntil > now ? quietUntil : null,
  };
}

/** The caller has an API key instead of a session. */
export class NeedsBrowserSession extends refusal(
  'Push notifications of browsers require a browser session.',
) {}

/** Push messages cannot be sent to this endpoint. */
export class InvalidPushEndpoint extends refusal('Invalid endpoint. It must be an https URL.') {}

/** The keys are not valid browser keys. */
export class InvalidPushKeys extends refusal('Invalid keys of the subscription.') {}

/** The caller has no such subscription. */
export class NoSuchPushSubscription extends refusal('Invalid subscription ID') {}

/** The server was restored from a backup, and must not contact other servers yet. */
export class PushHeldBack extends refusal(
  'This server was restored from a backup and does not send anything until an administrator lifts the quarantine.',
) {}
