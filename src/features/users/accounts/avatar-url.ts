import { createHash, randomBytes } from 'node:crypto';
import type { AccountRecord } from './account.directory';
import type { AvatarSource } from '../../organization-settings/organization-settings.module';
import type { Account } from './account.entity';

/** What decides where a picture is. */
export type AvatarOwner = Pick<
  AccountRecord,
  'deliveryEmail' | 'avatarSource' | 'avatarKey' | 'avatarVersion'
>;

/** Uploaded pictures are under this path; the number is the organization's, of which there is one. */
const AVATAR_PATH = '/user_avatars/1';

/** Sides of the two sizes of a picture, in pixels; clients request the larger one by name. */
export const AVATAR_SIDES = { small: 100, medium: 500 } as const;

/** A size in which avatars are stored. */
export type AvatarSize = keyof typeof AVATAR_SIDES;

/** Whether the external provider has the picture; clients can work out its addresses themselves. */
export function isExternalAvatar(owner: AvatarOwner): boolean {
  return owner.avatarSource === 'G';
}

/** Where the picture is: an address of the external provider, or a path on this server that cannot be guessed. */
export function avatarUrl(owner: AvatarOwner, size: AvatarSize = 'small'): string {
  if (!isExternalAvatar(owner)) return `${AVATAR_PATH}/${avatarFileName(owner.avatarKey ?? '', size)}`;
  const digest = createHash('md5').update(owner.deliveryEmail.toLowerCase()).digest('hex');
  const larger = size === 'medium' ? `&s=${AVATAR_SIDES.medium}` : '';
  return `https://secure.gravatar.com/avatar/${digest}?d=identicon${larger}&version=${owner.avatarVersion}`;
}

/** Name of the file of an uploaded picture. */
export function avatarFileName(avatarKey: string, size: AvatarSize): string {
  return size === 'medium' ? `${avatarKey}-medium.png` : `${avatarKey}.png`;
}

/** What people show who uploaded nothing, where the organization says so. */
export function initialAvatar(source: AvatarSource): Pick<Account, 'avatarSource' | 'avatarKey'> {
  return { avatarSource: source, avatarKey: source === 'J' ? newAvatarKey() : null };
}

/** A random name for a picture's files, which makes their addresses unguessable. */
export function newAvatarKey(): string {
  return randomBytes(20).toString('hex');
}
