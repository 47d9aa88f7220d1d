import { ApiError } from '../../platform/errors/api-error';

/** The type alone does not say what is wrong with the message. */
export class ExplanationRequired extends ApiError {
  constructor() {
    super('An explanation is required.');
  }
}

/** The organization has no channel to which reports go. */
export class ReportsNotEnabled extends ApiError {
  constructor() {
    super('Message reporting is not enabled in this organization.');
  }
}
