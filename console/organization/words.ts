/** The texts of the organization's settings, which are loaded with them. */

export const pages = {
  profile: 'Profile',
  joining: 'Joining',
  accounts: 'Accounts',
  channels: 'Channels & topics',
  messages: 'Messages',
  groups: 'Groups, bots & emoji',
  notices: 'Announcements & notifications',
  defaults: 'Defaults',
  signIn: 'Sign-in',
};

export const about: Record<keyof typeof pages, string> = {
  profile: 'How the organization presents itself.',
  joining: 'Who can invite people, and who can join. Everyone needs an invitation.',
  accounts: 'What members can change about themselves, and what others see of them.',
  channels: 'Who can create channels and subscribe people, and how topics work.',
  messages: 'Editing, moving, deleting and keeping messages, and who can write to whom.',
  groups: 'Who can create and manage groups, bots and emoji.',
  notices: 'Where the server posts about what happens, and what notifications show.',
  defaults: 'What new members start with. They can change it, and existing members keep theirs.',
  signIn: 'How members sign in.',
};

/** What is on a page beside its settings, found by the filter. */
export const more: Partial<Record<keyof typeof pages, string>> = {
  profile: 'Icon, logo',
  joining: 'Allowed email domains, invitations',
  defaults: 'Appearance, time format, notifications, privacy of new members',
  signIn: 'Sign-in methods, password, single sign-on, second factor',
};

export const find = 'Filter settings';
export const found = (text: string) => `Settings that match “${text}”`;
export const alsoOn = 'Other pages';
export const readOnly = 'Only administrators can change these settings.';

export const sections = {
  profile: 'Name and description',
  invitations: 'Invitations',
  addresses: 'Email addresses',
  newMembers: 'New members',
  names: 'Names, addresses and pictures',
  visibility: 'Visibility',
  newChannels: 'Creating channels',
  subscribing: 'Subscribing',
  topics: 'Topics',
  editing: 'Editing',
  moving: 'Moving',
  deleting: 'Deleting',
  retention: 'Retention',
  reaching: 'Direct messages and mentions',
  content: 'Content',
  groups: 'Groups',
  bots: 'Bots',
  emoji: 'Emoji',
  announcements: 'Channels for announcements',
  notifications: 'Email and push notifications',
  reports: 'Reports',
  language: 'Language',
};

export const settings = {
  name: { label: 'Name' },
  description: { label: 'Description', hint: 'Shown to people who sign in. Markdown works.' },
  can_invite_users_group: { label: 'Who can invite people by email' },
  create_multiuse_invite_group: {
    label: 'Who can create invitation links',
    hint: 'Anyone who has such a link can join with it.',
  },
  waiting_period_threshold: {
    label: 'Days until a new member becomes a full member',
    hint: 'Permissions can be limited to full members. 0 means at once.',
  },
  welcome_message_custom_text: {
    label: 'Welcome message',
    hint: 'Sent to each new member by the welcome bot. Markdown works.',
  },
  disallow_disposable_email_addresses: {
    label: 'Block disposable email addresses',
    hint: 'From services that hand out temporary mailboxes.',
  },
  emails_restricted_to_domains: {
    label: 'Allow only email addresses of certain domains',
    hint: 'Applies to new accounts and changed addresses. Add a domain below first: without one, every address is refused.',
  },
  name_changes_disabled: { label: 'Members can change their name' },
  require_unique_names: { label: 'Names must be unique' },
  email_changes_disabled: { label: 'Members can change their email address' },
  avatar_changes_disabled: { label: 'Members can change their picture' },
  default_avatar_source: {
    label: 'Picture of new accounts',
    hint: 'Until they upload one.',
    choices: { G: 'Gravatar', J: 'Pattern drawn by this server' },
  },
  can_access_all_users_group: {
    label: 'Who can see all members',
    hint: 'Other guests see only the people they share a channel or conversation with.',
  },
  presence_disabled: { label: 'Show who is active' },
  enable_read_receipts: {
    label: 'Show who has read a message',
    hint: 'Members can still hide what they’ve read.',
  },
  can_create_public_channel_group: { label: 'Who can create public channels' },
  can_create_private_channel_group: { label: 'Who can create private channels' },
  enable_spectator_access: {
    label: 'Allow web-public channels',
    hint: 'Anyone on the internet can read them without an account.',
  },
  can_create_web_public_channel_group: { label: 'Who can create web-public channels' },
  can_add_subscribers_group: { label: 'Who can subscribe others to channels' },
  topics_policy: {
    label: 'Messages without a topic',
    hint: 'Channels can override this.',
    choices: { allow_empty_topic: 'Allowed', disable_empty_topic: 'Not allowed' },
  },
  can_set_topics_policy_group: {
    label: 'Who can decide whether a channel’s messages need a topic',
    hint: 'Only for channels that they administer.',
  },
  empty_topic_display_name: {
    label: 'Name of the empty topic',
    hint: 'Shown where a message has no topic.',
  },
  can_resolve_topics_group: { label: 'Who can resolve topics' },
  allow_message_editing: { label: 'Members can edit their messages' },
  message_content_edit_limit_seconds: {
    label: 'Time limit for editing',
    choices: { unlimited: 'No limit' },
  },
  message_edit_history_visibility_policy: {
    label: 'Edit history shows',
    choices: { all: 'Edits and moves', moves: 'Moves only', none: 'Nothing' },
  },
  can_move_messages_between_topics_group: { label: 'Who can move messages to another topic' },
  move_messages_within_stream_limit_seconds: {
    label: 'Time limit for moving to another topic',
    hint: 'Doesn’t apply to moderators and above.',
    choices: { unlimited: 'No limit' },
  },
  can_move_messages_between_channels_group: { label: 'Who can move messages to another channel' },
  move_messages_between_streams_limit_seconds: {
    label: 'Time limit for moving to another channel',
    hint: 'Doesn’t apply to moderators and above.',
    choices: { unlimited: 'No limit' },
  },
  can_delete_own_message_group: { label: 'Who can delete their own messages' },
  message_content_delete_limit_seconds: {
    label: 'Time limit for deleting your own messages',
    choices: { unlimited: 'No limit' },
  },
  can_delete_any_message_group: { label: 'Who can delete any message' },
  can_set_delete_message_policy_group: {
    label: 'Who can decide about deleting in a channel',
    hint: 'Only for channels that they administer.',
  },
  message_retention_days: {
    label: 'Keep messages for',
    hint: 'Older messages are deleted for good. Channels can override this.',
    choices: { unlimited: 'Forever' },
  },
  direct_message_initiator_group: { label: 'Who can start direct conversations' },
  direct_message_permission_group: {
    label: 'Who can authorize direct conversations',
    hint: 'At least one of them must take part. With Nobody, only conversations with bots are possible.',
  },
  can_mention_many_users_group: {
    label: 'Who can mention everyone',
    hint: 'With @all or @topic, when more than 15 people would be notified.',
  },
  inline_image_preview: {
    label: 'Show pictures and videos in messages',
    hint: 'Otherwise uploaded files are links. Applies to new messages.',
  },
  default_code_block_language: {
    label: 'Language of code blocks',
    hint: 'Such as python, for blocks that name no language. Leave empty for plain text.',
  },
  can_create_groups: { label: 'Who can create groups' },
  can_manage_all_groups: { label: 'Who can manage every group' },
  can_create_bots_group: { label: 'Who can create bots of any kind' },
  can_create_write_only_bots_group: {
    label: 'Who can create incoming webhooks',
    hint: 'Bots that only post messages.',
  },
  can_add_custom_emoji_group: { label: 'Who can add custom emoji' },
  new_stream_announcements_stream_id: { label: 'New channels' },
  signup_announcements_stream_id: { label: 'New members' },
  zulip_update_announcements_stream_id: { label: 'New versions of the server' },
  send_channel_events_messages: {
    label: 'Announce changes to a channel in the channel itself',
    hint: 'Such as its name, description, privacy, retention and who can post.',
  },
  message_content_allowed_in_email_notifications: {
    label: 'Show message text',
    hint: 'Otherwise they only say that there are new messages.',
  },
  moderation_request_channel_id: {
    label: 'Reported messages',
    hint: 'A private channel for moderators. Without one, messages can’t be reported.',
  },
  default_language: {
    label: 'Default language',
    hint: 'For emails and sign-in pages, and for people who haven’t chosen a language.',
  },
};

export const pictures = {
  title: 'Pictures',
  about: 'PNG, JPEG, GIF or WebP, up to 5 MB. The icon is square, logos are wide.',
  icon: 'Icon',
  logo: 'Logo',
  night_logo: 'Logo for dark pages',
  upload: (what: string) => `Upload ${what.toLowerCase()}`,
  remove: (what: string) => `Remove ${what.toLowerCase()}`,
};

export const domains = {
  title: 'Allowed domains',
  none: 'No domains yet',
  domain: 'Domain',
  add: 'Add domain',
  subdomains: 'Subdomains too',
  subdomainsOf: (domain: string) => `Subdomains of ${domain}, too`,
  remove: 'Remove',
};

export const welcome = { test: 'Send me a test message', sent: 'Test message sent' };
export const invitations = 'Open invitations';

export const methods = {
  title: 'Sign-in methods',
  about: 'At least one must stay on. People who are signed in stay signed in.',
  names: {
    Email: 'Email address and password',
    LDAP: 'Password of the company directory (LDAP)',
    'OpenID Connect': 'Single sign-on (OpenID Connect)',
    SAML: 'Single sign-on (SAML)',
    Dev: 'Without a password, for development',
  } as Record<string, string>,
};
