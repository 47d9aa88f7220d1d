import { IsBoolean, IsOptional, IsString } from 'class-validator';

/** Input of `backup`. */
export class BackupInput {
  /** Absolute path of the folder to be made. */
  @IsString({ message: 'The folder must be a text.' }) target!: string;
  @IsOptional() @IsBoolean({ message: 'withSecret must be true or false.' }) withSecret?: boolean;
}
