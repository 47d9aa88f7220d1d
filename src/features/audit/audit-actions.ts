import { keysOf } from '../../platform/collections';

/**
 * What is recorded, by its name: the kind of thing it was done to, and what was done. A name stays once it was used,
 * because rows have it.
 */
const ACTIONS = {
  'user.created': 'An account was made, of a person or a bot.',
  'user.deactivated': 'An account was deactivated.',
  'user.reactivated': 'An account was brought back.',
  'user.deleted': 'An account was deleted for good.',
  'user.role_changed': 'An account got another role.',
  'user.renamed': 'An account got another name.',
  'user.email_changed': 'An account got another e-mail address.',
  'user.password_changed': 'An account got another password.',
  'user.password_link_made': 'An administrator made a link with which somebody sets a new password.',
  'user.can_create_users_changed': 'The right to create accounts was given or taken.',
  'user.profile_changed': 'Somebody else filled in profile fields.',
  'user.settings_changed': 'Somebody else changed personal settings.',
  'user.status_changed': 'Somebody else set the status.',
  'user.bot_changed': 'Where a bot posts, listens or is reached was changed.',
  'user.owner_changed': 'A bot got another owner.',
  'user.key_read': 'The API key was shown, to its owner or to someone who may administer the account.',
  'user.key_renewed': 'The API key was replaced.',
  'user.signed_in': 'Somebody signed in with the password.',
  'user.sign_in_failed':
    'A sign-in, or a password that confirms one, was refused. The details give the reason.',
  'user.signed_out': 'Somebody signed out.',
  'user.locked_out': 'There were too many wrong passwords for one account, or from one address.',
  'user.sessions_ended': 'Sessions were ended before their time.',
  'invitation.created': 'Somebody was invited, or a link was made with which several people can join.',
  'invitation.revoked': 'An invitation was taken back.',
  'invitation.sent_again': 'An invitation was mailed again.',
  'channel.created': 'A channel was made.',
  'channel.changed': 'Properties, privacy or permissions of a channel were changed.',
  'channel.archived': 'A channel was archived.',
  'channel.unarchived': 'A channel was brought back.',
  'channel.subscriber_added': 'Somebody was subscribed by somebody else.',
  'channel.subscriber_removed': 'Somebody was unsubscribed by somebody else.',
  'channel.topic_deleted': 'A topic was deleted with its messages.',
  'channel_folder.created': 'A channel folder was made.',
  'channel_folder.changed': 'A channel folder was changed or archived.',
  'channel_folder.reordered': 'The channel folders were put in another order.',
  'default_channel_group.created': 'A default channel group was made.',
  'default_channel_group.changed': 'A default channel group got another name, description or other channels.',
  'default_channel_group.deleted': 'A default channel group was deleted.',
  'group.created': 'A user group was made.',
  'group.changed': 'Name, description or permissions of a user group were changed.',
  'group.deactivated': 'A user group was taken out of use.',
  'group.reactivated': 'A user group was brought back.',
  'group.member_added': 'Somebody came into a user group.',
  'group.member_removed': 'Somebody left a user group, or had to.',
  'group.subgroups_changed': 'Groups within a user group were added or removed.',
  'organization.created': 'The organization was made.',
  'organization.changed': 'Settings of the organization were changed.',
  'organization.domain_added': 'A domain was allowed for the addresses of new people.',
  'organization.domain_changed': 'Whether domains below an allowed one are meant as well was changed.',
  'organization.domain_removed': 'A domain is no longer allowed for the addresses of new people.',
  'organization.picture_changed': 'The icon or a logo of the organization was uploaded or taken away.',
  'organization.deactivated': 'The organization was deactivated: nobody may use it.',
  'organization.reactivated': 'The organization was brought back.',
  'profile_field.created': 'A profile field was made.',
  'profile_field.changed': 'A profile field was changed.',
  'profile_field.deleted': 'A profile field was deleted, with what people had entered.',
  'profile_field.reordered': 'The profile fields were put in another order.',
  'linkifier.created': 'A linkifier was made.',
  'linkifier.changed': 'A linkifier was changed.',
  'linkifier.deleted': 'A linkifier was deleted.',
  'linkifier.reordered': 'The linkifiers were put in another order.',
  'playground.created': 'A code playground was made.',
  'playground.deleted': 'A code playground was deleted.',
  'emoji.created': 'An emoji was added.',
  'emoji.deleted': 'An emoji was taken away.',
  'message.deleted': 'A message of another user was deleted.',
  'message.moved': 'Messages of other users were moved to another topic or channel.',
  'module.acted': 'A module did something, which the details say.',
  'server.secret_changed': 'The server was started with another secret.',
  'server.backup_made': 'A backup was made.',
  'server.restored': 'The database was restored from a backup.',
  'server.demo_made': 'Sample people, channels and messages were made.',
  'server.module_removed': 'The tables of a module were dropped, with all that was in them.',
  'server.audit_log_read': 'This log was read. One entry an hour for each reader and address.',
  'server.audit_log_expired': 'Old entries of this log were deleted.',
} as const;

/** Something that is recorded. */
export type AuditAction = keyof typeof ACTIONS;

/** All that is recorded. */
export const AUDIT_ACTIONS = keysOf(ACTIONS);

/** The kinds of thing to which something is done: the first words of actions. */
export const AUDIT_AREAS = [...new Set(AUDIT_ACTIONS.map(areaOf))];

/** @returns the kind of thing that an action is done to */
function areaOf(action: AuditAction): string {
  return action.slice(0, action.indexOf('.'));
}

/** @param name of an action, or of an area, for all of its actions */
export function actionsNamed(name: string): AuditAction[] {
  return AUDIT_ACTIONS.filter((action) => action === name || areaOf(action) === name);
}
