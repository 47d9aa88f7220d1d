import { ApiError } from '../../platform/errors/api-error';

/** Data is to be deleted some time after the organization was deactivated, which the server does not do by itself. */
export class DataIsKept extends ApiError {
  constructor() {
    super(
      'This server keeps the data of a deactivated organization until its operator deletes it: leave deletion_delay_days out.',
    );
  }
}
