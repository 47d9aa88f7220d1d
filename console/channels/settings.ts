import type { SettingEntry, SettingSection } from '../parts/setting-table';
import type { sections, settings } from './words';

type Name = keyof typeof settings;
type Entry = SettingEntry<Name>;
type Section = SettingSection<Name, keyof typeof sections>;

const who = (name: Name): Entry => ({ name, control: { kind: 'group' } });

/**
 * Settings of a channel by the parts of its page. Privacy, folder and personal settings have special controls, and a
 * button archives the channel.
 */
export const SETTINGS = {
  general: [
    {
      title: 'about',
      settings: [
        { name: 'new_name', control: { kind: 'text', maxLength: 60 } },
        { name: 'description', control: { kind: 'area', maxLength: 1024 } },
      ],
    },
    { title: 'readers', settings: [{ name: 'is_default_stream', control: { kind: 'switch' } }] },
    {
      title: 'messages',
      settings: [
        {
          name: 'topics_policy',
          control: {
            kind: 'choice',
            values: ['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'],
          },
        },
        {
          name: 'message_retention_days',
          control: { kind: 'limit', unit: 'days', default: 'realm_default' },
          isForOwners: true,
        },
      ],
    },
  ],
  permissions: [
    { title: 'writing', settings: [who('can_send_message_group'), who('can_create_topic_group')] },
    {
      title: 'subscribers',
      settings: [
        who('can_subscribe_group'),
        who('can_add_subscribers_group'),
        who('can_remove_subscribers_group'),
      ],
    },
    {
      title: 'moderation',
      settings: [
        who('can_resolve_topics_group'),
        who('can_move_messages_within_channel_group'),
        who('can_move_messages_out_of_channel_group'),
        who('can_delete_own_message_group'),
        who('can_delete_any_message_group'),
      ],
    },
    { title: 'administration', settings: [who('can_administer_channel_group')] },
  ],
} as const satisfies Record<string, readonly Section[]>;

/** Settings with special controls on the page. */
export const BY_HAND = [
  'is_private',
  'is_web_public',
  'history_public_to_subscribers',
  'folder_id',
  'is_archived',
] as const;
