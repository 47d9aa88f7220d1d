import { json } from '../../platform/http/parameters/json';
import { Parameter } from '../../platform/http/parameters/parameter.decorator';
import { defineEvent, type ServerEvent } from '../../platform/events/server-event';
import { refusal } from '../../platform/errors/api-error';

/** Parameters of `POST /realm/deactivate`. */
export class DeactivateOrganizationDto {
  /** Days after which to delete all data; only null is accepted, which keeps it. */
  @Parameter(json.nullable(json.integer()), { default: null, example: null })
  deletion_delay_days!: number | null;
}

/** The organization was deactivated. */
const organizationClosed = defineEvent<{ realm_id: number }>('realm', 'deactivated');

/** ID of the only organization, which is also the first part of the URLs of uploads. */
const ONLY_ORGANIZATION = 1;

/** Informs clients that the organization was deactivated. */
export function organizationDeactivated(): ServerEvent {
  return organizationClosed({ realm_id: ONLY_ORGANIZATION });
}

/** Data should be deleted some time after the deactivation, which the server does not support. */
export class DataDeletionUnsupported extends refusal(
  'This server keeps the data of a deactivated organization until its operator deletes it. Omit deletion_delay_days.',
) {}
