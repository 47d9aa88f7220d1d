/** Everything that the console says, in English. Whoever builds the console puts each text where it is used. */

export const close = 'Close';
export const cancel = 'Cancel';
export const save = 'Save';
export const skip = 'Skip to content';
export const menu = 'Menu';
export const signOut = 'Sign out';
export const navigation = 'Pages';
export const loading = 'Loading…';
export const notFound = 'There is no such page';
export const notFoundAbout = 'The address may be mistyped, or lead to what you may not see.';
export const unreachable = 'The server cannot be reached. Please try again in a moment.';
export const tryAgainIn = (seconds: number) => `Too many requests. Please try again in ${seconds} seconds.`;
export const refused = (status: number) => `The server refused this (${status}).`;
export const tooLarge = 'This is too large for the server.';
export const tryAgain = 'Try again';
export const remove = (name: string) => `Remove ${name}`;
export const connection = { starting: 'Connecting…', live: 'Live', lost: 'Connection lost, trying again…' };
export const sections = { conversations: 'Conversations', administration: 'Administration' };

export const conversations = {
  inbox: 'Inbox',
  mentions: 'Mentions',
  starred: 'Starred',
  channels: 'Channels',
  direct: 'Direct messages',
  newDirect: 'New direct message',
  newDirectAbout: 'Choose one person or several.',
  findPeople: 'Name or e-mail address',
  write: 'Write',
  unread: 'unread',
  allTopics: (count: number) => `All ${count} topics…`,
  topicsOf: (channel: string) => `Topics of #${channel}`,
  topic: 'Topic',
  unknownChannel: 'unknown channel',
  notesToSelf: 'Notes to yourself',
  searchMessages: 'Search messages',
  found: (text: string) => `Messages with “${text}”`,
  nothingFound: 'No message has all of these words.',
  findChannel: 'Find a channel',
  noMentions: 'Messages that mention you will be here.',
  nothingStarred: 'Star a message to find it here again.',
  nothingNew: 'Nothing new. These are your channels:',
  emptyTopic: 'Nobody has written here yet.',
  emptyChannel: 'Nobody has written here yet. Begin with a topic.',
  emptyDirect: 'You have not written to each other yet.',
  archived: 'This channel is archived.',
  notSubscribed: (channel: string) => `You do not subscribe to #${channel}.`,
  subscribe: 'Subscribe',
  markRead: 'Mark as read',
  markAllRead: 'Mark all as read',
  markAllAbout: 'Everything counts as read then, in all conversations.',
  follow: 'Follow',
  mute: 'Mute',
  messagesOf: (title: string) => `Messages: ${title}`,
  newMessages: 'New',
  newBelow: (count: number) => (count === 1 ? '1 new message' : `${count} new messages`),
  edited: 'edited',
  isStarred: 'starred',
  toolsOf: (name: string, time: string) => `Message of ${name}, ${time}`,
  react: 'Add a reaction',
  reacted: (emoji: string, names: readonly string[]) => `${emoji}: ${names.join(', ')}`,
  emojiName: 'Name of the emoji',
  noEmoji: 'No emoji is called so.',
  star: 'Star',
  unstar: 'Remove the star',
  quote: 'Quote',
  edit: 'Edit',
  changed: (now: string) => `Changed elsewhere meanwhile, to “${now}”. Save again to replace that.`,
  editorLabel: 'Text of the message',
  send: 'Send',
  attach: 'Attach files',
  uploading: (count: number) => (count === 1 ? 'Uploading a file…' : `Uploading ${count} files…`),
  notSent: (place: string, why: string) => `Not sent to ${place}. ${why}`,
  writeTo: (place: string) => `Message ${place}`,
  startTopic: 'Begin a topic',
  tooLong: (count: number, most: number) =>
    `This has ${count} characters, and a message has at most ${most}.`,
  enterSends: 'Enter sends, Shift+Enter begins a line. Markdown works.',
  ctrlEnterSends: 'Ctrl+Enter sends. Markdown works.',
  suggestions: 'Suggestions',
  wildcards: { all: 'everybody in this conversation', topic: 'everybody in this topic' },
};

export const add = 'Add';
export const erase = 'Delete';
export const done = 'Done.';
export const saved = 'Saved.';
export const copy = 'Copy';
export const copied = 'Copied.';
export const reload = 'Read again';
export const older = 'Older ones';
export const find = 'Find';
export const name = 'Name';
export const email = 'E-mail address';
export const role = 'Role';
export const time = 'Time';
export const action = 'Action';
export const result = 'Result';
export const address = 'Address';
export const description = 'Description';
export const parts = 'Parts of the page';
export const none = 'None.';
export const nothingFound = 'Nothing fits.';
export const more = (count: number) => `${count} more: narrow the search.`;
export const notForYou = 'This page is not for you';
export const notAllowed = 'You may not change this.';

export const only = {
  administrators: 'Administrators see it.',
  owners: 'Owners see it.',
};

export const settings = {
  unlimited: 'no limit',
  changed: 'Somebody else changed this meanwhile. Choose again.',
};

export const account = {
  title: 'Your account',
  tabs: { sessions: 'Signed in', settings: 'Settings' },
  endAll: 'Sign out everywhere else',
};

export const members = {
  title: 'Members',
  add: 'Somebody else',
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
  add: 'Add a person',
  added: (name: string) => `${name} has an account now.`,
  import: 'Add many',
  invitations: 'Invitations',
  password: 'First password',
  passwordAbout: 'Hand it over by a way of your own.',
  standing: 'Standing',
  active: 'active',
  all: 'All',
  deactivate: 'Deactivate',
  deactivateAbout: (name: string) =>
    `${name} is out of use until somebody brings it back. What was written stays.`,
  reactivate: 'Bring back',
  reactivateAbout: (name: string) => `${name} is in use again, as before.`,
  sessions: 'Signed in',
  noSessions: 'Nowhere.',
  since: 'Since',
  program: 'Program',
  thisSession: 'here',
  end: 'Sign out',
  endAll: 'Sign out everywhere',
  endAbout: 'Whoever is signed in there has to sign in again.',
  link: 'New password',
  makeLink: 'Make a link',
  linkAbout: 'Whoever has this link sets the password, once, within an hour. Give it to nobody else.',
};

export const adding = {
  about: 'A line for each person: name, e-mail address and, if you like, role.',
  file: 'File (CSV)',
  text: 'Lines',
  example: 'Ada Adler, ada@example.com, member',
  preview: 'Preview',
  ready: 'can be added',
  add: (count: number) => (count === 1 ? 'Add 1 person' : `Add ${count} people`),
  problems: {
    name: 'There is no name.',
    email: 'There is no e-mail address.',
    role: 'There is no such role.',
    twice: 'The address comes twice.',
    known: 'Somebody has this address already.',
  },
};

export const invitations = {
  invite: 'Invite',
  whom: 'Whom',
  by: 'By',
  until: 'Until',
  addresses: 'E-mail addresses',
  addressesAbout: 'Separated by commas or lines. Without any, you get a link for several people.',
  revoke: 'Revoke',
  revokeAbout: 'The link no longer lets anybody in.',
};

export const bots = {
  title: 'Bots',
  about: 'Programs with an account, whoever owns them.',
  add: 'Make a bot',
  kind: 'Kind',
  kinds: {
    generic: 'Reads and writes',
    incoming: 'Writes (incoming webhook)',
    outgoing: 'Is called (outgoing webhook)',
  },
  owner: 'Owner',
  ownedBy: (name: string) => `owned by ${name}`,
  url: 'Address to call',
  urlAbout: 'Where messages go that mention the bot.',
  key: 'API key',
  showKey: 'Show the key',
  newKey: 'New key',
  newKeyAbout: 'The present key stops working at once.',
  deliveries: 'Last calls',
  noDeliveries: 'It has not been called yet.',
  message: 'Message',
  attempt: 'Attempt',
  answer: 'What it answered',
};

export const channels = {
  title: 'Channels',
  add: 'Make a channel',
  privately: 'Private: only subscribers know of it',
  kind: 'Kind',
  public: 'public',
  private: 'private',
  webPublic: 'open to everybody',
  archived: 'archived',
  read: 'Read',
  archive: 'Archive',
  archiveAbout: 'Nobody can write there any more. What was written stays.',
  unarchive: 'Bring back',
  unarchiveAbout: 'People can write there again.',
  tabs: { general: 'General', permissions: 'Who may do what', subscribers: 'Subscribers' },
};

export const why = {
  title: 'Why?',
  about: 'Who may do what, and what that rests on.',
  person: 'Person',
  object: 'About',
  kinds: { organization: 'The organization', channel: 'A channel', group: 'A group' },
  yes: 'Yes.',
  no: 'No.',
  allowed: 'Allowed',
  all: 'All actions',
  sentence: (name: string, allowed: boolean, action: string) =>
    `${name} ${allowed ? 'may' : 'may not'}: ${action}`,
  setting: 'The permission',
  group: 'The group',
  chosen: 'People and groups chosen one by one',
};

export const organization = {
  title: 'Organization',
  about: 'What holds for everybody.',
  tabs: { general: 'General', permissions: 'Who may do what' },
};

export const linkifiers = {
  title: 'Linkifiers',
  about: 'Patterns that turn text into links, in messages sent from now on.',
  add: 'Another one',
  pattern: 'Pattern',
  patternAbout: 'A regular expression; (?P<id>…) names a part.',
  template: 'Address',
  templateAbout: 'A URI template; {id} stands for the part.',
  trial: 'Try it on',
  sample: 'See #123 and #456.',
  noLinks: 'Nothing becomes a link.',
  deleteAbout: (pattern: string) => `${pattern} makes no more links. Those that are there stay.`,
};

export const emoji = {
  title: 'Emoji',
  about: 'Emoji of your own, for everybody here.',
  add: 'Another one',
  nameAbout: 'Small letters, digits, _ and -.',
  picture: 'Picture',
  deleteAbout: (name: string) => `Nobody can use :${name}: any more. Where it was used, it stays.`,
};

export const audit = {
  title: 'Audit log',
  about: 'Who did what to accounts, channels, groups, settings and the server.',
  who: 'Who',
  what: 'To what',
  details: 'Details',
  from: 'From',
  filters: { action: 'Action', actor_id: 'Who', target_user_id: 'To whom' },
};

export const health = {
  title: 'Health',
  attention: '(needs attention)',
  server: 'Server',
  ready: (since: string) => `ready, started ${since}`,
  nodes: (count: number) => (count === 1 ? '1 node' : `${count} nodes`),
  database: 'Database',
  answers: (engine: string, ms: string, bytes: string) => `${engine}, ${bytes}, answers in ${ms} ms`,
  disk: 'Disk',
  free: (free: string, total: string) => `${free} of ${total} free`,
  backup: 'Last backup',
  noBackup: 'none yet: npx parley backup',
  memory: 'Memory',
  clients: 'Clients',
  queues: (queues: string, polls: string) => `${queues} event queues, ${polls} wait`,
  writes: 'Writes',
  waiting: (count: string) => `${count} wait`,
  events: 'Events',
  kept: (kept: string, lag: string) => `${kept} kept, ${lag} to be read`,
  jobs: 'Jobs',
  jobCounts: (waiting: string, failed: string) => `${waiting} wait, ${failed} failed for good`,
  signIns: 'Sign-ins',
  failures: (failed: string, throttled: string) => `${failed} failed, ${throttled} refused unseen`,
  routes: 'Slowest routes',
  route: 'Route',
  mean: 'Mean (ms)',
  p95: '19 of 20 (ms)',
  requests: 'Requests',
  drawn: 'Drawn',
  kind: 'Kind',
  isWaiting: 'Waiting',
  isDone: 'Done',
  hasFailed: 'Failed',
  configuration: 'Configuration',
  variable: 'Variable',
  value: 'Value',
  secret: 'set, and secret',
  meaning: 'Meaning',
};

export const groups = {
  about: 'Each line leads to a group whose members are members of the first one, too.',
  graph: 'Groups and those that lie in them',
  withRoles: 'With the groups of roles',
  inside: 'Groups inside',
  addInside: 'Put another group inside',
  add: 'Make a group',
  tabs: { members: 'Members', permissions: 'Who may do what', general: 'General' },
  change: 'Choose…',
  roles: 'By role',
  groups: 'Groups',
  people: 'People',
  unknown: 'A group that you cannot see',
  fixed: 'Who is in it follows from the roles of people.',
  system: {
    'role:internet': 'Everyone on the internet',
    'role:everyone': 'Everyone, guests included',
    'role:members': 'Members',
    'role:fullmembers': 'Full members',
    'role:moderators': 'Moderators',
    'role:administrators': 'Administrators',
    'role:owners': 'Owners',
    'role:nobody': 'Nobody',
  },
};
