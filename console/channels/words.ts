/** The texts of the settings of a channel, which are loaded with them. */

export const tabs = {
  general: 'General',
  permissions: 'Permissions',
  subscribers: 'Subscribers',
  own: 'Personal',
};

export const sections = {
  about: 'Name and description',
  readers: 'Who can read it',
  messages: 'Topics and messages',
  writing: 'Writing',
  subscribers: 'Subscribers',
  moderation: 'Moderation',
  administration: 'Administration',
};

/** Stands below the heading of a section. */
export const about: Partial<Record<keyof typeof sections, string>> = {
  moderation: 'In addition to people who can do this in every channel.',
};

export const administratorsOnly = 'Only administrators can change this.';
export const publicOnly = 'Only public channels that aren’t archived can have this.';
export const notAllowedHere = 'Your organization doesn’t let you change this.';

export const settings = {
  new_name: { label: 'Name' },
  description: { label: 'Description', hint: 'Markdown works.' },
  is_default_stream: {
    label: 'Subscribe new members',
    hint: 'Everyone who joins is in this channel from the start.',
  },
  topics_policy: {
    label: 'Messages without a topic',
    choices: {
      inherit: 'As in the organization',
      allow_empty_topic: 'Allowed',
      disable_empty_topic: 'Not allowed',
      empty_topic_only: 'Required: the channel has no topics',
    },
  },
  message_retention_days: {
    label: 'Keep messages for',
    hint: 'Older messages are deleted for good.',
    choices: { unlimited: 'Forever' },
  },
  can_send_message_group: { label: 'Who can post' },
  can_create_topic_group: { label: 'Who can start topics' },
  can_subscribe_group: {
    label: 'Who can subscribe themselves',
    hint: 'They can also find and read the channel while it’s private. Members can always join a public one.',
  },
  can_add_subscribers_group: {
    label: 'Who can subscribe others',
    hint: 'In addition to people who can subscribe others to any channel. They can also find and read the channel.',
  },
  can_remove_subscribers_group: {
    label: 'Who can unsubscribe others',
    hint: 'In addition to administrators.',
  },
  can_resolve_topics_group: { label: 'Who can resolve topics' },
  can_move_messages_within_channel_group: { label: 'Who can move messages to another topic' },
  can_move_messages_out_of_channel_group: { label: 'Who can move messages to another channel' },
  can_delete_own_message_group: { label: 'Who can delete their own messages' },
  can_delete_any_message_group: { label: 'Who can delete any message' },
  can_administer_channel_group: {
    label: 'Who can administer the channel',
    hint: 'In addition to administrators. They can change these settings, and archive the channel.',
  },
};

export const privacy = {
  label: 'Privacy',
  kinds: {
    public: 'Public: members can find, read and join it',
    webPublic: 'Web-public: anyone on the internet can read it',
    shared: 'Private: new subscribers see all messages',
    protected: 'Private: new subscribers see new messages only',
  },
  notOffered: 'Web-public channels are turned off in the organization.',
  unavailable: {
    unread: 'Only subscribers can change this, as the channel is private.',
    isDefault: 'A private channel can’t subscribe new members: turn that off first.',
    mayNotPrivate: 'You don’t have permission to create private channels.',
    mayNotPublic: 'You don’t have permission to create public channels.',
    mayNotWebPublic: 'You don’t have permission to create web-public channels.',
  },
};

export const folder = {
  label: 'Folder',
  hint: 'Other apps group channels by folder.',
  none: 'None',
  add: 'New folder…',
  title: 'New folder',
  create: 'Create folder',
};

export const emailAddress = {
  title: 'Email address',
  about:
    'Email to this address is posted in the channel; its subject is the topic. The address is yours: anyone who has it can post, so share it with care.',
  show: 'Show address',
  sender: 'Post as',
  gateway: 'Email gateway',
  you: 'You',
  options: {
    'show-sender': 'Show the sender’s address',
    'include-footer': 'Keep footers, such as signatures',
    'include-quotes': 'Keep quoted messages in replies',
    'prefer-html': 'Prefer HTML to plain text',
  },
};

export const byDefault = (value: string) => `As in the organization (${value})`;

export const own = {
  about: 'Only you see this.',
  notSubscribed: 'Subscribe to the channel to change these.',
  is_muted: 'Mute',
  is_muted_hint: 'Its messages don’t count as unread.',
  pin_to_top: 'Pin to the top of the sidebar',
  choose: 'Choose color',
  notifications: 'Notifications',
  notificationsAbout: 'Once changed here, a channel no longer follows your general settings.',
  desktop_notifications: 'Desktop notifications',
  audible_notifications: 'Sounds',
  push_notifications: 'Push notifications',
  email_notifications: 'Email',
  wildcard_mentions_notify: 'Treat @all and @topic as mentions',
  asElsewhere: (isOn: boolean) => `As in all channels (${isOn ? 'on' : 'off'})`,
  on: 'On',
  off: 'Off',
};
