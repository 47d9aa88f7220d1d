import { ApiError } from '../../platform/errors/api-error';

/** A built-in view is to get a name, which clients give it. */
export class BuiltInViewHasName extends ApiError {
  constructor() {
    super('Built-in views cannot have a custom name.');
  }
}

/** A view that is not built in has no name. */
export class CustomViewNameless extends ApiError {
  constructor() {
    super('Custom views must have a valid name.');
  }
}

/** The person has a view with that fragment or name. */
export class NavigationViewExists extends ApiError {
  constructor() {
    super('Navigation view already exists.');
  }
}

/** The person has no view with that fragment. */
export class NavigationViewNotFound extends ApiError {
  constructor() {
    super('Navigation view does not exist.', { status: 404 });
  }
}

/** The person has as many views as anybody may have. */
export class TooManyNavigationViews extends ApiError {
  constructor(limit: number) {
    super(`You can have at most ${limit} navigation views.`);
  }
}
