/**
 * Who may import whom, folder by folder: the one list behind the import check (`.dependency-cruiser.cjs`) and the tables
 * of ARCHITECTURE.md. A folder that is not listed fails the check.
 */

const upToUserGroups = ['organization', 'users', 'user-groups'];
const upToMessages = [...upToUserGroups, 'channels', 'messages'];

/** Folders of `src/features`, and the other features each may import. */
exports.features = {
  organization: [],
  users: ['organization'],
  'user-groups': ['organization', 'users'],
  channels: upToUserGroups,
  messages: [...upToUserGroups, 'channels'],
  uploads: upToMessages,
  membership: [...upToMessages, 'uploads'],
  auth: ['users'],
  admin: [...upToMessages, 'uploads', 'membership'],
};

/** Kinds of files that a feature shows to the others; its controllers, DTOs and errors are its own business. */
exports.doors = ['module', 'service', 'access', 'entity', 'directory', 'wire', 'events', 'registry'];

/** Folders and files of `src/platform`, and the parts of the platform each may import. */
exports.platform = {
  actor: [],
  clock: [],
  errors: [],
  config: [],
  emoji: [],
  secrets: ['config', 'errors'],
  events: ['clock', 'config'],
  database: ['config', 'clock', 'errors', 'events'],
  http: ['actor', 'clock', 'config', 'errors'],
};
