import { type OutsideMessage, readTime } from './outside-message';
import { Transform } from 'class-transformer';
import { IsIn, IsNumber, IsString, Length, Matches, Max, MaxLength, Min } from 'class-validator';
import { ApiError, refusal } from '../../../platform/errors/api-error';

/** The result for a message from outside. */
export interface ReceivedMessage {
  readonly messageId: number;
  /** False if it had been delivered before. */
  readonly isNew: boolean;
}

/** An answer to a person outside, as it is posted. */
export interface AnswerWire {
  /** Stays the same if the answer is posted twice. */
  readonly id: string;
  /** The address from which the messages of the conversation came. */
  readonly to: string;
  /** The format in which they came. */
  readonly source: string;
  /** The operator's number that was written to, if the format includes it. */
  readonly via: string | null;
  /** Markdown, as it was written. */
  readonly text: string;
  /** Name of the person who wrote it. */
  readonly sender_full_name: string;
  readonly message_id: number;
  /** UNIX seconds. */
  readonly timestamp: number;
}

/** An answer for which no address was configured. */
export interface MockLogEntryWire {
  readonly id: number;
  /** UNIX seconds. */
  readonly logged_at: number;
  readonly payload: AnswerWire;
}

/** The answer to a delivery. */
export interface DeliveryWire {
  readonly messages: readonly {
    /** As the delivery named it. */
    readonly id: string;
    readonly message_id: number;
    /** Whether an earlier delivery posted it. */
    readonly is_duplicate: boolean;
  }[];
}

/** @param received the results for the messages, in their order */
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

/** Longest address and ID of a message, in characters. */
export const MAX_NAME_LENGTH = 256;

/** Printable, so that they can be stored and searched for, and not blank. */
export const NAME = /^(?=.*\S)[^\p{Cc}\p{Cs}]+$/u;

const NOT_PRINTABLE = '$property must be printable, and not blank';

const LAST_TIME = 8_640_000_000_000;

const asText = ({ value }: { value: unknown }): unknown =>
  Number.isSafeInteger(value) ? String(value) : value;

const trimmed = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' ? value.trim() : value;

/** A message from outside in the plain format. Of several checks on a field, the lowest comes first. */
export class FormDeliveryDto {
  /** Tells senders apart, such as a telephone number. */
  @Transform(trimmed)
  @Matches(NAME, { message: NOT_PRINTABLE })
  @Length(1, MAX_NAME_LENGTH)
  @IsString()
  from!: string;

  /** What the message says, in Markdown. */
  @Matches(/\S/, { message: '$property must not be blank' })
  @IsString()
  text!: string;

  /** Tells messages apart. A whole number means the same as its digits. */
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

/** The handshake by which a provider makes sure that the webhook is meant for it. */
export class HandshakeDto {
  /** What the provider wants to do. */
  @IsIn(['subscribe'])
  'hub.mode'!: 'subscribe';

  /** `WEBHOOK_VERIFY_TOKEN` of the server. */
  @IsString()
  'hub.verify_token'!: string;

  /** Repeated in the answer, so it must be nothing that a browser could take for more than text. */
  @MaxLength(MAX_NAME_LENGTH)
  @Matches(/^[A-Za-z0-9 .,:;!?$()[\]{}*+/=@^_~|-]+$/, {
    message: '$property must be ASCII letters, digits and characters that mean nothing in HTML',
  })
  @IsString()
  'hub.challenge'!: string;
}

/** The header with the shared secret is missing or wrong, or this server has no such secret. */
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

/** The handshake names another token, or this server has none. */
export class VerifyTokenRefused extends refusal('hub.verify_token is missing or wrong', {
  code: 'FORBIDDEN',
  status: 403,
}) {}

/** Messages cannot be posted anywhere just now; the provider should try again later. */
export class BridgeChannelUnusable extends ApiError {
  constructor(reason: string) {
    super(`Cannot accept messages: ${reason}`, {
      code: 'CHANNEL_UNUSABLE',
      status: 503,
      headers: { 'retry-after': '300' },
    });
  }
}
