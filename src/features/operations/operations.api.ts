import { IsBoolean, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';

/** Input of `backup`. */
export class BackupInput {
  /** Absolute path of the folder to be made. */
  @IsString({ message: 'The folder must be a text.' }) target!: string;
  @IsOptional() @IsBoolean({ message: 'withSecret must be true or false.' }) withSecret?: boolean;
}

/** Input of what a move asks of the server. */
export class MoveInput {
  /** Names the move, so that another one cannot end it. */
  @IsString({ message: 'The move must have a name.' }) move!: string;
}

/** Input of `module remove`. */
export class RemoveModuleInput {
  @IsString() name!: string;
}

/** Input of `quarantine lift`. */
export class LiftInput {
  @IsOptional() @IsBoolean({ message: 'drop must be true or false.' }) drop?: boolean;
}

/** What a restored server holds back. */
export interface QuarantineStatus {
  /** Completes the sentence "... because ..."; null where nothing is held back. */
  readonly reason: string | null;
  /** Mails, calls and answers that wait. */
  readonly held: number;
}

/** What became of that. */
export interface LiftedQuarantine {
  readonly sent: number;
  readonly dropped: number;
}

/** Input of `demo`. */
export class DemoInput {
  /** The number of messages to create; everything else follows from it. */
  @IsInt({ message: 'The size must be a whole number.' })
  @Min(10, { message: 'The size must be at least 10.' })
  @Max(1_000_000, { message: 'The size must be at most 1000000.' })
  messages!: number;

  /** The same seed makes the same organization. */
  @IsOptional()
  @IsInt({ message: 'The seed must be a whole number.' })
  seed?: number;

  /** Allows an organization that people have begun to use. */
  @IsOptional()
  @IsBoolean({ message: 'force must be true or false.' })
  force?: boolean;
}

/** Input of `secret rotate`. */
export class RotateSecretInput {
  /** Ends a rotation in place of beginning one. */
  @IsOptional() @IsBoolean({ message: 'finish must be true or false.' }) finish?: boolean;
  /** Ends it although keys of the former secret are in use. */
  @IsOptional() @IsBoolean({ message: 'force must be true or false.' }) force?: boolean;
}

/** How a rotation of the secret stands. */
export interface SecretStatus {
  /** Whether keys of the former secret are accepted. */
  readonly isRotating: boolean;
  /** Whether the server has started with the secret that is in the file. */
  readonly isInUse: boolean;
  /** Who used an API key of the former secret since this node started; null if the server is not running. */
  readonly users: readonly string[] | null;
  /** How many named API keys of the former secret were used since. */
  readonly namedKeys: number;
}

/** What became of a rotation. */
export interface RotatedSecret {
  readonly file: string;
  readonly isFinished: boolean;
}
