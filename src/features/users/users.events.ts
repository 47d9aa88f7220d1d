import { defineEvent } from '../../platform/events/server-event';
import type { CustomProfileFieldWire } from './custom-profile/custom-profile-field.wire';
import type { UserRecord } from './user-record.wire';

/** What changed about an account: its ID and one group of keys (messages reference 8.3). */
interface PersonUpdate {
  user_id: number;
  [changed: string]: unknown;
}

/** Somebody joined, or became visible to a guest. */
export const userAdded = defineEvent<{ person: UserRecord }>('realm_user', 'add');

/** Somebody went out of a guest's sight. */
export const userRemoved = defineEvent<{ person: { user_id: number; full_name: string } }>(
  'realm_user',
  'remove',
);

/** Something about an account changed. */
export const userUpdated = defineEvent<{ person: PersonUpdate }>('realm_user', 'update');

/** One of one's own personal settings changed. */
export const personalSettingUpdated = defineEvent<{
  property: string;
  value: boolean | number | string;
  language_name?: string;
}>('user_settings', 'update');

/** The organization's custom profile fields changed; the list is complete. */
export const customProfileFieldsChanged = defineEvent<{ fields: CustomProfileFieldWire[] }>(
  'custom_profile_fields',
);

interface DevicePayload {
  device_id: number;
  [changed: string]: unknown;
}

/** A device of one's own was registered. */
export const deviceAdded = defineEvent<{ device_id: number }>('device', 'add');

/** What is known about a device of one's own changed. */
export const deviceUpdated = defineEvent<DevicePayload>('device', 'update');

/** A device of one's own is no longer registered. */
export const deviceRemoved = defineEvent<{ device_id: number }>('device', 'remove');
