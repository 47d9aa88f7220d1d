// Says again what it is told: in direct messages, and in channels where it is mentioned.
//
// It answers others, not itself, so it needs an account of its own (see README.md).
//
//   node examples/echo-bot.mjs echo.zuliprc
import { connect } from './client.mjs';

const client = connect(process.argv[2] ?? 'zuliprc');
const { user_id: ownId, full_name: ownName } = await client.call('GET', 'users/me');
const mention = `@**${ownName}**`;

await client.listen(['message'], async ({ message, flags }, queueId) => {
  const isForMe = message.type === 'private' || flags.includes('mentioned');
  if (message.sender_id === ownId || !isForMe) return;
  const words = message.content.replaceAll(mention, '').trim();
  await client.reply(message, words === '' ? 'I heard nothing.' : words, queueId);
});
