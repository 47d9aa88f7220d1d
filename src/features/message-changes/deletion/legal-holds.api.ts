import { IsInt, IsOptional, IsString, Length } from 'class-validator';
import { refusal } from '../../../platform/errors/api-error';

/** A hold: messages of a person or a channel must be kept. */
export interface HeldMessages {
  readonly id: number;
  readonly userId: number | null;
  readonly channelId: number | null;
  /** The reason, such as a case number. */
  readonly reason: string;
  /** UNIX seconds. */
  readonly since: number;
}

/** A hold as shown by commands. */
export interface HeldMessagesWire extends HeldMessages {
  /** Name of the person or channel. */
  readonly of: string;
}

/** Input of `hold add`: a person or a channel. */
export class AddHoldInput {
  /** Address or ID of the account. */
  @IsOptional() @IsString({ message: 'The user must be a text.' }) user?: string;
  /** Name of the channel. */
  @IsOptional() @IsString({ message: 'The channel must be a text.' }) channel?: string;
  @Length(1, 200, { message: 'The reason must have 1 to 200 characters.' }) reason!: string;
}

/** Input of `hold remove`. */
export class RemoveHoldInput {
  @IsInt({ message: 'The ID must be a number.' }) id!: number;
}

/** The message is on legal hold and cannot be deleted. */
export class MessageHeld extends refusal('This message is on legal hold, and cannot be deleted.') {}

/** The person is on legal hold and cannot be deleted, because the messages need the name. */
export class PersonHeld extends refusal('This person is on legal hold, and cannot be deleted.', {
  companion: { status: 409 },
}) {}
