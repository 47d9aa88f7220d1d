import { IsBoolean, IsInt, IsOptional, Max, Min } from 'class-validator';

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
