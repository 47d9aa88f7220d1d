import type { Parameters } from '../support/api-client';
import type { Member } from '../support/cast';
import { expectError, expectSuccess } from '../support/expect-answer';
import { stateOf } from '../support/initial-state';
import { fetchMessages, sendDirect } from '../support/message-setup';
import { changeOrganization } from '../support/organization-setup';
import { TestApp } from '../support/test-app';
import { WelcomeService } from '../../src/features/membership/membership.module';

let app: TestApp;
let botId: number;

beforeAll(async () => {
  app = await TestApp.start();
  const { cross_realm_bots } = await stateOf(app, app.cast.mia, { wanted: ['realm_user'] });
  botId = cross_realm_bots.find((bot: { email: string }) => bot.email === 'welcome-bot@zulip.com').user_id;
});

beforeEach(() => changeOrganization(app, { name: 'Acme', welcome_message_custom_text: '' }));

afterAll(() => app.stop());

const PASSWORD = 'seven small green lamps';
const KNOWN =
  '`apps`, `profile`, `theme`, `channels`, `topics`, `message formatting`, `keyboard shortcuts`, `help`';

let people = 0;

/** Has an administrator add a person. */
async function join(): Promise<Pick<Member, 'id'>> {
  const email = `new${++people}@example.com`;
  const person = { email, password: PASSWORD, full_name: `New ${people}` };
  const answer = await app.as(app.cast.olivia).post('/users', person);
  return { id: expectSuccess(answer).user_id };
}

/** What somebody and the bot said to each other, as Markdown. */
async function conversation(member: Pick<Member, 'id'>) {
  const narrow = [{ operator: 'dm', operand: [botId] }];
  const answer = await fetchMessages(app, member as Member, narrow, { apply_markdown: false });
  return expectSuccess(answer).messages;
}

/** What the bot answers to a message. */
async function answersTo(member: Member, content: string): Promise<string[]> {
  const sent = await sendDirect(app, member, [{ id: botId }], content);
  const messages: { id: number; content: string }[] = await conversation(member);
  return messages.filter(({ id }) => id > sent).map((message) => message.content);
}

describe('The welcome bot', () => {
  it('greets people who are added, by a starred message that is unread', async () => {
    await changeOrganization(app, { name: 'Acme *Rockets*' });
    let person: Pick<Member, 'id'> = { id: 0 };
    const events = await app.captureEvents(async () => {
      person = await join();
    });
    const [greeting, ...more] = await conversation(person);
    expect(more).toEqual([]);
    expect(greeting).toMatchObject({ sender_id: botId, flags: ['starred'] });
    expect(greeting.content).toContain('Hello, and welcome to Acme &#42;Rockets&#42;! :wave:');
    expect(greeting.content).toContain('https://zulip.com/help/getting-started-with-zulip');
    expect(greeting.content).not.toContain('moving-to-zulip');
    expect(greeting.content).toContain(`to learn more: ${KNOWN}.`);
    const about = events.filter(({ event: { type } }) => /message/.test(type));
    expect(about.map(({ event: { type, flag }, audience }) => [type, flag, audience])).toEqual([
      ['message', undefined, [botId, person.id].sort((a, b) => a - b)],
      ['update_message_flags', 'starred', [person.id]],
    ]);
    const state = await stateOf(app, person, {
      wanted: ['message', 'update_message_flags', 'starred_messages'],
    });
    expect(state).toMatchObject({
      unread_msgs: { count: 1, pms: [{ unread_message_ids: [greeting.id] }] },
      starred_messages: [greeting.id],
    });
  });

  it('tells those who are to run the organization how to begin, whoever adds them', async () => {
    const companion = await app.companionAs(app.cast.olivia);
    const email = 'admin@example.com';
    const { status, body } = await companion.post('/auth/users', {
      email,
      password: PASSWORD,
      full_name: 'New Admin',
      role: 'administrator',
    });
    expect(status).toBe(201);
    const [greeting] = await conversation({ id: body.user_id });
    expect(greeting.content).toContain('https://zulip.com/help/moving-to-zulip');
  });

  it('adds what the organization says, or whoever invited the person', async () => {
    await changeOrganization(app, {
      welcome_message_custom_text: 'Lunch is at **noon**.\n```\nbring soup\n```',
    });
    const person = await join();
    const custom =
      'A message from the administrators of Acme:\n\n````quote\nLunch is at **noon**.\n```\nbring soup\n```\n````';
    const messages = await conversation(person);
    expect(messages).toMatchObject([{ flags: ['starred'] }, { content: custom, flags: [] }]);
    const { mia, max } = app.cast;
    await app.get(WelcomeService).greet(mia.id, 'Hi Mia');
    expect((await conversation(mia)).at(-1).content).toContain('quote\nHi Mia\n');
    await app.get(WelcomeService).greet(max.id, '');
    await expect(conversation(max)).resolves.toHaveLength(1);
  });

  it('does not greet bots', async () => {
    const { mia } = app.cast;
    const events = await app.captureEvents(async () => {
      expectSuccess(await app.as(mia).post('/bots', { full_name: 'Beep', short_name: 'beep' }));
    });
    expect(events.map(({ event }) => event.type)).not.toContain('message');
  });

  it.each([
    ['apps', 'zulip.com/apps'],
    ['APP', 'zulip.com/apps'],
    [' profile ', 'edit-your-profile'],
    ['theme', 'dark-theme'],
    ['streams', 'introduction-to-channels'],
    ['`channel`', 'introduction-to-channels'],
    ['topics', 'introduction-to-topics'],
    ['Keyboard Shortcuts', 'keyboard-shortcuts'],
    ['shortcuts', 'keyboard-shortcuts'],
    ['message formatting', 'format-your-message-using-markdown'],
    ['?', 'getting-started-with-zulip'],
    ['help', 'getting-started-with-zulip'],
  ])('answers %s', async (word, link) => {
    await expect(answersTo(app.cast.gus, word)).resolves.toEqual([expect.stringContaining(link)]);
  });

  it('says once what it understands, and nothing after that', async () => {
    const { mona } = app.cast;
    await expect(answersTo(mona, 'Hello there')).resolves.toEqual([
      `I’m a bot, and I don’t understand that. You can ask me about: ${KNOWN}.`,
    ]);
    await expect(answersTo(mona, 'Hello?')).resolves.toEqual([]);
    await expect(answersTo(mona, 'help')).resolves.toHaveLength(1);
    await expect(answersTo(mona, 'helpful')).resolves.toEqual([]);
  });

  it('answers neither groups nor bots', async () => {
    const { mia, max, robo } = app.cast;
    const events = await app.captureEvents(async () => {
      await sendDirect(app, mia, [{ id: botId }, max], 'help');
      await sendDirect(app, robo, [{ id: botId }], 'help');
      await sendDirect(app, mia, [max], 'help');
    });
    expect(events.filter(({ event }) => event.type === 'message')).toHaveLength(3);
  });
});

describe('What the organization tells people who join', () => {
  it('is chosen by administrators, and told to everybody', async () => {
    const { adam, mona, gus } = app.cast;
    const parameters = { welcome_message_custom_text: ' Come in! ' };
    expectError(await app.as(mona).patch('/realm', parameters), 'Must be an organization administrator', {
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
    const events = await app.captureEvents(async () => {
      expectSuccess(await app.as(adam).patch('/realm', parameters));
    });
    expect(events.map(({ event }) => event)).toEqual([
      { type: 'realm', op: 'update', property: 'welcome_message_custom_text', value: ' Come in! ' },
    ]);
    expect(events[0]?.audience).toContain(gus.id);
    await expect(stateOf(app, gus, { wanted: ['realm'] })).resolves.toHaveProperty(
      'realm_welcome_message_custom_text',
      ' Come in! ',
    );
    expectError(
      await app.as(adam).patch('/realm', { welcome_message_custom_text: 'x'.repeat(8_001) }),
      'welcome_message_custom_text is too long (limit: 8000 characters)',
    );
  });

  it('can be tried out', async () => {
    const { adam } = app.cast;
    const answer = await tryOut(adam, { welcome_message_custom_text: 'Come **in**!' });
    const { message_id, ...rest } = expectSuccess(answer);
    expect(rest).toEqual({ result: 'success', msg: '' });
    expect((await conversation(adam)).at(-1)).toMatchObject({
      id: message_id,
      sender_id: botId,
      content: 'A message from the administrators of Acme:\n\n```quote\nCome **in**!\n```',
      flags: [],
    });
    await expect(stateOf(app, adam, { wanted: ['realm'] })).resolves.toHaveProperty(
      'realm_welcome_message_custom_text',
      '',
    );
  });

  it.each([
    [{ welcome_message_custom_text: '' }, 'Message must not be empty'],
    [
      { welcome_message_custom_text: 'x'.repeat(8_001) },
      'welcome_message_custom_text is too long (limit: 8000 characters)',
    ],
  ])('cannot be nothing, nor too long, when it is tried out (%#)', async (parameters, message) => {
    expectError(await tryOut(app.cast.adam, parameters), message);
  });

  it.each(['mona', 'mia', 'gus'] as const)('is not tried out by %s', async (name) => {
    const answer = await tryOut(app.cast[name], { welcome_message_custom_text: 'hi' });
    expectError(answer, 'Must be an organization administrator', { code: 'UNAUTHORIZED_PRINCIPAL' });
  });

  const tryOut = (member: Member, parameters: Parameters) =>
    app.as(member).post('/realm/test_welcome_bot_custom_message', parameters);
});
