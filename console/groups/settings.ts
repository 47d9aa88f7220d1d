import type { SettingEntry } from '../parts/setting-table';
import type { settings } from './words';

type Entry = SettingEntry<keyof typeof settings>;

const who = (name: keyof typeof settings): Entry => ({ name, control: { kind: 'group' } });

/** Settings of a group by the parts of its page; a button deactivates the group. */
export const SETTINGS = {
  general: [
    { name: 'name', control: { kind: 'text', maxLength: 100 } },
    { name: 'description', control: { kind: 'area', maxLength: 1024 } },
  ],
  permissions: [
    who('can_manage_group'),
    who('can_mention_group'),
    who('can_add_members_group'),
    who('can_remove_members_group'),
    who('can_join_group'),
    who('can_leave_group'),
  ],
} as const satisfies Record<string, readonly Entry[]>;
