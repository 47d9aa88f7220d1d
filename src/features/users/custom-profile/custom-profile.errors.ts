import { ApiError } from '../../../platform/errors/api-error';

/** No custom profile field has this ID. */
export class NoSuchProfileField extends ApiError {
  constructor(fieldId: number) {
    super(`Field id ${fieldId} not found.`);
  }
}

/** A field is declared in a way that makes no sense; the sentence says how. */
export class InvalidProfileField extends ApiError {}

/** A value does not fit its field; the sentence says how. */
export class InvalidProfileValue extends ApiError {}

/** The organization keeps this field to its administrators. */
export class ProfileFieldNotEditable extends ApiError {
  constructor() {
    super('You are not allowed to change this field. Contact an administrator to update it.');
  }
}
