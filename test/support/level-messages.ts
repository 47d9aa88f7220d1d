import type { Answer, Parley } from '../../src/testing';

/** Initial contents: old messages. */
export const LEVEL_WORLD = {
  channels: [
    { name: 'attic', subscribers: ['olivia'] },
    { name: 'cellar', subscribers: ['olivia'] },
  ],
  messages: [
    { sender: 'olivia', channel: 'attic', topic: 'a', content: 'one', sent_at: '2026-02-03T04:05:06Z' },
    { sender: 'olivia', channel: 'attic', topic: 'a', content: 'two', sent_at: '2026-02-03T04:05:07Z' },
    { sender: 'olivia', channel: 'cellar', topic: 'log', content: 'three', sent_at: '2026-02-03T04:05:08Z' },
  ],
};

/** Deletes the oldest message of a channel, and lets those of another expire. */
export async function loseMessages(parley: Parley, cellar: number): Promise<void> {
  const olivia = parley.as('olivia');
  const { messages } = (await olivia.get('/messages', {
    narrow: [['stream', 'attic']],
    anchor: 'oldest',
    num_before: 0,
    num_after: 1,
  })) as { messages: { id: number }[] };
  await olivia.delete(`/messages/${messages[0]?.id}`);
  await olivia.patch(`/streams/${cellar}`, { message_retention_days: 1 });
}

/** Whether direct messages from different people have the same `recipient_id`. */
export async function haveOneRecipient(parley: Parley): Promise<boolean> {
  const olivia = parley.as('olivia');
  const to = [olivia.id];
  const content = 'Hello';
  const sent = [await parley.as('alice').send({ to, content }), await parley.as('bob').send({ to, content })];
  const read = await Promise.all(sent.map((message) => olivia.get(`/messages/${message}`)));
  return new Set(read.map(({ message }) => (message as Answer)['recipient_id'])).size === 1;
}
