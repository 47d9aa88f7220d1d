import { randomBytes } from 'node:crypto';
import type { AvatarSource } from '../../organization-settings/organization-settings.module';
import type { Account } from './account.entity';

/** What people show who uploaded nothing, where the organization says so. */
export function initialAvatar(source: AvatarSource): Pick<Account, 'avatarSource' | 'avatarKey'> {
  return { avatarSource: source, avatarKey: source === 'J' ? newAvatarKey() : null };
}

/** A random name for a picture's files, which makes their addresses unguessable. */
export function newAvatarKey(): string {
  return randomBytes(20).toString('hex');
}
