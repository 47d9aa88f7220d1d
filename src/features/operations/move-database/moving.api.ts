import { IsString } from 'class-validator';

/** Input of what a move asks of the server. */
export class MoveInput {
  /** Names the move, so that another one cannot end it. */
  @IsString({ message: 'The move must have a name.' }) move!: string;
}
