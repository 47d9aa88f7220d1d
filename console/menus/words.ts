/** The texts of menus, of the windows that they open, and of what is loaded with them. */

export const message = {
  more: 'More actions',
  menu: (name: string) => `Actions for the message from ${name}`,
  reply: 'Reply',
  quote: 'Quote',
  forward: 'Forward',
  copyLink: 'Copy link',
  copyText: 'Copy text',
  edit: 'Edit',
  history: 'Edit history',
  noHistory: 'No earlier versions',
  moved: (from: string, to: string) => `Moved from ${from} to ${to}`,
  original: 'Original',
  move: 'Move message',
  star: 'Star',
  unstar: 'Unstar',
  collapse: 'Collapse',
  expand: 'Expand',
  markUnread: 'Mark as unread from here',
  receipts: 'Read by',
  readBy: (count: number) => (count === 1 ? 'Read by 1 person' : `Read by ${count} people`),
  remind: 'Remind me',
  report: 'Report message',
  reportAbout: 'The moderators see this message, and that you reported it.',
  reason: 'Reason',
  explanation: 'Explanation',
  sendReport: 'Send report',
  reported: 'Report sent to the moderators',
  erase: 'Delete message',
  eraseAbout: 'This can’t be undone.',
};

export const forwarding = {
  title: 'Forward message',
  to: 'Channel or person',
  chooseFirst: 'Choose a channel or a person.',
  topic: 'Topic',
  comment: 'Comment',
  send: 'Forward',
  sent: (place: string) => `Forwarded to ${place}`,
  view: 'View',
  person: 'Direct message',
  channel: 'Channel',
};

export const moving = {
  channel: 'Channel',
  topic: 'Topic',
  scope: 'Move',
  scopes: {
    change_one: 'This message',
    change_later: 'This message and later ones',
    change_all: 'All messages in the topic',
  },
  tellOld: 'Post a notice in the old topic',
  tellNew: 'Post a notice in the new topic',
  moved: (place: string) => `Moved to ${place}`,
  move: 'Move',
};

export const topic = {
  menu: 'Topic actions',
  markRead: 'Mark as read',
  policies: { none: 'Default notifications', muted: 'Mute', unmuted: 'Unmute', followed: 'Follow' },
  resolve: 'Mark as resolved',
  unresolve: 'Mark as unresolved',
  rename: 'Rename or move topic',
  erase: 'Delete topic',
  eraseAbout: (name: string) => `This deletes every message in “${name}” and can’t be undone.`,
};

export const channel = {
  menu: 'Channel actions',
  topics: 'Show all topics',
  pin: 'Pin to top',
  mute: 'Mute',
  color: 'Channel color',
  setColor: 'Set color',
  otherColor: 'Another color',
  desktop: 'Desktop notifications',
  sound: 'Notification sound',
  push: 'Push notifications',
  settings: 'Channel settings',
  leave: 'Leave channel',
  joinAbout: (name: string) => `You’ll see #${name} in the sidebar.`,
  leaveAbout: (name: string) => `You won’t see #${name} in the sidebar or hear of its messages.`,
};

export const details = {
  noDescription: 'No description',
  notifications: 'Notifications of this topic',
  topics: 'Topics',
  members: (count: number) => (count === 1 ? '1 member' : `${count} members`),
};

export const card = {
  title: (name: string) => `About ${name}`,
  lastSeen: (age: string) => `Active ${age}`,
  localTime: (time: string) => `${time} local time`,
  direct: 'Send direct message',
  manage: 'Manage',
};

export const user = {
  menu: 'Your menu',
  setStatus: 'Set status',
  changeStatus: 'Change status',
  pause: {
    halfHour: 'Pause notifications for 30 minutes',
    hour: 'Pause notifications for 1 hour',
    tomorrow: 'Pause notifications until tomorrow',
  },
  resume: 'Resume notifications',
  paused: 'Notifications paused in this browser',
  resumed: 'Notifications resumed',
  profile: 'Profile',
  theme: { light: 'Light theme', dark: 'Dark theme', system: 'Theme of the system' },
  invite: 'Invite people',
  firstSteps: 'First steps',
  keys: 'Keyboard shortcuts',
};

export const status = {
  title: 'Set status',
  text: 'What you’re up to',
  emoji: 'Choose emoji',
  suggestions: 'Suggestions',
  clear: 'Clear status',
  presets: {
    meeting: 'In a meeting',
    commuting: 'Commuting',
    remote: 'Working remotely',
    sick: 'Out sick',
    vacation: 'On vacation',
  },
};

export const copied = 'Link copied';
export const textCopied = 'Text copied';
