import { IsBoolean, IsOptional, IsString } from 'class-validator';

/** Input of `import zulip` and `import mattermost`, and common to all imports. */
export class ImportInput {
  /** Absolute path of the archive, or of the folder that it was unpacked into. */
  @IsString({ message: 'The archive must be a text.' }) archive!: string;
  /** Whether to read everything and write nothing. */
  @IsOptional() @IsBoolean({ message: 'The choice of a dry run must be true or false.' }) dryRun?: boolean;
}

/** Input of `import slack`. */
export class SlackImportInput extends ImportInput {
  /** Absolute path of a folder with the files that messages share. */
  @IsOptional() @IsString({ message: 'The folder of files must be a text.' }) files?: string;
  /** Absolute path of a list of people with their addresses. */
  @IsOptional() @IsString({ message: 'The list of people must be a text.' }) users?: string;
  /** Absolute path of a folder with pictures of emoji. */
  @IsOptional() @IsString({ message: 'The folder of emoji must be a text.' }) emoji?: string;
  /** Whether to download files from Slack with the tokens in the export. */
  @IsOptional() @IsBoolean({ message: 'The choice to fetch files must be true or false.' }) token?: boolean;
}

/** Input of `import invite`. */
export class InviteImportedInput {
  /** Whether to count people and mail nobody. */
  @IsOptional() @IsBoolean({ message: 'The choice of a dry run must be true or false.' }) dryRun?: boolean;
}
