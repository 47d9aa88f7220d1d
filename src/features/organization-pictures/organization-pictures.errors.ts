import { ApiError } from '../../platform/errors/api-error';

/** Nothing was uploaded that has this address. */
export class NoSuchOrganizationPicture extends ApiError {
  constructor() {
    super('Page not found', { code: 'NOT_FOUND', status: 404, headers: { 'cache-control': 'no-store' } });
  }
}

/** With what a form is refused that does not have one file. */
export const ONE_ICON = 'You must upload exactly one icon.';
export const ONE_LOGO = 'You must upload exactly one logo.';
