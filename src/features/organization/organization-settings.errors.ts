import { ApiError } from '../../platform/errors/api-error';

/** A limit is neither a positive number nor one of the words it may be. */
export class BadSettingValue extends ApiError {
  constructor(name: string, value: unknown) {
    super(`Bad value for '${name}': ${String(value)}`, {
      code: 'REQUEST_VARIABLE_INVALID',
      data: { var_name: name, bad_value: value },
    });
  }
}

/** The organization's language is none that the server knows. */
export class InvalidLanguage extends ApiError {
  constructor(code: string) {
    super(`Invalid language '${code}'`);
  }
}
