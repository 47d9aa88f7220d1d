import { IsBoolean, IsOptional } from 'class-validator';

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
