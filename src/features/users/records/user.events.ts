import { defineEvent } from '../../../platform/events/server-event';
import type { UserRecord } from './user-record.wire';

/** What changed about an account, as one group of keys. */
export interface PersonChange {
  readonly full_name?: string;
  /** The API address. */
  readonly new_email?: string;
  /** The real address; null for receivers who no longer see it. */
  readonly delivery_email?: string | null;
  readonly role?: number;
  /** Sent with the time zone. */
  readonly email?: string;
  readonly timezone?: string;
  readonly bot_owner_id?: number | null;
  readonly is_active?: boolean;
  readonly is_deleted?: true;
  /** Sent when the account is used for the first time. */
  readonly date_joined?: string;
  readonly is_imported_stub?: false;
  readonly avatar_source?: string;
  readonly avatar_url?: string;
  readonly avatar_url_medium?: string;
  readonly avatar_version?: number;
  readonly custom_profile_field?: {
    readonly id: number;
    /** Null if it is empty from now on. */
    readonly value: string | null;
    readonly rendered_value?: string;
  };
}

/** An account, and what changed about it. */
interface PersonUpdate extends PersonChange {
  readonly user_id: number;
}

/** A person joined, or became visible to a guest. */
export const userAdded = defineEvent<{ person: UserRecord }>('realm_user', 'add');

/** A person is no longer visible to a guest. */
export const userRemoved = defineEvent<{ person: { user_id: number; full_name: string } }>(
  'realm_user',
  'remove',
);

/** Something about an account changed. */
export const userUpdated = defineEvent<{ person: PersonUpdate }>('realm_user', 'update');
