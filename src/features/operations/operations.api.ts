import { IsBoolean, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';

/** Input of `backup`. */
export class BackupInput {
  /** Absolute path of the folder to create. */
  @IsString({ message: 'The folder must be a text.' }) target!: string;
  @IsOptional() @IsBoolean({ message: 'withSecret must be true or false.' }) withSecret?: boolean;
}

/** Input for the server's part of a move. */
export class MoveInput {
  /** Identifies the move, so that another one cannot end it. */
  @IsString({ message: 'The move must have a name.' }) move!: string;
}

/** Input of `module remove`. */
export class RemoveModuleInput {
  @IsString() name!: string;
}

/** Input of `quarantine lift`. */
export class LiftQuarantineInput {
  @IsOptional() @IsBoolean({ message: 'drop must be true or false.' }) drop?: boolean;
}

/** What a restored server holds back. */
export interface QuarantineStatus {
  /** Completes the sentence "... because ..."; null if nothing is held back. */
  readonly reason: string | null;
  /** Number of waiting mails, calls and answers. */
  readonly held: number;
}

/** The result of lifting the quarantine. */
export interface LiftedQuarantine {
  readonly sent: number;
  readonly dropped: number;
}

/** Input of `demo`. */
export class DemoInput {
  /** The number of messages to create; all other numbers depend on it. */
  @IsInt({ message: 'The size must be a whole number.' })
  @Min(10, { message: 'The size must be at least 10.' })
  @Max(1_000_000, { message: 'The size must be at most 1000000.' })
  messages!: number;

  /** The same seed creates the same organization. */
  @IsOptional()
  @IsInt({ message: 'The seed must be a whole number.' })
  seed?: number;

  /** Allows an organization that is already in use. */
  @IsOptional()
  @IsBoolean({ message: 'force must be true or false.' })
  force?: boolean;
}

/** Input of `secret rotate`. */
export class RotateSecretInput {
  /** Ends a rotation instead of starting one. */
  @IsOptional() @IsBoolean({ message: 'finish must be true or false.' }) finish?: boolean;
  /** Ends it even if keys of the old secret are in use. */
  @IsOptional() @IsBoolean({ message: 'force must be true or false.' }) force?: boolean;
}

/** The state of a secret rotation. */
export interface SecretStatus {
  /** Whether keys of the old secret are accepted. */
  readonly isRotating: boolean;
  /** Whether the server runs with the secret in the file. */
  readonly isInUse: boolean;
  /** Users of API keys of the old secret since this node started; null if the server is not running. */
  readonly users: readonly string[] | null;
  /** How many named API keys of the old secret were used since then. */
  readonly namedKeys: number;
}

/** The result of a rotation step. */
export interface RotatedSecret {
  readonly file: string;
  readonly isFinished: boolean;
}
