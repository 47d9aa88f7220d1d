/** The console's wording of refusals, loaded with the first one. */

export const notAllowed = 'You don’t have permission to do this.';
export const ownersOnly = 'Only owners can do this.';
export const invalid = 'Something entered here isn’t valid. Check it, and try again.';
export const tooLong = (count: string) => `Too long. Use at most ${count} characters.`;
export const taken = (name: string) => `“${name}” already exists. Choose another name.`;
export const noSuch = (name: string) => `“${name}” doesn’t exist.`;
export const hasTopics = (general: string) =>
  `Some messages of the channel have a topic. Move them to “${general}” first.`;
export const emailNotAllowed = (email: string) => `Your organization doesn’t allow the address ${email}.`;
export const fileTooLarge = (count: string) => `File too large. The limit is ${count} MB.`;
export const groupNotAllowed = 'This permission can’t be given to that group.';

/** By the server's messages. */
export const sentences = {
  'Insufficient permission': 'You don’t have permission to do this.',
  'Must be an organization administrator': 'Only administrators can do this.',
  'Not allowed for guest users': 'Guests can’t do this.',
  'Channel content access is required.':
    'You don’t have access to this channel’s messages. Ask a subscriber to add you.',
  'A default channel cannot be private.':
    'Members who join are subscribed to this channel. Turn off “Subscribe new members” first.',
  'Private channels cannot be made default.': 'New members can’t be subscribed to a private channel.',
  'Archived channels cannot be made default.': 'New members can’t be subscribed to an archived channel.',
  'Web-public channels are not enabled.': 'Web-public channels are turned off in the organization.',
  'Channel name is already in use.': 'A channel with this name already exists. Choose another name.',
  'Channel already has that name.': 'The channel already has this name.',
  'Channel is private and have no subscribers':
    'This private channel has no subscribers, so it can’t be unarchived.',
  'Channel is already deactivated': 'The channel is already archived.',
  'Channel is not currently deactivated': 'The channel isn’t archived.',
  'Invalid channel ID': 'The channel doesn’t exist, or you don’t have access to it.',
  'Invalid channel folder ID': 'The folder doesn’t exist any more.',
  'Invalid message(s)': 'The message doesn’t exist any more, or you don’t have access to it.',
  'Invalid user group': 'The group doesn’t exist any more.',
  'User group is deactivated.': 'The group is deactivated.',
  'User is deactivated': 'This person’s account is deactivated.',
  'No such user': 'This person doesn’t exist, or you don’t have access to them.',
  'No such bot': 'The bot doesn’t exist any more.',
  'Email is already in use.': 'Someone already uses this address.',
  'Unique names required in this organization.': 'Someone already has this name. Choose another one.',
  'Name is already in use.': 'This name is already in use. Choose another one.',
  'Enter a valid email address.': 'Enter a valid email address.',
  'Missing topic': 'Enter a topic.',
  'Wrong password!': 'Wrong password.',
  'New password is too weak!': 'Password too weak. Use at least 12 characters, and no common words.',
  'The time limit for deleting this message has passed': 'It’s too late to delete this message.',
  'Your organization has turned off message editing': 'Editing messages is turned off in the organization.',
  'You do not have permission to post in this channel.': 'You don’t have permission to post in this channel.',
  'You do not have permission to create topics in this channel.':
    'You don’t have permission to start topics in this channel.',
  'You do not have permission to administer this channel.':
    'You don’t have permission to administer this channel.',
  "You don't have permission to edit this message": 'You don’t have permission to edit this message.',
  "You don't have permission to delete this message": 'You don’t have permission to delete this message.',
  "You don't have permission to move this message": 'You don’t have permission to move this message.',
  'Direct messages are disabled in this organization.': 'Direct messages are turned off in the organization.',
  'You do not have permission to initiate direct message conversations.':
    'You don’t have permission to start direct messages.',
  'Cannot deactivate user group in use.':
    'A permission or another group still uses this group. Remove it there first.',
  'The owner permission cannot be removed from the only organization owner.':
    'The organization needs an owner. Make someone else an owner first.',
  'Cannot deactivate the only organization owner':
    'The organization needs an owner. Make someone else an owner first.',
  'You need to remove all the channels from this folder to archive it.':
    'The folder still has channels. Move them first.',
};
