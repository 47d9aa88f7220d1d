import { IsBoolean, IsOptional, IsString } from 'class-validator';

/** Input of `import zulip`. */
export class ImportInput {
  /** Absolute path of the archive, or of the folder that it was unpacked into. */
  @IsString({ message: 'The archive must be a text.' }) archive!: string;
  /** Whether to read everything and write nothing. */
  @IsOptional() @IsBoolean({ message: 'The choice of a dry run must be true or false.' }) dryRun?: boolean;
}
