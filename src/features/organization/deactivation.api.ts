import { json } from '../../platform/http/parameters/json';
import { Parameter } from '../../platform/http/parameters/parameter.decorator';
import { defineEvent, type ServerEvent } from '../../platform/events/server-event';
import { refusal } from '../../platform/errors/api-error';

/** Parameters of `POST /realm/deactivate`. */
export class DeactivateOrganizationDto {
  /** Days after which all data is to be deleted; null, which is the only value, keeps it. */
  @Parameter(json.nullable(json.integer()), { default: null, example: null })
  deletion_delay_days!: number | null;
}

/** The organization was deactivated. */
const organizationClosed = defineEvent<{ realm_id: number }>('realm', 'deactivated');

/** Number of the only organization, with which the addresses of uploads begin as well. */
const ONLY_ORGANIZATION = 1;

/** Tells clients that the organization was deactivated. */
export function organizationDeactivated(): ServerEvent {
  return organizationClosed({ realm_id: ONLY_ORGANIZATION });
}

/** Data is to be deleted some time after the organization was deactivated, which the server does not do by itself. */
export class DataIsKept extends refusal(
  'This server keeps the data of a deactivated organization until its operator deletes it. Omit deletion_delay_days.',
) {}
