import { IsIn, IsOptional, IsString } from 'class-validator';
import { ApiError, refusal } from '../../../platform/errors/api-error';
import { defineEvent } from '../../../platform/events/server-event';
import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { oneOf, text } from '../../../platform/http/parameters/text';
import { type OrganizationExport } from './organization-export.entity';
import { EXPORT_TYPES, type ExportTypeName } from './archive/export-context';

/** How long archives are kept. */
export const KEPT_DAYS = 30;

/** Parameters of `POST /export/realm`. */
export class RequestExportDto {
  /** What the archive contains: only public channels, or also what consenting users can see. */
  @Parameter(
    oneOf(EXPORT_TYPES, {
      refusal: 'Invalid export_type: Value error, Not in the list of possible values',
    }),
    { default: 'public' },
  )
  export_type!: ExportTypeName;
}

/** Parameters of `DELETE /export/realm/{export_id}`. */
export class ExportDto {
  /** ID of the export. */
  @PathParameter() export_id!: number;
}

/** Parameters of an archive's URL. */
export class ExportFileDto {
  /** The unguessable part. */
  @PathParameter(text({ unchecked: true })) key!: string;
  /** File name. */
  @PathParameter(text({ unchecked: true })) file!: string;
}

/** An export in the API's format. */
export interface ExportWire {
  readonly id: number;
  readonly acting_user_id: number;
  readonly export_time: number;
  readonly deleted_timestamp: number | null;
  readonly failed_timestamp: number | null;
  readonly export_url: string | null;
  readonly pending: boolean;
  readonly export_type: ExportTypeName;
}

/** Whether a user allows administrators to export private data. */
export interface ExportConsentWire {
  readonly user_id: number;
  readonly consented: boolean;
  readonly email_address_visibility: number;
}

/** @param site the server's URL, without a trailing slash */
export function exportWire(row: OrganizationExport, site: string): ExportWire {
  const isThere = row.succeededAt !== null && row.deletedAt === null;
  return {
    id: row.id,
    acting_user_id: row.requesterId,
    export_time: row.requestedAt,
    deleted_timestamp: row.deletedAt,
    failed_timestamp: row.failedAt,
    export_url: isThere ? `${site}/${EXPORT_FILES}/${row.fileKey}/${fileNameOf(row)}` : null,
    pending: isPending(row),
    export_type: row.type,
  };
}

/** URL path prefix of archives. */
export const EXPORT_FILES = 'user_avatars/exports/1';

/** File name under which browsers save an archive. */
export function fileNameOf({ fileKey }: Pick<OrganizationExport, 'fileKey'>): string {
  return `zulip-export-${fileKey.slice(0, 8)}.tar.gz`;
}

/** Whether an archive is queued or being made. */
export function isPending({ succeededAt, failedAt }: OrganizationExport): boolean {
  return succeededAt === null && failedAt === null;
}

/** An export was requested, finished, deleted, or failed. Contains all exports. */
export const exportsChanged = defineEvent<{ exports: readonly ExportWire[] }>('realm_export');

/** A user changed whether administrators may export private data. */
export const consentChanged = defineEvent<{ user_id: number; consented: boolean }>('realm_export_consent');

/** Too many exports were requested recently. */
export class TooManyExports extends refusal('Exceeded rate limit.') {}

/** The organization is too large for an export by request. */
export class ExportTooLarge extends refusal(
  'Please request a manual export from the operator of this server.',
) {}

/** No owner would have an account in the importing organization, so no one could administer it. */
export class NoOwnerConsents extends refusal(
  'Make sure at least one Organization Owner is consenting to the export or contact the operator of this server for help.',
) {}

/** Like {@link NoOwnerConsents}: no owner would have an address there. */
export class NoOwnerShowsAddress extends refusal(
  'Make sure at least one Organization Owner allows other Administrators to see their email address or contact the operator of this server for help',
) {}

/** Only the operator may export private data of people who do not consent. */
export class ExportNeedsConsent extends refusal(
  'Only the operator of this server can export private data without consent.',
) {}

/** No export has this ID. */
export class InvalidExport extends refusal('Invalid data export ID') {}

/** The archive was already deleted. */
export class ExportDeleted extends refusal('Export already deleted') {}

/** The export failed, so there is no archive. */
export class ExportFailed extends refusal('Export failed, nothing to delete') {}

/** The archive is not finished yet. */
export class ExportInProgress extends refusal('Export still in progress') {}

/** No archive has this URL, or it was deleted. */
export class NoSuchArchive extends ApiError {
  constructor() {
    super('File not found', { status: 404 });
  }
}

/** Contents of operator exports; `everything` does not require consent. */
const OPERATOR_EXPORT_CONTENTS = ['public', 'consent', 'everything'] as const;

/** One of {@link OPERATOR_EXPORT_CONTENTS}. */
export type OperatorExportContent = (typeof OPERATOR_EXPORT_CONTENTS)[number];

/** Input of `export`. */
export class ExportInput {
  /** Absolute path of the file to create. */
  @IsString({ message: 'The file must be a text.' }) target!: string;
  @IsIn(OPERATOR_EXPORT_CONTENTS, { message: 'The content must be public, consent or everything.' })
  content!: OperatorExportContent;
  /** Absolute path of the `migration_status.json` of the server that will import the archive. */
  @IsOptional() @IsString({ message: 'The migration status must be a text.' }) migrationStatus?: string;
}

/** Input of `export person`. */
export class ExportPersonInput {
  /** Absolute path of the file to create. */
  @IsString({ message: 'The file must be a text.' }) target!: string;
  /** Email address of the account. */
  @IsString({ message: 'The user must be a text.' }) user!: string;
}
