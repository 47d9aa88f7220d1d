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

/** What is reported to moderators is not for everybody. */
export class ModerationChannelMustBePrivate extends ApiError {
  constructor() {
    super('Moderation request channel must be private.');
  }
}

/** A number stands for nothing that there is. */
export class InvalidChoice extends ApiError {
  constructor(name: string, value: number) {
    super(`Invalid ${name} ${value}`);
  }
}

/** A setting of what the server does not do has one value only. */
export class SettingUnavailable extends ApiError {
  constructor(name: string, reason: string) {
    super(`'${name}' cannot be changed. ${reason}`);
  }
}

/** The server does not have this way of signing in. */
export class InvalidAuthenticationMethod extends ApiError {
  constructor(name: string, known: readonly string[]) {
    const listed = known.map((each) => `'${each}'`).join(', ');
    super(`Invalid authentication method: ${name}. Valid methods are: [${listed}]`);
  }
}

/** Nobody could sign in any more. */
export class NoAuthenticationMethod extends ApiError {
  constructor() {
    super('At least one authentication method must be enabled.');
  }
}

/** The address of the organization is that of the server. */
export class MustBeDemoOrganization extends ApiError {
  constructor() {
    super('Must be a demo organization.');
  }
}
