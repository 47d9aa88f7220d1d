import zulip, { type Client } from 'zulip-js';
import { type Answer, type Parley, startParley } from '../../src/testing';

// Each level starts a server of its own.
jest.setTimeout(120_000);

describe.each([237, 278])('A bot of zulip-js on a server of level %d', (level) => {
  let parley: Parley;
  let bot: Client;

  beforeAll(async () => {
    parley = await startParley({ inProcess: true, level });
    bot = await zulip(parley.as('helper').config);
  });

  afterAll(() => parley.stop());

  /** Polls until events come that are no sign of life. */
  async function nextEvents(queueId: string, lastId: number): Promise<Answer[]> {
    for (let last = lastId; ;) {
      const { events } = (await bot.events.retrieve({ queue_id: queueId, last_event_id: last })) as {
        events: (Answer & { id: number })[];
      };
      const told = events.filter(({ type }) => type !== 'heartbeat');
      if (told.length > 0) return told;
      last = events.at(-1)?.id ?? last;
    }
  }

  it('hears of a message, reacts to it and answers', async () => {
    const { queue_id, last_event_id, zulip_feature_level } = (await bot.queues.register({
      event_types: ['message', 'reaction'],
    })) as { queue_id: string; last_event_id: number; zulip_feature_level: number };
    expect(zulip_feature_level).toBe(level);
    const asked = await parley.as('alice').send({ channel: 'lobby', topic: 'lunch', content: 'Soup?' });

    const [heard] = await nextEvents(queue_id, last_event_id);
    expect(heard).toMatchObject({
      type: 'message',
      message: { id: asked, type: 'stream', subject: 'lunch', display_recipient: 'lobby', reactions: [] },
    });
    await expect(bot.reactions.add({ message_id: asked, emoji_name: 'tada' })).resolves.toMatchObject({
      result: 'success',
    });
    const answer = { type: 'stream', to: 'lobby', topic: 'lunch', content: 'Soup!' };
    await expect(bot.messages.send(answer)).resolves.toMatchObject({ result: 'success' });

    await parley.settled();
    const helper = parley.as('helper').id;
    const told = await nextEvents(queue_id, Number(heard?.['id']));
    expect(told).toMatchObject([
      { type: 'reaction', op: 'add', user_id: helper, user: { user_id: helper }, emoji_name: 'tada' },
      { type: 'message', message: { sender_id: helper, content: 'Soup!' } },
    ]);
    const read = await bot.messages.getById({ message_id: asked });
    // What level 328 took away.
    expect(read).toMatchObject({ message: { reactions: [{ user: { id: helper } }] } });
  });

  it('sends without a topic, as such releases took it', async () => {
    const untitled = { type: 'stream', to: 'lobby', topic: '(no topic)', content: 'x' };
    const { id } = (await bot.messages.send(untitled)) as { id: number };
    await expect(bot.messages.getById({ message_id: id })).resolves.toMatchObject({
      message: { subject: '(no topic)' },
    });
  });
});
