import type { Member } from '../support/cast';
import { createChannel } from '../support/channel-setup';
import { eventually, ExampleBot, ZuliprcFolder } from '../support/example-bot';
import { expectSuccess } from '../support/expect-answer';
import { makeGroup, peopleAlone } from '../support/group-setup';
import { fetchMessage, fetchMessages, sendDirect, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';
import { Role } from '../../src/platform/actor';

interface Shown {
  readonly id: number;
  readonly sender_id: number;
  readonly content: string;
  readonly subject: string;
}

/** Messages of a narrow, oldest first, as Markdown. */
async function read(app: TestApp, reader: Member, narrow: readonly unknown[]): Promise<Shown[]> {
  const answer = await fetchMessages(app, reader, narrow, { apply_markdown: false });
  return expectSuccess(answer).messages;
}

function addBot(app: TestApp, name: string): Promise<Member> {
  const owner = app.cast.adam;
  return app.addAccount({
    deliveryEmail: `${name.toLowerCase()}-bot@example.com`,
    fullName: name,
    role: Role.member,
    isBot: true,
    botType: 1,
    botOwnerId: owner.id,
  });
}

describe('The examples', () => {
  let here: TestApp;
  let there: TestApp;
  const zuliprcs = new ZuliprcFolder();
  const running: ExampleBot[] = [];

  beforeAll(async () => {
    here = await TestApp.start();
    there = await TestApp.start();
    for (const app of [here, there]) await app.nest.listen(0, '127.0.0.1');
  });

  afterEach(async () => {
    for (const bot of running.splice(0)) await bot.stop();
  });

  afterAll(async () => {
    await here.stop();
    await there.stop();
    zuliprcs.remove();
  });

  async function start(name: string, args: readonly string[], env?: Record<string, string>): Promise<void> {
    running.push(await ExampleBot.start(name, args, env));
  }

  it('have a bot that echoes direct messages and mentions', async () => {
    const { mia, max } = here.cast;
    const echo = await addBot(here, 'Echo');
    await createChannel(here, mia, 'hall', { principals: [mia.id, max.id, echo.id] });
    await createChannel(here, mia, 'stage', {
      principals: [mia.id, echo.id],
      can_send_message_group: peopleAlone(mia),
    });
    await start('echo-bot.mjs', [await zuliprcs.write(here, echo)]);
    // The bot may not answer there, which does not keep it from answering elsewhere.
    await sendTo(here, mia, 'stage', 'speech', 'silence, @**Echo**!');
    await sendTo(here, max, 'hall', 'shouting', 'nobody asked');
    await sendTo(here, max, 'hall', 'shouting', 'hello @**Echo**, are you there?');
    await sendDirect(here, mia, [echo], 'just **us**');

    const inHall = await eventually('echo in the channel', async () => {
      const messages = await read(here, max, [{ operator: 'sender', operand: echo.id }]);
      return messages.length > 0 ? messages : undefined;
    });
    expect(inHall).toMatchObject([{ content: 'hello , are you there?', subject: 'shouting' }]);
    const direct = await eventually('direct echo', async () => {
      const messages = await read(here, mia, [{ operator: 'dm', operand: [echo.id] }]);
      return messages.length > 1 ? messages : undefined;
    });
    expect(direct).toMatchObject([
      { sender_id: mia.id, content: 'just **us**' },
      { sender_id: echo.id, content: 'just **us**' },
    ]);
  });

  it('have a bot that moderates with groups, reactions and stars', async () => {
    const { mia, max, mona } = here.cast;
    const guard = await addBot(here, 'Guard');
    await makeGroup(here, mona, 'trusted', { members: [mona.id] });
    await createChannel(here, mona, 'plaza', { principals: [mia.id, max.id, mona.id, guard.id] });
    await createChannel(here, mona, 'moderation', { principals: [mona.id, guard.id] });
    await start('moderation-bot.mjs', [await zuliprcs.write(here, guard)], { WORDS: 'casino,spam' });

    await sendTo(here, mona, 'plaza', 'rules', 'no spam here, please');
    await sendTo(here, max, 'plaza', 'rules', 'sure');
    const bad = await sendTo(here, max, 'plaza', 'rules', 'Visit my CASINO!');
    const [report, ...others] = await eventually('report', async () => {
      const messages = await read(here, mona, [['channel', 'moderation']]);
      return messages.some(({ sender_id }) => sender_id === guard.id) ? messages : undefined;
    });
    expect(others).toEqual([]);
    expect(report).toMatchObject({ sender_id: guard.id, subject: 'reports' });
    expect(report?.content).toContain(`@_**|${max.id}** wrote “casino”`);
    expect(await fetchMessage(here, guard, bad)).toMatchObject({
      flags: expect.arrayContaining(['starred']),
      reactions: [{ emoji_name: 'warning', user_id: guard.id }],
    });

    const check = { emoji_name: 'check' };
    expectSuccess(await here.as(mia).post(`/messages/${bad}/reactions`, check));
    expectSuccess(await here.as(mona).post(`/messages/${bad}/reactions`, check));
    const closed = await eventually('end of the case', async () => {
      const message = await fetchMessage(here, guard, bad);
      return message.flags.includes('starred') ? undefined : message;
    });
    expect(closed.reactions.map(({ user_id }: { user_id: number }) => user_id)).toEqual([mia.id, mona.id]);
  });

  it('have a bridge that mirrors a channel to another server and back', async () => {
    const bots: Member[] = [];
    for (const [app, name] of [
      [here, 'lunch'],
      [there, 'canteen'],
    ] as const) {
      const bot = await addBot(app, 'Bridge');
      await createChannel(app, app.cast.mia, name, { principals: [app.cast.mia.id, bot.id] });
      bots.push(bot);
    }
    const [hereBot, thereBot] = bots as [Member, Member];
    await start('bridge.mjs', [
      await zuliprcs.write(here, hereBot),
      'lunch',
      await zuliprcs.write(there, thereBot),
      'canteen',
    ]);
    await eventually('start of both directions', async () =>
      running[0]?.output.match(/^Listening /gm)?.length === 2 ? true : undefined,
    );

    const soup = await sendTo(here, here.cast.mia, 'lunch', 'Tuesday', 'Soup?');
    const inCanteen = (count: number) =>
      eventually(`${count} messages there`, async () => {
        const messages = await read(there, there.cast.mia, [['channel', 'canteen']]);
        return messages.length >= count ? messages : undefined;
      });
    expect(await inCanteen(1)).toMatchObject([
      { sender_id: thereBot.id, subject: 'Tuesday', content: '**Mia Member**: Soup?' },
    ]);
    await sendTo(there, there.cast.mia, 'canteen', 'Tuesday', 'Yes!');
    const inLunch = await eventually('answer here', async () => {
      const messages = await read(here, here.cast.mia, [['channel', 'lunch']]);
      return messages.length > 1 ? messages : undefined;
    });
    expect(inLunch).toMatchObject([
      { content: 'Soup?' },
      { sender_id: hereBot.id, subject: 'Tuesday', content: '**Mia Member**: Yes!' },
    ]);

    expectSuccess(await here.as(here.cast.mia).patch(`/messages/${soup}`, { content: 'Stew?' }));
    await eventually('edit there', async () => {
      const [first] = await read(there, there.cast.mia, [['channel', 'canteen']]);
      return first?.content === '**Mia Member**: Stew?' ? true : undefined;
    });
  });
});
