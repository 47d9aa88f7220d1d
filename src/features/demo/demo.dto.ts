import { IsBoolean, IsInt, IsOptional, Max, Min } from 'class-validator';

/** Input of `demo`. */
export class DemoInput {
  /** How many messages there are to be; everything else follows from it. */
  @IsInt({ message: 'The size must be a whole number.' })
  @Min(10, { message: 'The size must be at least 10.' })
  @Max(1_000_000, { message: 'The size must be at most 1000000.' })
  messages!: number;

  /** The same seed makes the same organization. */
  @IsOptional()
  @IsInt({ message: 'The seed must be a whole number.' })
  seed?: number;

  /** Also where people have begun to use the organization. */
  @IsOptional()
  @IsBoolean({ message: 'force must be true or false.' })
  force?: boolean;
}
