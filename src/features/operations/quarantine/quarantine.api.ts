import { IsBoolean, IsOptional } from 'class-validator';

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
