import type { Account } from './account.entity';
import { Role } from '../../../platform/actor';
import { ApiError, refusal } from '../../../platform/errors/api-error';
import { PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { codePointLength, text } from '../../../platform/http/parameters/text';
import { composedName, forbiddenPlace } from '../../../platform/names/visible-name';

/** No account has this ID or address, or the caller may not know about it. */
export class NoSuchUser extends refusal('No such user', { companion: { status: 404 } }) {}

/** No bot has this ID. */
export class NoSuchBot extends refusal('No such bot', { companion: { status: 404 } }) {}

/** The operation requires an active account. */
export class UserDeactivated extends refusal('User is deactivated') {}

/** A deleted account can neither be changed nor reactivated. */
export class UserIsDeleted extends refusal('User is deleted', { companion: { status: 409 } }) {}

/** The full name is invalid; the text explains why. */
class InvalidFullName extends ApiError {}

/** The organization requires unique names, and this one is taken. */
export class NameNotUnique extends refusal('Unique names required in this organization.', {
  companion: { status: 409 },
}) {}

/** Not a valid address of one person: malformed, or in the form of a placeholder. */
export class InvalidEmail extends refusal('Enter a valid email address.') {}

/** Another account has this address, possibly a deactivated one or a bot. */
export class EmailInUse extends refusal('Email is already in use.', {
  companion: { status: 409 },
  advice: 'The account may be deactivated. Choose another address, or for a bot another short name.',
}) {}

/** The organization only accepts addresses of certain domains. */
export class EmailDomainNotAllowed extends ApiError {
  constructor(email: string) {
    super(`Email '${email}' not allowed in this organization`);
  }
}

/** With restricted domains, `name+anything@domain` would allow several accounts per person. */
export class EmailWithPlus extends refusal('Email addresses containing + are not allowed.') {}

/** The address belongs to a disposable email service. */
export class DisposableEmailRefused extends refusal(
  'Disposable email addresses are not allowed in this organization',
) {}

/** Only administrators may change avatars in this organization. */
export class AvatarChangesDisabled extends refusal('Avatar changes are disabled in this organization.') {}

/** The avatar does not exist, or no longer exists. */
export class NoSuchAvatar extends refusal('Page not found', {
  code: 'NOT_FOUND',
  status: 404,
  headers: { 'cache-control': 'no-store' },
}) {}

/** Allowed length of the name of a person or bot, in code points. */
export const FULL_NAME_LENGTHS = { minLength: 2, maxLength: 100 } as const;

/** Characters with a special meaning in mentions or addresses, in any width. */
const FORBIDDEN = /[*`\\>"@]/;

/** A name with this ending could be mistaken for the mention of another person. */
const LOOKS_LIKE_MENTION = /\|\d+$/;

/**
 * Validates a full name.
 * @returns the name, trimmed and in NFC
 * @throws InvalidFullName
 */
export function checkedFullName(given: string): string {
  const name = composedName(given);
  const length = codePointLength(name);
  if (length > FULL_NAME_LENGTHS.maxLength) throw new InvalidFullName('Name too long!');
  if (length < FULL_NAME_LENGTHS.minLength) throw new InvalidFullName('Name too short!');
  if (FORBIDDEN.test(name.normalize('NFKC')) || forbiddenPlace(name) > 0)
    throw new InvalidFullName('Invalid characters in name!');
  if (LOOKS_LIKE_MENTION.test(name)) throw new InvalidFullName('Invalid format!');
  return name;
}

/** A key that is equal for names that people would consider the same. */
export function fullNameKey(name: string): string {
  // Upper case first: it unifies what lower case alone would leave different, such as "ß" and "ss".
  return name.normalize('NFKC').toUpperCase().toLowerCase();
}

/** Who sees an account's real address, according to its owner's setting. */
export const EmailVisibility = {
  everyone: 1,
  members: 2,
  administrators: 3,
  nobody: 4,
  moderators: 5,
} as const;

/** All values of {@link EmailVisibility}. */
export const EMAIL_VISIBILITIES: readonly number[] = Object.values(EmailVisibility);

/** The properties of a viewer that determine what they see. */
export interface Viewer {
  readonly userId: number;
  readonly role: Role;
}

/** The lowest role that sees an address under each setting; with `nobody` only the owner does. */
const ROLE_THAT_SEES: Readonly<Record<number, Role>> = {
  [EmailVisibility.everyone]: Role.guest,
  [EmailVisibility.members]: Role.member,
  [EmailVisibility.moderators]: Role.moderator,
  [EmailVisibility.administrators]: Role.administrator,
};

/** Whether the viewer sees the real address. Everyone sees their own address and those of bots. */
export function seesDeliveryEmail(
  viewer: Viewer,
  account: Pick<Account, 'id' | 'isBot' | 'emailVisibility'>,
): boolean {
  if (account.isBot || viewer.userId === account.id) return true;
  const least = ROLE_THAT_SEES[account.emailVisibility];
  return least !== undefined && viewer.role <= least;
}

/** The last segment of an avatar's URL. */
export class AvatarFileDto {
  /** File name of the avatar. */
  @PathParameter(text({ unchecked: true })) file!: string;
}

/** The owner of an avatar to look up. */
export class AvatarOwnerDto {
  /** ID or address of a person or bot. */
  @PathParameter(text({ maxLength: 320 })) user_id_or_email!: string;
}
