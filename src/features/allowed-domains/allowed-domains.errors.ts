import { ApiError } from '../../platform/errors/api-error';

/** The text is no name of a domain; the sentence says why. */
export class InvalidDomain extends ApiError {
  constructor(reason: string) {
    super(`Invalid domain: ${reason}`);
  }
}

/** The organization allows the domain already. */
export class DomainAlreadyAllowed extends ApiError {
  constructor(domain: string) {
    super(`The domain ${domain} is already a part of your organization.`);
  }
}

/** The organization does not list the domain. */
export class DomainUnknown extends ApiError {
  constructor(domain: string) {
    super(`No entry found for domain ${domain}.`);
  }
}

/** The organization lists as many domains as it may. */
export class TooManyDomains extends ApiError {
  constructor(limit: number) {
    super(`There can be at most ${limit} domains.`);
  }
}
