/** The texts of the console, but for those that are loaded with menus. The build inlines each one where it is used. */

export const close = 'Close';
export const cancel = 'Cancel';
export const save = 'Save';
export const skip = 'Skip to content';
export const menu = 'Menu';
export const signOut = 'Sign out';
export const navigation = 'Main navigation';
export const loading = 'Loading…';
export const notFound = 'Page not found';
export const notFoundAbout = 'It may not exist, or you may not have access to it.';
export const unreachable = 'Can’t reach the server. Try again in a moment.';
export const tryAgainIn = (seconds: number) => `Too many requests. Try again in ${seconds} seconds.`;
export const refused = (status: number) => `The server rejected this request (${status}).`;
export const tooLarge = 'Too large for this server.';
export const tryAgain = 'Try again';
export const remove = (name: string) => `Remove ${name}`;
export const connection = { starting: 'Connecting…', live: 'Live', lost: 'Connection lost. Reconnecting…' };
export const sections = { conversations: 'Conversations', administration: 'Administration' };

const list = new Intl.ListFormat('en');

export const reauthentication = {
  title: 'Confirm that it’s you',
  about: 'For your security, this needs a confirmation if you signed in more than ten minutes ago.',
  password: 'Your password',
  code: 'Code from your authenticator app, or a recovery code',
  action: 'Confirm',
  signIn: 'Sign out, and in again with your identity provider. Then try again.',
};

export const conversations = {
  inbox: 'Inbox',
  mentions: 'Mentions',
  starred: 'Starred',
  channels: 'Channels',
  direct: 'Direct messages',
  newDirect: 'New direct message',
  newDirectAbout: 'Choose one or more people.',
  findPeople: 'Name or email address',
  write: 'Write',
  unread: 'unread',
  allTopics: (count: number) => `All ${count} topics…`,
  topicsOf: (channel: string) => `Topics of #${channel}`,
  topic: 'Topic',
  unknownChannel: 'unknown channel',
  notesToSelf: 'Notes to yourself',
  searchMessages: 'Search messages',
  found: (text: string) => `Search results for “${text}”`,
  nothingFound: 'No messages match your search.',
  findChannel: 'Find a channel',
  noMentions: 'Messages that mention you appear here.',
  nothingStarred: 'Messages you star appear here.',
  nothingNew: 'No unread messages. Your channels:',
  emptyTopic: 'No messages yet.',
  emptyChannel: 'No messages yet. Start a new topic.',
  emptyDirect: 'No messages yet.',
  archived: 'This channel is archived.',
  notSubscribed: (channel: string) => `You’re not subscribed to #${channel}.`,
  subscribe: 'Subscribe',
  markRead: 'Mark as read',
  markAllRead: 'Mark all as read',
  allRead: (count: number) => (count === 1 ? 'Marked 1 message as read' : `Marked ${count} messages as read`),
  follow: 'Follow',
  mute: 'Mute',
  messagesOf: (title: string) => `Messages: ${title}`,
  newMessages: 'New',
  newBelow: (count: number) => (count === 1 ? '1 new message' : `${count} new messages`),
  toNewest: 'Jump to newest',
  typing: (names: readonly string[]) =>
    names.length > 3
      ? 'Several people are typing…'
      : `${list.format(names)} ${names.length === 1 ? 'is' : 'are'} typing…`,
  edited: 'edited',
  isStarred: 'starred',
  toolsOf: (name: string, time: string) => `Message from ${name}, ${time}`,
  react: 'Add reaction',
  reacted: (emoji: string, names: readonly string[]) => `${emoji}: ${names.join(', ')}`,
  star: 'Star',
  unstar: 'Unstar',
  quote: 'Quote',
  said: 'said',
  more: 'More actions',
  topicMenu: 'Topic actions',
  channelMenu: 'Channel actions',
  edit: 'Edit',
  changed: (now: string) => `Someone else changed this to “${now}”. Save again to overwrite it.`,
  editorLabel: 'Message text',
  send: 'Send',
  schedule: 'Schedule message',
  attach: 'Attach files',
  uploading: (count: number) => (count === 1 ? 'Uploading a file…' : `Uploading ${count} files…`),
  notSent: (place: string, why: string) => `Message to ${place} not sent. ${why}`,
  writeTo: (place: string) => `Message ${place}`,
  startTopic: 'New topic',
  tooLong: (count: number, most: number) => `Message too long: ${count} of ${most} characters.`,
  enterSends: 'Enter to send, Shift+Enter for a new line. Markdown supported.',
  ctrlEnterSends: 'Ctrl+Enter to send. Markdown supported.',
  suggestions: 'Suggestions',
  wildcards: { all: 'everyone in this conversation', topic: 'everyone in this topic' },
};

export const unsent = {
  title: 'Messages not sent yet',
  sending: 'Sending…',
  waits: 'Can’t reach the server. This message will be sent when the connection is back.',
  refused: (why: string) => `Not sent. ${why}`,
  tooOld: 'Messages are not sent automatically after six days.',
  again: 'Send now',
  edit: 'Edit text',
  discard: 'Discard',
  signOut: 'You have unsent messages. Sign out and discard them?',
};

export const overviews = {
  recent: 'Recent conversations',
  feed: 'Combined feed',
  emptyFeed: 'No messages yet.',
  caughtUp: 'You’re all caught up',
  filter: 'Filter conversations',
  filters: {
    unread: 'Unread',
    participated: 'Participated',
    direct: 'Direct messages',
    followed: 'Followed',
    muted: 'Include muted',
  },
  noneFit: 'No conversations match.',
  loadOlder: 'Load older conversations',
  lastFrom: (name: string) => `${name}:`,
  you: 'You',
  attachment: 'Attachment',
  mentioned: 'mentions you',
  followed: 'followed',
  muted: 'muted',
};

export const browsing = {
  title: 'Browse channels',
  tabs: { available: 'Available', subscribed: 'Subscribed', all: 'All' },
  subscribed: 'Subscribed',
  subscribers: (count: number) => (count === 1 ? '1 subscriber' : `${count} subscribers`),
  weekly: (count: number, shown: string) =>
    count === 0 ? 'no recent messages' : count === 1 ? '1 message a week' : `${shown} messages a week`,
  join: 'Join',
  joinIt: (name: string) => `Join #${name}`,
  joined: (name: string) => `You joined #${name}.`,
  leave: 'Leave',
  leaveIt: (name: string) => `Leave #${name}`,
  left: (name: string) => `You left #${name}.`,
  leaveAbout: 'This channel is private. To come back, you need someone to add you.',
  inAll: 'You’re subscribed to every channel you can join.',
  noneFit: 'No channels match.',
};

export const drafts = 'Drafts';
export const scheduled = 'Scheduled messages';
export const reminders = 'Reminders';
export const hasDraft = 'draft';
export const undo = 'Undo';

export const add = 'Add';
export const erase = 'Delete';
export const done = 'Done';
export const saved = 'Saved';
export const copy = 'Copy';
export const copied = 'Copied';
export const copyCode = 'Copy code';
export const codeCopied = 'Code copied';
export const reload = 'Reload';
export const older = 'Load older';
export const find = 'Filter';
export const name = 'Name';
export const email = 'Email address';
export const role = 'Role';
export const time = 'Time';
export const yesterday = 'Yesterday';
export const action = 'Action';
export const result = 'Result';
export const description = 'Description';
export const parts = 'Sections';
export const none = 'None';
export const nothingFound = 'No results';
export const more = (count: number) => `${count} more. Refine your search to see them.`;
export const notForYou = 'You don’t have access to this page';
export const notAllowed = 'You don’t have permission to change this.';

export const only = {
  administrators: 'Visible to administrators only',
  owners: 'Visible to owners only',
};

export const settings = {
  unlimited: 'no limit',
  changed: 'Someone else changed this while you were editing. Choose again.',
};

export const settingsTitle = 'Settings';

export const members = {
  title: 'Members',
  add: 'Add member',
  choose: 'Choose a person',
  remove: 'Remove',
};

export const people = {
  bot: 'bot',
  guest: 'guest',
  deactivated: 'deactivated',
  title: 'People',
  roles: {
    owner: 'Owner',
    administrator: 'Administrator',
    moderator: 'Moderator',
    member: 'Member',
    guest: 'Guest',
  },
  count: (count: number) => (count === 1 ? '1 person' : `${count} people`),
  add: 'Add person',
  added: (name: string) => `Account created for ${name}.`,
  import: 'Import people',
  invitations: 'Invitations',
  password: 'Initial password',
  passwordAbout: 'Parley doesn’t email it. Send it to them yourself.',
  standing: 'Status',
  active: 'active',
  all: 'All',
  deactivate: 'Deactivate',
  deactivateAbout: (name: string) => `${name} can’t sign in until reactivated. Messages are kept.`,
  reactivate: 'Reactivate',
  reactivateAbout: (name: string) => `${name} can sign in again, with the same role and subscriptions.`,
  sessions: 'Sessions',
  noSessions: 'No active sessions',
  since: 'Signed in',
  lastUsed: 'Last used',
  program: 'Client',
  thisSession: 'This session',
  end: 'Sign out',
  endAll: 'Sign out all sessions',
  endAbout: 'Requires signing in again.',
  link: 'Password reset',
  makeLink: 'Create reset link',
  linkAbout:
    'This link sets a new password. It works once and expires in one hour. Share it only with its owner.',
};

export const adding = {
  about: 'One person per line: name, email address and, optionally, role.',
  file: 'CSV file',
  text: 'People',
  example: 'Ada Adler, ada@example.com, member',
  preview: 'Preview',
  ready: 'Ready to add',
  add: (count: number) => (count === 1 ? 'Add 1 person' : `Add ${count} people`),
  problems: {
    name: 'Name missing',
    email: 'Email address missing',
    role: 'Unknown role',
    twice: 'Duplicate email address',
    known: 'Email address already in use',
  },
};

export const invitations = {
  invite: 'Invite',
  whom: 'Invitee',
  by: 'Invited by',
  until: 'Expires',
  addresses: 'Email addresses',
  addressesAbout: 'Separate addresses with commas or line breaks. Leave empty to create a reusable link.',
  revoke: 'Revoke',
  revokeAbout: 'The link stops working.',
};

export const bots = {
  title: 'Bots',
  about: 'All bots in the organization.',
  add: 'Create bot',
  kind: 'Type',
  kinds: {
    generic: 'Generic bot',
    incoming: 'Incoming webhook',
    outgoing: 'Outgoing webhook',
  },
  owner: 'Owner',
  ownedBy: (name: string) => `owned by ${name}`,
  url: 'Endpoint URL',
  urlAbout: 'Receives messages that mention the bot.',
  key: 'API key',
  showKey: 'Show API key',
  newKey: 'Generate new key',
  newKeyAbout: 'The current key stops working immediately.',
  deactivateAbout: (name: string) => `${name} stops working until reactivated. Its messages are kept.`,
  reactivateAbout: (name: string) => `${name} works again.`,
  deliveries: 'Recent deliveries',
  noDeliveries: 'No deliveries yet',
  message: 'Message',
  attempt: 'Attempt',
  answer: 'Response',
};

export const channels = {
  title: 'Channels',
  add: 'Create channel',
  privately: 'Private: visible to subscribers only',
  kind: 'Type',
  public: 'public',
  private: 'private',
  webPublic: 'public on the web',
  archived: 'archived',
  read: 'Read',
  archive: 'Archive',
  archiveAbout: 'No one can post to an archived channel. Its messages are kept.',
  unarchive: 'Unarchive',
  unarchiveAbout: 'People can post to this channel again.',
  tabs: { general: 'General', permissions: 'Permissions', subscribers: 'Subscribers' },
};

export const why = {
  title: 'Why?',
  about: 'See what a person can do, and why.',
  person: 'Person',
  object: 'Applies to',
  kinds: { organization: 'The organization', channel: 'A channel', group: 'A group' },
  yes: 'Yes.',
  no: 'No.',
  allowed: 'Allowed',
  all: 'All actions',
  sentence: (name: string, allowed: boolean, action: string) =>
    `${name} ${allowed ? 'can' : 'can’t'}: ${action}`,
  setting: 'Permission',
  group: 'Group',
  chosen: 'Individual people and groups',
};

export const organization = {
  title: 'Organization',
  about: 'Settings for everyone in the organization.',
  tabs: { general: 'General', permissions: 'Permissions', signIn: 'Sign-in' },
  factors: {
    title: 'Second factor',
    about: 'People who lack one set it up when they next sign in. API keys keep working.',
    label: 'Required for',
    choices: { nobody: 'No one', administrators: 'Administrators and owners', everyone: 'Everyone' },
    ownersOnly: 'Only owners can change this.',
  },
};

export const linkifiers = {
  title: 'Linkifiers',
  about: 'Patterns that turn text in new messages into links.',
  add: 'Add linkifier',
  pattern: 'Pattern',
  patternAbout: 'A regular expression. (?P<id>…) captures a value.',
  template: 'URL template',
  templateAbout: '{id} is replaced with the captured value.',
  trial: 'Test text',
  sample: 'See #123 and #456.',
  noLinks: 'No matches',
  deleteAbout: (pattern: string) => `New messages won’t link ${pattern}. Existing links stay.`,
};

export const emoji = {
  title: 'Emoji',
  about: 'Custom emoji for everyone in the organization.',
  add: 'Add emoji',
  nameAbout: 'Lowercase letters, digits, _ and -.',
  picture: 'Image',
  deleteAbout: (name: string) => `:${name}: can’t be used any more. Existing messages and reactions keep it.`,
};

export const audit = {
  title: 'Audit log',
  about: 'Changes to accounts, channels, groups, settings and the server.',
  who: 'Actor',
  what: 'Target',
  details: 'Details',
  from: 'IP address',
  filters: { action: 'Action', actor_id: 'Actor', target_user_id: 'Affected person' },
};

export const health = {
  title: 'Health',
  attention: '(needs attention)',
  server: 'Server',
  ready: (since: string) => `ready, started ${since}`,
  nodes: (count: number) => (count === 1 ? '1 node' : `${count} nodes`),
  database: 'Database',
  answers: (engine: string, ms: string, bytes: string) => `${engine}, ${bytes}, responds in ${ms} ms`,
  disk: 'Disk',
  free: (free: string, total: string) => `${free} of ${total} free`,
  backup: 'Last backup',
  noBackup: 'None yet. Run npx parley backup.',
  memory: 'Memory',
  clients: 'Clients',
  queues: (queues: string, polls: string) => `${queues} event queues, ${polls} waiting`,
  writes: 'Writes',
  waiting: (count: string) => `${count} waiting`,
  events: 'Events',
  kept: (kept: string, lag: string) => `${kept} stored, ${lag} unread`,
  jobs: 'Jobs',
  jobCounts: (waiting: string, failed: string) => `${waiting} waiting, ${failed} failed`,
  signIns: 'Sign-ins',
  failures: (failed: string, throttled: string) => `${failed} failed, ${throttled} rate-limited`,
  routes: 'Slowest routes',
  route: 'Route',
  mean: 'Mean (ms)',
  p95: 'p95 (ms)',
  requests: 'Requests',
  drawn: 'Compared',
  kind: 'Type',
  isWaiting: 'Waiting',
  isDone: 'Done',
  hasFailed: 'Failed',
  configuration: 'Configuration',
  variable: 'Variable',
  value: 'Value',
  secret: 'set (hidden)',
  meaning: 'Meaning',
};

export const groups = {
  about: 'A line leads from a group to its subgroup. Members of the subgroup also belong to the group.',
  graph: 'Groups and subgroups',
  withRoles: 'Show role groups',
  inside: 'Subgroups',
  addInside: 'Add subgroup',
  add: 'Create group',
  tabs: { members: 'Members', permissions: 'Permissions', general: 'General' },
  deactivateAbout: (name: string) => `${name} can’t be used until reactivated. Its members are kept.`,
  reactivateAbout: (name: string) => `${name} can be used again, with the same members.`,
  change: 'Choose…',
  roles: 'By role',
  groups: 'Groups',
  people: 'People',
  unknown: 'Hidden group',
  fixed: 'Membership is based on roles.',
  system: {
    'role:internet': 'Everyone on the internet',
    'role:everyone': 'Everyone, including guests',
    'role:members': 'Members',
    'role:fullmembers': 'Full members',
    'role:moderators': 'Moderators',
    'role:administrators': 'Administrators',
    'role:owners': 'Owners',
    'role:nobody': 'Nobody',
  },
};

export const quietUntil = (time: string) => `Notifications paused until ${time}`;
export const hiddenText = 'New direct message';
