import { ApiError, refusal } from '../../../platform/errors/api-error';

/** No account has this ID or address, or the caller may not know of it. */
export class NoSuchUser extends refusal('No such user', { companion: { status: 404 } }) {}

/** No bot has this ID. */
export class NoSuchBot extends refusal('No such bot', { companion: { status: 404 } }) {}

/** The operation needs an active account, and this one is deactivated. */
export class UserDeactivated extends refusal('User is deactivated') {}

/** A deleted account can neither be changed nor reactivated. */
export class UserIsDeleted extends refusal('User is deleted', { companion: { status: 409 } }) {}

/** A full name breaks a rule; the sentence says which. */
export class InvalidFullName extends ApiError {}

/** The organization wants unique names, and this one is taken. */
export class NameNotUnique extends refusal('Unique names required in this organization.', {
  companion: { status: 409 },
}) {}

/** Not an address that one person could have: malformed, or in the form of a placeholder. */
export class InvalidEmail extends refusal('Enter a valid email address.') {}

/** An account has this address already, perhaps a deactivated one or a bot. */
export class EmailInUse extends refusal('Email is already in use.', {
  companion: { status: 409 },
  advice: 'The account may be deactivated. Choose another address, or for a bot another short name.',
}) {}

/** The organization accepts addresses of certain domains only. */
export class EmailDomainNotAllowed extends ApiError {
  constructor(email: string) {
    super(`Email '${email}' not allowed in this organization`);
  }
}

/** With restricted domains, `name+anything@domain` would be a second address of the same person. */
export class EmailWithPlus extends refusal('Email addresses containing + are not allowed.') {}

/** The address is one that anybody can have for some minutes. */
export class DisposableEmailRefused extends refusal(
  'Disposable email addresses are not allowed in this organization',
) {}

/** In this organization only administrators may change pictures. */
export class AvatarChangesDisabled extends refusal('Avatar changes are disabled in this organization.') {}

/** There is no such picture, or no longer. */
export class NoSuchAvatar extends refusal('Page not found', {
  code: 'NOT_FOUND',
  status: 404,
  headers: { 'cache-control': 'no-store' },
}) {}
