import { ApiError } from '../../../platform/errors/api-error';

/** No custom profile field has this ID. */
export class NoSuchProfileField extends ApiError {
  constructor(fieldId: number) {
    super(`Field id ${fieldId} not found.`);
  }
}

/** The declaration of a field is invalid; the sentence says why. */
export class InvalidProfileField extends ApiError {}

/** A value does not fit its field; the sentence says how. */
export class InvalidProfileValue extends ApiError {}

/** In this organization only administrators may change this field. */
export class ProfileFieldNotEditable extends ApiError {
  constructor() {
    super('You are not allowed to change this field. Contact an administrator to update it.');
  }
}
