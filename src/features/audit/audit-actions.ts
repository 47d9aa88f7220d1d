import { keysOf } from '../../platform/collections';

/**
 * Audited actions, named by kind of target and verb. A name never changes once used, because stored entries contain it.
 */
const ACTIONS = {
  'user.created': 'Account created (user or bot).',
  'user.deactivated': 'Account deactivated.',
  'user.reactivated': 'Account reactivated.',
  'user.deleted': 'Account permanently deleted.',
  'user.role_changed': 'Role changed.',
  'user.renamed': 'Account renamed.',
  'user.email_changed': 'Email address changed.',
  'user.password_changed': 'Password changed.',
  'user.password_link_made': 'Password reset link created by an administrator.',
  'user.can_create_users_changed': 'Permission to create accounts granted or revoked.',
  'user.profile_changed': 'Profile fields changed by another user.',
  'user.settings_changed': 'Personal settings changed by another user.',
  'user.status_changed': 'User status set by another user.',
  'user.bot_changed': 'Posting channel, event channel or endpoint URL of a bot changed.',
  'user.owner_changed': 'Bot owner changed.',
  'user.content_erased':
    'Messages, files and other content of a user erased by the operator. The details count them.',
  'user.data_exported': 'Everything stored about a user exported by the operator.',
  'user.key_read': 'API key shown to the owner or an administrator of the account.',
  'user.key_renewed': 'API key replaced.',
  'user.signed_in':
    'Signed in with a password, by a link, or with the passkey or identity provider in the details.',
  'user.identity_linked': 'Account linked to a person at an identity provider.',
  'user.sign_in_failed': 'Sign-in or password confirmation rejected. The details give the reason.',
  'user.second_factor_added': 'Second factor set up.',
  'user.second_factor_removed': 'Second factor removed, by its owner or an administrator.',
  'user.passkey_added': 'Passkey added.',
  'user.passkey_renamed': 'Passkey renamed.',
  'user.passkey_removed': 'Passkey removed by its owner.',
  'user.recovery_code_used': 'Recovery code used in place of a second factor.',
  'user.reauthenticated': 'Identity confirmed again in a session, before a dangerous change.',
  'user.signed_out': 'Signed out.',
  'user.locked_out': 'Too many wrong passwords for one account or from one address.',
  'user.sessions_ended': 'Sessions ended early.',
  'user.browsers_forgotten': 'Remembered browsers forgotten: they ask for the second factor again.',
  'key.made': 'Named API key created. The details give its scopes and end.',
  'key.revoked': 'Named API key revoked.',
  'key.refused':
    'Revoked or expired named API key used. At most one entry in five minutes for each key and node.',
  'invitation.created': 'Invitation or reusable invitation link created.',
  'invitation.revoked': 'Invitation revoked.',
  'invitation.sent_again': 'Invitation resent.',
  'channel.created': 'Channel created.',
  'channel.changed': 'Properties, privacy or permissions of a channel changed.',
  'channel.archived': 'Channel archived.',
  'channel.unarchived': 'Channel unarchived.',
  'channel.subscriber_added': 'User subscribed by another user.',
  'channel.subscriber_removed': 'User unsubscribed by another user.',
  'channel.topic_deleted': 'Topic deleted with its messages.',
  'channel_folder.created': 'Channel folder created.',
  'channel_folder.changed': 'Channel folder changed or archived.',
  'channel_folder.reordered': 'Channel folders reordered.',
  'default_channel_group.created': 'Default channel group created.',
  'default_channel_group.changed': 'Name, description or channels of a default channel group changed.',
  'default_channel_group.deleted': 'Default channel group deleted.',
  'group.created': 'User group created.',
  'group.changed': 'Name, description or permissions of a user group changed.',
  'group.deactivated': 'User group deactivated.',
  'group.reactivated': 'User group reactivated.',
  'group.member_added': 'Member added to a user group.',
  'group.member_removed': 'Member removed from a user group, or left it.',
  'group.subgroups_changed': 'Subgroups of a user group added or removed.',
  'organization.created': 'Organization created.',
  'organization.changed': 'Organization settings changed.',
  'organization.domain_added': 'Email domain allowed for new accounts.',
  'organization.domain_changed': 'Subdomains of an allowed email domain allowed or disallowed.',
  'organization.domain_removed': 'Email domain no longer allowed for new accounts.',
  'organization.picture_changed': 'Organization icon or logo uploaded or removed.',
  'organization.export_made': 'Export of the organization requested.',
  'organization.imported': 'Organization imported from an archive.',
  'organization.export_deleted': 'Export of the organization deleted, or not kept any longer.',
  'organization.deactivated': 'Organization deactivated.',
  'organization.reactivated': 'Organization reactivated.',
  'directory.key_made': 'Key for a directory (SCIM) created.',
  'directory.key_revoked': 'Key of a directory (SCIM) revoked.',
  'profile_field.created': 'Profile field created.',
  'profile_field.changed': 'Profile field changed.',
  'profile_field.deleted': 'Profile field deleted with all its values.',
  'profile_field.reordered': 'Profile fields reordered.',
  'linkifier.created': 'Linkifier created.',
  'linkifier.changed': 'Linkifier changed.',
  'linkifier.deleted': 'Linkifier deleted.',
  'linkifier.reordered': 'Linkifiers reordered.',
  'playground.created': 'Code playground created.',
  'playground.deleted': 'Code playground deleted.',
  'emoji.created': 'Custom emoji added.',
  'emoji.deleted': 'Custom emoji removed.',
  'message.deleted': 'Message of another user deleted.',
  'message.moved': 'Messages of other users moved to another topic or channel.',
  'hold.placed': 'Legal hold on the messages of a user or channel placed.',
  'hold.lifted': 'Legal hold lifted.',
  'module.acted': 'Module action. The details describe it.',
  'server.secret_changed': 'Server started with a different secret.',
  'server.former_secret_removed': 'Keys of the former secret no longer accepted.',
  'server.backup_made': 'Backup created.',
  'server.restored': 'Database restored from a backup.',
  'server.quarantine_lifted': 'Restored server allowed to send what it held back.',
  'server.demo_made': 'Sample data created.',
  'server.module_removed': 'Tables of a module dropped with all their data.',
  'server.audit_log_read': 'Audit log read. At most one entry per hour for each reader and address.',
  'server.audit_log_expired': 'Expired audit log entries deleted.',
} as const;

/** The name of an audited action. */
export type AuditAction = keyof typeof ACTIONS;

/** All audited actions. */
export const AUDIT_ACTIONS = keysOf(ACTIONS);

/** Kinds of targets: the part of an action's name before the dot. */
export const AUDIT_AREAS = [...new Set(AUDIT_ACTIONS.map(areaOf))];

/** @returns the kind of target of an action */
function areaOf(action: AuditAction): string {
  return action.slice(0, action.indexOf('.'));
}

/** @param name of an action, or of a kind of target for all of its actions */
export function actionsNamed(name: string): AuditAction[] {
  return AUDIT_ACTIONS.filter((action) => action === name || areaOf(action) === name);
}

/** What is recorded besides who, what and when. No secrets, no message content, no personal data. */
export type AuditDetails = Readonly<Record<string, unknown>>;

const MAX_TEXT = 100;
const MAX_ITEMS = 20;
const MAX_DEPTH = 4;

/** Maximum number of characters of all details. */
const MAX_DETAILS = 2_000;

/**
 * The details as stored: long texts and lists are truncated, and details that are still too long keep only their names.
 */
export function storedDetails(details: AuditDetails): string {
  const text = JSON.stringify(shortened(details, MAX_DEPTH));
  if (text.length <= MAX_DETAILS) return text;
  const names = Object.keys(details).slice(0, MAX_ITEMS);
  return JSON.stringify({ too_long: names.map(shortText) });
}

function shortened(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return shortText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return '…';
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map((item) => shortened(item, depth - 1));
    return value.length > MAX_ITEMS ? [...items, `… ${value.length - MAX_ITEMS} more`] : items;
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => part !== undefined)
      .map(([key, part]) => [shortText(key), shortened(part, depth - 1)]),
  );
}

function shortText(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT).toWellFormed()}…`;
}

/** The values that differ, before and after; null if none do. */
export function differences(before: object, after: object): AuditDetails | null {
  const old = before as Readonly<Record<string, unknown>>;
  const changed = Object.entries(after as typeof old).filter(
    ([key, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(old[key]),
  );
  if (changed.length === 0) return null;
  return Object.fromEntries(changed.map(([key, to]) => [key, { from: old[key] ?? null, to }]));
}
