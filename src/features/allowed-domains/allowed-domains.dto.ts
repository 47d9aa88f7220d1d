import { json } from '../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { text } from '../../platform/http/parameters/text';

/** Parameters of `POST /realm/domains`. */
export class AddDomainDto {
  /** Name of the domain; the service has messages of its own for a wrong one. */
  @Parameter(text({ unchecked: true })) domain!: string;

  /** Whether domains below it are meant as well. */
  @Parameter(json.boolean()) allow_subdomains!: boolean;
}

/** Parameters of `DELETE /realm/domains/{domain}`. */
export class DomainPathDto {
  /** Name of the domain. */
  @PathParameter(text({ maxLength: 255 })) domain!: string;
}

/** Parameters of `PATCH /realm/domains/{domain}`. */
export class ChangeDomainDto extends DomainPathDto {
  /** Whether domains below it are meant as well. */
  @Parameter(json.boolean()) allow_subdomains!: boolean;
}
