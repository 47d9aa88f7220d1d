import { json } from '../../platform/http/parameters/json';
import { Parameter } from '../../platform/http/parameters/parameter.decorator';

/** Parameters of `POST /realm/deactivate`. */
export class DeactivateOrganizationDto {
  /** Days after which all data is to be deleted; null, which is the only value, keeps it. */
  @Parameter(json.nullable(json.integer()), { default: null, example: null })
  deletion_delay_days!: number | null;
}
