import { type OutsideMessage, readTime } from './outside-message';
import { Transform } from 'class-transformer';
import { IsIn, IsNumber, IsString, Length, Matches, Max, MaxLength, Min } from 'class-validator';
import { ApiError, refusal } from '../../../platform/errors/api-error';

/** The result for a message from outside. */
export interface ReceivedMessage {
  readonly messageId: number;
  /** False if it was delivered before. */
  readonly isNew: boolean;
}

/** Request body for an answer to an outside sender. */
export interface AnswerWire {
  /** The same in retries, so that receivers can detect duplicates. */
  readonly id: string;
  /** Address of the outside sender. */
  readonly to: string;
  /** Format of the sender's messages. */
  readonly source: string;
  /** The operator's number that the sender wrote to, if the format includes it. */
  readonly via: string | null;
  /** Unrendered Markdown. */
  readonly text: string;
  /** Name of the author. */
  readonly sender_full_name: string;
  readonly message_id: number;
  /** UNIX seconds. */
  readonly timestamp: number;
}

/** An answer that was not posted, because no URL was configured. */
export interface MockLogEntryWire {
  readonly id: number;
  /** UNIX seconds. */
  readonly logged_at: number;
  readonly payload: AnswerWire;
}

/** Response to a delivery. */
export interface DeliveryWire {
  readonly messages: readonly {
    /** The message ID in the delivery. */
    readonly id: string;
    readonly message_id: number;
    /** Whether an earlier delivery posted it. */
    readonly is_duplicate: boolean;
  }[];
}

/** Builds the response to a delivery. @param received the results, in the order of the messages */
export function deliveryWire(
  messages: readonly OutsideMessage[],
  received: readonly ReceivedMessage[],
): DeliveryWire {
  return {
    messages: received.map(({ messageId, isNew }, at) => ({
      id: (messages[at] as OutsideMessage).externalId,
      message_id: messageId,
      is_duplicate: !isNew,
    })),
  };
}

/** Maximum length of sender addresses and message IDs, in characters. */
export const MAX_NAME_LENGTH = 256;

/** Printable text that is not blank, so that it can be stored and searched for. */
export const NAME = /^(?=.*\S)[^\p{Cc}\p{Cs}]+$/u;

const NOT_PRINTABLE = '$property must be printable, and not blank';

const LAST_TIME = 8_640_000_000_000;

const asText = ({ value }: { value: unknown }): unknown =>
  Number.isSafeInteger(value) ? String(value) : value;

const trimmed = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' ? value.trim() : value;

/** A message from outside in the plain format. The lowest decorator of a field is checked first. */
export class FormDeliveryDto {
  /** Identifies the sender, such as a telephone number. */
  @Transform(trimmed)
  @Matches(NAME, { message: NOT_PRINTABLE })
  @Length(1, MAX_NAME_LENGTH)
  @IsString()
  from!: string;

  /** Text of the message, in Markdown. */
  @Matches(/\S/, { message: '$property must not be blank' })
  @IsString()
  text!: string;

  /** Identifies the message. An integer is equivalent to its digits as text. */
  @Transform(asText)
  @Matches(NAME, { message: NOT_PRINTABLE })
  @Length(1, MAX_NAME_LENGTH)
  @IsString()
  id!: string;

  /** Seconds or milliseconds since 1970, as a number or in digits, or an ISO 8601 time. */
  @Transform(({ value }) => readTime(value) ?? (value as unknown))
  @Max(LAST_TIME)
  @Min(0)
  @IsNumber({}, { message: '$property must be seconds or milliseconds since 1970, or a time of ISO 8601' })
  timestamp!: number;
}

/** Parameters of the handshake with which a provider verifies the webhook. */
export class HandshakeDto {
  /** The requested action. */
  @IsIn(['subscribe'])
  'hub.mode'!: 'subscribe';

  /** `WEBHOOK_VERIFY_TOKEN` of the server. */
  @IsString()
  'hub.verify_token'!: string;

  /** Echoed in the response, so it must not contain anything that a browser could interpret as markup. */
  @MaxLength(MAX_NAME_LENGTH)
  @Matches(/^[A-Za-z0-9 .,:;!?$()[\]{}*+/=@^_~|-]+$/, {
    message: '$property must be ASCII letters, digits and characters that mean nothing in HTML',
  })
  @IsString()
  'hub.challenge'!: string;
}

/** The header with the shared secret is missing or wrong, or the server has no secret. */
export class WebhookSecretRefused extends refusal('X-Webhook-Secret is missing or wrong', {
  code: 'UNAUTHORIZED',
  status: 401,
  headers: { 'www-authenticate': 'WebhookSecret' },
}) {}

/** The provider's own signature is missing or wrong. */
export class WebhookSignatureRefused extends refusal('X-Hub-Signature-256 is missing or wrong', {
  code: 'UNAUTHORIZED',
  status: 401,
  headers: { 'www-authenticate': 'WebhookSignature' },
}) {}

/** The handshake has a different token, or the server has none. */
export class VerifyTokenRefused extends refusal('hub.verify_token is missing or wrong', {
  code: 'FORBIDDEN',
  status: 403,
}) {}

/** Messages cannot be posted right now; the provider should retry later. */
export class BridgeChannelUnusable extends ApiError {
  constructor(reason: string) {
    super(`Cannot accept messages: ${reason}`, {
      code: 'CHANNEL_UNUSABLE',
      status: 503,
      headers: { 'retry-after': '300' },
    });
  }
}
