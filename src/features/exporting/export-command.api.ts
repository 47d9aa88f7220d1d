import { IsIn, IsOptional, IsString } from 'class-validator';

/** Contents of operator exports; `everything` needs no consent. */
const OPERATOR_EXPORT_CONTENTS = ['public', 'consent', 'everything'] as const;

/** One of these words. */
export type OperatorExportContent = (typeof OPERATOR_EXPORT_CONTENTS)[number];

/** Input of `export`. */
export class ExportInput {
  /** Absolute path of the file to be made. */
  @IsString({ message: 'The file must be a text.' }) target!: string;
  @IsIn(OPERATOR_EXPORT_CONTENTS, { message: 'The content must be public, consent or everything.' })
  content!: OperatorExportContent;
  /** Absolute path of the `migration_status.json` of the server that is to import the archive. */
  @IsOptional() @IsString({ message: 'The migration status must be a text.' }) migrationStatus?: string;
}
