/** Texts shared by many pages, and texts needed by parts that are not loaded separately. The build inlines each. */
export * from './administration';
export * from './conversations';

/** The language of these texts, also used to format dates and numbers. */
export const language = 'en';

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
export const back = 'Back';
export const tabs = { title: 'Tabs', messages: 'Messages', search: 'Search', you: 'You' };
export const presence = { active: 'Active', idle: 'Idle', offline: 'Offline' };
export const connection = { starting: 'Connecting…', live: 'Live', lost: 'Connection lost. Reconnecting…' };
export const sections = { conversations: 'Conversations', administration: 'Administration' };

export const passkey = {
  use: 'Use a passkey',
  unused: 'No passkey was used. Try again, or choose another way.',
  known: 'This device already has a passkey for you.',
};

export const reauthentication = {
  title: 'Confirm that it’s you',
  about: 'For your security, this needs a confirmation if you signed in more than ten minutes ago.',
  password: 'Your password',
  code: 'Code from your authenticator app, or a recovery code',
  action: 'Confirm',
  signIn: 'Sign in again with your identity provider. Then try again.',
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

export const ownersOnly = 'Only owners can change this.';

export const settings = {
  unlimited: 'No limit',
  changed: 'Someone else changed this while you were editing. Choose again.',
  custom: 'Custom…',
  amount: (label: string) => `${label}: number`,
  unit: (label: string) => `${label}: unit`,
  chooseChannel: 'Choose a channel',
  shorten: 'Delete older messages',
  shortenAbout: (time: string) =>
    `Messages older than ${time} are deleted for good, starting within the hour.`,
};

export const settingsTitle = 'Settings';

export const members = {
  title: 'Members',
  add: 'Add member',
  choose: 'Choose a person',
  removed: (name: string) => `Removed ${name}`,
  remove: 'Remove',
};

export const quietUntil = (time: string) => `Notifications paused until ${time}`;
export const hiddenText = 'New direct message';
