import { Transform } from 'class-transformer';
import { IsIn, IsNumber, IsString, Length, Matches, Max, MaxLength, Min } from 'class-validator';
import { readTime } from './delivered-values';

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
