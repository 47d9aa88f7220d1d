import { IsBoolean, IsOptional, IsString } from 'class-validator';

/** Input of `import zulip` and `import mattermost`; common to all imports. */
export class ImportInput {
  /** Absolute path of the archive, or of the folder with its contents. */
  @IsString({ message: 'The archive must be a text.' }) archive!: string;
  /** Whether to read everything without writing anything. */
  @IsOptional() @IsBoolean({ message: 'The choice of a dry run must be true or false.' }) dryRun?: boolean;
}

/** Input of `import slack`. */
export class SlackImportInput extends ImportInput {
  /** Absolute path of a folder with the files that messages share. */
  @IsOptional() @IsString({ message: 'The folder of files must be a text.' }) files?: string;
  /** Absolute path of a list of people and their email addresses. */
  @IsOptional() @IsString({ message: 'The list of people must be a text.' }) users?: string;
  /** Absolute path of a folder with images of emoji. */
  @IsOptional() @IsString({ message: 'The folder of emoji must be a text.' }) emoji?: string;
  /** Whether to download files from Slack with the tokens in the export. */
  @IsOptional() @IsBoolean({ message: 'The choice to fetch files must be true or false.' }) token?: boolean;
}

/** Input of `import invite`. */
export class InviteImportedInput {
  /** Whether to count people without sending email. */
  @IsOptional() @IsBoolean({ message: 'The choice of a dry run must be true or false.' }) dryRun?: boolean;
}
