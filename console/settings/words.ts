/** The texts of the settings, which are loaded with them. */

export const title = 'Settings';
export const find = 'Find a setting';
export const found = (text: string) => `Settings with “${text}”`;

export const pages = {
  profile: 'Profile',
  account: 'Account & password',
  security: 'Two-factor sign-in',
  keys: 'API keys',
  devices: 'Devices',
  preferences: 'Preferences',
  notifications: 'Notifications',
  privacy: 'Privacy',
  muted: 'Muted',
};

export const about: Record<keyof typeof pages, string> = {
  profile: 'What others see of you.',
  account: 'How you sign in.',
  security: 'A passkey, or a code from an app, asked for after your password.',
  keys: 'For programs that act for you or your bots. A key never has more rights than its account.',
  devices: 'Browsers in which you’re signed in.',
  preferences: 'How the console looks and behaves. Changes apply at once.',
  notifications: 'What you’re notified of, and how. Changes apply at once.',
  privacy: 'What others learn of you. Changes apply at once.',
  muted: 'People and topics that don’t notify you.',
};

export const profile = {
  picture: 'Picture',
  pictureAbout: 'JPEG, PNG, GIF or WebP, up to 5 MB. It’s cropped to a square.',
  upload: 'Upload picture',
  remove: 'Remove picture',
  details: 'Details',
  name: 'Name',
  fixedName: 'Your organization doesn’t allow changing names.',
  fixedPicture: 'Your organization doesn’t allow changing pictures.',
  timeZone: 'Time zone',
  timeZoneAbout: 'Others see your local time.',
  noTimeZone: 'Not set',
  useDevice: (zone: string) => `Use this device’s (${zone})`,
};

export const account = {
  email: 'Email address',
  changeEmail: 'Change email address',
  newEmail: 'New email address',
  fixedEmail: 'Your organization doesn’t allow changing email addresses.',
  emailChanged: 'Email address changed',
  password: 'Password',
  changePassword: 'Change password',
  currentPassword: 'Current password',
  newPassword: 'New password',
  passwordAbout: 'Long and hard to guess, such as four unrelated words.',
  passwordEffect: 'All your other devices are signed out.',
  passwordChanged: 'Password changed',
  role: 'Role',
};

export const security = {
  off: 'Two-factor sign-in is off.',
  on: 'Two-factor sign-in is on.',
  left: (count: number) => (count === 1 ? '1 recovery code left' : `${count} recovery codes left`),
  few: 'For new codes, set up an authenticator app again.',
  setUp: 'Set up',
  setUpTitle: 'Set up two-factor sign-in',
  proceed: 'Continue',
  scan: 'Scan this with an authenticator app, or enter the key.',
  picture: 'QR code with the key',
  key: 'Key',
  code: 'Code from the app',
  codeAbout: 'Your other sessions are signed out.',
  turnOn: 'Turn on',
  codesTitle: 'Recovery codes',
  codesAbout:
    'Each signs you in once, without app or passkey. Keep them apart from your phone: they aren’t shown again.',
  kept: 'I’ve saved them',
  turnOff: 'Turn off',
  turnOffTitle: 'Remove the authenticator app',
  anyCode: 'Code from the app, or a recovery code',
};

export const passkeys = {
  title: 'Passkeys',
  about: 'Sign in with your fingerprint, face, PIN or security key, with or without your password.',
  none: 'No passkeys yet',
  unsupported: 'This browser has no passkeys.',
  add: 'Add a passkey',
  nameAbout: 'How you recognize it, such as “Laptop”.',
  rename: 'Rename',
  remove: 'Remove',
  removeAbout: 'It no longer signs you in, and your other sessions are signed out.',
  added: 'Added',
  used: 'Last used',
  site: 'For',
};

export const app = { title: 'Authenticator app', on: 'Set up', off: 'Not set up' };

export const keys = {
  add: 'Create key',
  none: 'No API keys yet',
  account: 'Account',
  scopes: 'Can',
  expires: 'Expires',
  never: 'Never',
  used: 'Last used',
  notUsed: 'Never',
  revoke: 'Revoke',
  revokeAbout: (name: string) => `Programs that use “${name}” stop working immediately.`,
  nameAbout: 'What uses it, such as “deploys”.',
  scopesLabel: 'What it can do',
  passwordAbout: 'Leave it empty if you sign in with a provider only.',
  noScope: 'Choose at least one.',
  channels: 'Channels',
  allChannels: 'All that the account sees',
  channelsAbout: 'With channels here, the key reaches them alone: no other messages, direct ones included.',
  chooseChannel: 'Limit to a channel…',
  names: {
    read: 'Read',
    send: 'Send',
    manage_channels: 'Manage channels',
    manage_people: 'Manage people',
    administer: 'Administer',
  } as Record<string, string>,
  abouts: {
    read: 'Messages, channels, people and files that the account sees',
    send: 'Send, edit, delete and react; upload files',
    manage_channels: 'Create and change channels, subscribe people',
    manage_people: 'Accounts, groups, invitations, and the account’s own settings',
    administer: 'Settings of the organization',
  } as Record<string, string>,
  lifetime: 'Expires after',
  lifetimes: { 7: '7 days', 30: '30 days', 90: '90 days', 365: '1 year', 0: 'Never' },
  lifetimeOrder: ['7', '30', '90', '365', '0'],
  shownTitle: 'New API key',
  shownAbout: 'Copy it now: it isn’t shown again.',
  key: 'API key',
  file: 'zuliprc file',
};

/** What is said of a wrong password (`words/refusals`), by which a form knows where they belong. */
export const wrongPassword = 'Wrong password.';

export const devices = {
  endAll: 'Sign out all other sessions',
  remembered: 'Remembered browsers',
  rememberedAbout: 'These don’t ask for a code when you sign in.',
  thisBrowser: 'this browser',
  since: 'Since',
  forget: 'Forget',
  forgetAll: 'Forget all browsers',
  forgetAbout: 'The next sign-in there needs a code again.',
};

export const appearance = {
  title: 'Appearance',
  theme: 'Theme',
  themes: ['Same as the system', 'Dark', 'Light'],
  size: 'Text size',
  sizes: (px: number) => (px === 16 ? '16 (default)' : String(px)),
  lines: 'Line spacing',
  spacings: { 122: 'Compact', 140: 'Normal', 160: 'Wide' } as Record<number, string>,
  percent: (percent: number) => `${percent} %`,
  sample:
    'The quick brown fox jumps over the lazy dog. It doesn’t mind: it was asleep, and will sleep again.',
  contrast: 'High contrast',
  contrastAbout: 'Darker lines and stronger text.',
  wide: 'Use the full width for messages',
};

export const time = {
  title: 'Time',
  format: 'Time format',
};

export const writing = {
  title: 'Writing and keyboard',
  enter: 'Enter sends the message',
  enterAbout: 'Shift+Enter starts a new line. Otherwise Enter starts a new line and Ctrl+Enter sends.',
  emoticons: 'Turn emoticons such as :) into emoji',
  keys: 'Single-key shortcuts',
  keysAbout: 'Such as R to reply. On this device only. Press ? for the list.',
};

export const reading = {
  title: 'Reading',
  mark: 'Mark messages as read when I see them',
  marked: ['In all views', 'In topics and direct messages', 'Never'],
};

export const firstView = {
  title: 'First view',
  homes: { inbox: 'Inbox', recent: 'Recent conversations', all_messages: 'Combined feed' },
  escape: 'Escape opens the first view',
  escapeAbout: 'If nothing else is open.',
};

export const languages = {
  title: 'Language',
  about: 'The console speaks English and German. Other apps know more languages.',
};

export const topics = {
  title: 'Following topics',
  about: 'The server does this as messages arrive, for all your apps.',
  follow: 'Follow topics automatically',
  unmute: 'Unmute topics of muted channels automatically',
  policies: ['When I take part', 'When I send a message', 'When I start them', 'Never'],
  mentioned: 'Follow topics in which I’m mentioned',
  resolved: 'Mark “resolved” notices as read',
  resolvedPolicies: { always: 'Always', except_followed: 'Except in followed topics', never: 'Never' },
};

export const privacy = {
  presence: 'Presence and typing',
  presence_enabled: 'Show when I’m active',
  presenceAbout: 'Otherwise you appear offline to others.',
  send_private_typing_notifications: 'Show when I’m typing direct messages',
  send_stream_typing_notifications: 'Show when I’m typing in channels',
  receives_typing_notifications: 'Show when others are typing',
  reading: 'Reading',
  send_read_receipts: 'Show others what I’ve read',
  email: 'Email address',
  visibility: 'Who can see my email address',
  visibilities: { 1: 'Everyone', 2: 'Members', 5: 'Moderators', 3: 'Administrators', 4: 'No one' },
  data: 'Exports',
  allow_private_data_export: 'Let administrators export my private messages and data',
};

export const muted = {
  people: 'People',
  peopleAbout: 'Their messages are marked as read when they arrive, so they don’t notify you.',
  noPeople: 'You haven’t muted anyone',
  add: 'Mute a person',
  choose: 'Choose a person',
  mute: 'Mute',
  unmute: 'Unmute',
  topics: 'Topics',
  topicsAbout: 'Topics that differ from their channel’s settings. Mute or follow more from a topic’s menu.',
  noTopics: 'All topics use their channel’s settings',
  topic: 'Topic',
  policy: (topic: string) => `Notifications of ${topic}`,
  notified: 'Notifications',
  policies: ['Default', 'Muted', 'Unmuted', 'Followed'],
};

export const alertWords = {
  title: 'Alert words',
  about: 'Messages with one of these words notify you as mentions do.',
  word: 'Word or phrase',
  add: 'Add',
};

export const notifications = {
  title: 'Desktop notifications',
  states: {
    granted: 'This browser shows notifications.',
    default: 'This browser doesn’t show notifications yet.',
    denied: 'Notifications are blocked. Allow them in your browser’s settings.',
    missing: 'Notifications need HTTPS, and a browser that supports them.',
  },
  turnOn: 'Turn on',
  test: 'Test notification',
  sample: 'Notifications work.',
  what: 'What to be notified of',
  about:
    'Desktop and sound work while the console is open, push while it’s closed. Single channels differ if you say so in their settings, under Personal.',
  messages: 'Messages',
  columns: { desktop: 'Desktop', sound: 'Sound', push: 'Push', email: 'Email' },
  rows: {
    personal: 'Direct messages, mentions and alert words',
    followed: 'Followed topics',
    channels: 'Channels',
  },
  cell: (row: string, column: string) => `${row}: ${column.toLowerCase()}`,
  wildcards: 'Treat @all and @topic as mentions',
  followedWildcards: 'Treat them as mentions in followed topics',
  online: 'Send push notifications while I’m active, too',
  text: 'Show the text of direct messages',
  mail: 'Email',
  mailAbout:
    'You get email about what you missed while away, if this server sends email. Alert words send no email.',
  mailText: 'Show messages in emails',
  mailAfter: 'Send emails after',
  mailAfterHint: 'Messages that you miss in that time come in one email for each conversation.',
  delays: {
    120: '2 minutes',
    300: '5 minutes',
    600: '10 minutes',
    1800: '30 minutes',
    3600: '1 hour',
    21600: '6 hours',
    86400: '1 day',
  },
  signIns: 'Tell me about sign-ins from new devices',
  sounds: 'Play sounds',
  count: 'Number in the title and icon',
  counts: [
    'All unread messages',
    'Direct messages, mentions and followed topics',
    'Direct messages and mentions',
    'None',
  ],
};
