// Mirrors a channel to a channel of another server, in both directions. Topics keep their names, and what
// was said names who said it. On each side it needs a bot that is subscribed to the channel.
//
//   node examples/bridge.mjs here/zuliprc lunch there/zuliprc canteen
import { connect } from './client.mjs';

async function side(zuliprc, channel) {
  const client = connect(zuliprc);
  const { user_id: ownId } = await client.call('GET', 'users/me');
  const { stream_id: channelId } = await client.call('GET', 'get_stream_id', { stream: channel });
  return { client, ownId, channelId, channel };
}

/** Numbers of the other side's messages under ours, so that edits find them; the newest thousand. */
class Twins {
  ids = new Map();

  add(id, twin) {
    this.ids.set(id, twin);
    if (this.ids.size > 1000) this.ids.delete(this.ids.keys().next().value);
  }
}

const quote = (name, content) => `**${name.replaceAll('*', '')}**: ${content}`;

async function mirror(from, to) {
  const twins = new Twins();
  await from.client.listen(['message', 'update_message'], async (event, queueId) => {
    if (event.type === 'message') {
      const { id, sender_id, sender_full_name, stream_id, subject, content } = event.message;
      if (stream_id !== from.channelId || sender_id === from.ownId) return;
      const { id: twin } = await to.client.call('POST', 'messages', {
        type: 'channel',
        to: to.channelId,
        topic: subject,
        content: quote(sender_full_name, content),
        queue_id: `bridge ${queueId}`,
        local_id: String(id),
      });
      twins.add(id, { id: twin, name: sender_full_name });
    } else if (event.content !== undefined && twins.ids.has(event.message_id)) {
      const { id, name } = twins.ids.get(event.message_id);
      await to.client.call('PATCH', `messages/${id}`, { content: quote(name, event.content) });
    }
  });
}

const [hereFile, hereChannel, thereFile, thereChannel] = process.argv.slice(2);
const here = await side(hereFile, hereChannel);
const there = await side(thereFile, thereChannel);
await Promise.all([mirror(here, there), mirror(there, here)]);
