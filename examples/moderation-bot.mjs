// Watches the channels it is subscribed to. Whoever is not in the group of trusted people gets a warning
// sign for a word on the list; the bot stars the message for itself and reports it to the moderators. When
// a trusted person answers the sign with a check mark, the case is closed: star and sign go.
//
//   WORDS=spam,scam TRUSTED=trusted REPORTS=moderation node examples/moderation-bot.mjs bot.zuliprc
import { connect } from './client.mjs';

const { WORDS = 'spam', TRUSTED = 'trusted', REPORTS = 'moderation' } = process.env;
const client = connect(process.argv[2] ?? 'zuliprc');
const words = WORDS.toLowerCase().split(',');
const { user_id: ownId } = await client.call('GET', 'users/me');
const { user_groups: groups } = await client.call('GET', 'user_groups');
const trusted = groups.find(({ name }) => name === TRUSTED);
if (!trusted) throw new Error(`There is no user group ${TRUSTED}.`);

async function isTrusted(userId) {
  const answer = await client.call('GET', `user_groups/${trusted.id}/members/${userId}`);
  return answer.is_user_group_member;
}

const star = (op, messageId) =>
  client.call('POST', 'messages/flags', { op, flag: 'starred', messages: [messageId] });
const sign = (method, messageId) =>
  client
    .call(method, `messages/${messageId}/reactions`, { emoji_name: 'warning' })
    // Already there, or already gone, after a restart in the middle of a case.
    .catch((error) => {
      if (!['REACTION_ALREADY_EXISTS', 'REACTION_DOES_NOT_EXIST'].includes(error.code)) throw error;
    });

async function review(message, queueId) {
  const text = message.content.toLowerCase();
  const found = words.find((word) => text.includes(word));
  if (!found || message.sender_id === ownId || (await isTrusted(message.sender_id))) return;
  await sign('POST', message.id);
  await star('add', message.id);
  await client.call('POST', 'messages', {
    type: 'channel',
    to: REPORTS,
    topic: 'reports',
    content: `@_**|${message.sender_id}** wrote “${found}” in #**${message.display_recipient}>${message.subject}@${message.id}**.`,
    queue_id: queueId,
    local_id: `report of ${message.id}`,
  });
}

async function close({ op, emoji_name: emoji, user_id: userId, message_id: messageId }) {
  if (op !== 'add' || !['check', 'check_mark'].includes(emoji) || !(await isTrusted(userId))) return;
  const { message } = await client.call('GET', `messages/${messageId}`);
  if (!message.flags.includes('starred')) return;
  await sign('DELETE', messageId);
  await star('remove', messageId);
}

await client.listen(['message', 'reaction'], (event, queueId) => {
  if (event.type === 'reaction') return close(event);
  return event.message.type === 'stream' ? review(event.message, queueId) : undefined;
});
