import type { Control, SettingEntry, SettingSection } from '../parts/setting-table';
import type { sections, settings } from './words';

type Name = keyof typeof settings;
type Entry = SettingEntry<Name>;

const on = (name: Name): Entry => ({ name, control: { kind: 'switch' } });
/** A switch for what is allowed, while the API's setting says what is forbidden. */
const notOff = (name: Name): Entry => ({ name, control: { kind: 'switch', isInverted: true } });
const who = (name: Name): Entry => ({ name, control: { kind: 'group' } });
const channel = (name: Name): Entry => ({ name, control: { kind: 'channel' } });
const within = (name: Name): Entry => ({ name, control: { kind: 'limit', unit: 'seconds' } });
const oneOf = (name: Name, ...values: readonly (string | number)[]): Entry => ({
  name,
  control: { kind: 'choice', values },
});
const text = (name: Name, kind: 'text' | 'area', maxLength: number): Entry => ({
  name,
  control: { kind, maxLength } satisfies Control,
});
const forOwners = (entry: Entry): Entry => ({ ...entry, isForOwners: true });

type Section = SettingSection<Name, keyof typeof sections>;

/**
 * The organization's settings by page. Settings that only affect other apps are left out, as are permissions for
 * features that this server lacks.
 */
export const SETTINGS = {
  profile: [{ title: 'profile', settings: [text('name', 'text', 40), text('description', 'area', 1000)] }],
  joining: [
    {
      title: 'invitations',
      settings: [forOwners(who('can_invite_users_group')), forOwners(who('create_multiuse_invite_group'))],
    },
    {
      title: 'newMembers',
      settings: [
        forOwners({ name: 'waiting_period_threshold', control: { kind: 'days' } }),
        text('welcome_message_custom_text', 'area', 8000),
      ],
    },
    {
      title: 'addresses',
      settings: [
        forOwners(on('disallow_disposable_email_addresses')),
        forOwners(on('emails_restricted_to_domains')),
      ],
    },
  ],
  accounts: [
    {
      title: 'names',
      settings: [
        notOff('name_changes_disabled'),
        on('require_unique_names'),
        notOff('email_changes_disabled'),
        notOff('avatar_changes_disabled'),
        oneOf('default_avatar_source', 'G', 'J'),
      ],
    },
    {
      title: 'visibility',
      settings: [who('can_access_all_users_group'), notOff('presence_disabled'), on('enable_read_receipts')],
    },
  ],
  channels: [
    {
      title: 'newChannels',
      settings: [
        who('can_create_public_channel_group'),
        who('can_create_private_channel_group'),
        on('enable_spectator_access'),
        who('can_create_web_public_channel_group'),
      ],
    },
    { title: 'subscribing', settings: [who('can_add_subscribers_group')] },
    {
      title: 'topics',
      settings: [
        oneOf('topics_policy', 'allow_empty_topic', 'disable_empty_topic'),
        who('can_set_topics_policy_group'),
        text('empty_topic_display_name', 'text', 60),
        who('can_resolve_topics_group'),
      ],
    },
  ],
  messages: [
    {
      title: 'editing',
      settings: [
        on('allow_message_editing'),
        within('message_content_edit_limit_seconds'),
        oneOf('message_edit_history_visibility_policy', 'all', 'moves', 'none'),
      ],
    },
    {
      title: 'moving',
      settings: [
        who('can_move_messages_between_topics_group'),
        within('move_messages_within_stream_limit_seconds'),
        who('can_move_messages_between_channels_group'),
        within('move_messages_between_streams_limit_seconds'),
      ],
    },
    {
      title: 'deleting',
      settings: [
        who('can_delete_own_message_group'),
        within('message_content_delete_limit_seconds'),
        who('can_delete_any_message_group'),
        who('can_set_delete_message_policy_group'),
      ],
    },
    {
      title: 'retention',
      settings: [forOwners({ name: 'message_retention_days', control: { kind: 'limit', unit: 'days' } })],
    },
    {
      title: 'reaching',
      settings: [
        who('direct_message_initiator_group'),
        who('direct_message_permission_group'),
        who('can_mention_many_users_group'),
      ],
    },
    {
      title: 'content',
      settings: [on('inline_image_preview'), text('default_code_block_language', 'text', 40)],
    },
  ],
  groups: [
    {
      title: 'groups',
      settings: [forOwners(who('can_create_groups')), forOwners(who('can_manage_all_groups'))],
    },
    { title: 'bots', settings: [who('can_create_bots_group'), who('can_create_write_only_bots_group')] },
    { title: 'emoji', settings: [who('can_add_custom_emoji_group')] },
  ],
  notices: [
    {
      title: 'announcements',
      settings: [
        channel('new_stream_announcements_stream_id'),
        channel('signup_announcements_stream_id'),
        channel('zulip_update_announcements_stream_id'),
        on('send_channel_events_messages'),
      ],
    },
    {
      title: 'notifications',
      settings: [on('message_content_allowed_in_email_notifications')],
    },
    {
      title: 'reports',
      settings: [{ name: 'moderation_request_channel_id', control: { kind: 'channel', isPrivate: true } }],
    },
  ],
  defaults: [{ title: 'language', settings: [{ name: 'default_language', control: { kind: 'language' } }] }],
  signIn: [],
} as const satisfies Record<string, readonly Section[]>;

export type PageName = keyof typeof SETTINGS;
