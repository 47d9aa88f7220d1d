import { Matches } from 'class-validator';
import { refusal } from '../../../../platform/errors/api-error';
import type { ScimKey } from './scim-key.entity';

/** A directory's key. */
export interface ScimKeyRecord {
  readonly id: number;
  /** Name of the directory. */
  readonly directory: string;
  /** UNIX seconds. */
  readonly created_at: number;
  /** UNIX seconds, accurate to five minutes; null if it was never used. */
  readonly last_used_at: number | null;
}

/** A directory's new key. */
export interface NewScimKeyRecord extends ScimKeyRecord {
  /** Goes into the header `Authorization: Bearer ...`. Shown only once. */
  readonly key: string;
}

/** The record of a key. */
export function scimKeyRecord({ id, directory, createdAt, lastUsedAt }: ScimKey): ScimKeyRecord {
  return { id, directory, created_at: createdAt, last_used_at: lastUsedAt };
}

const NAME_RULE = 'The name of a directory is 1 to 30 lowercase letters, digits and hyphens.';

/** Body of `POST /api/directories/keys`, and input of `scim add`. */
export class NewScimKeyDto {
  /** Name of the directory: lowercase letters, digits, hyphens. All its keys access the same people and groups. */
  @Matches(/^[a-z0-9-]{1,30}$/, { message: NAME_RULE }) directory!: string;
}

/** No key has the ID. */
export class NoSuchScimKey extends refusal('No such key', { code: 'NOT_FOUND', status: 404 }) {}

/** The maximum number of keys exists already. */
export class TooManyScimKeys extends refusal('There are already 20 keys of directories. Revoke one first.', {
  companion: { status: 409 },
}) {}
