import type { SystemGroupName } from '../../src/features/organization-settings/organization-settings';
import type { Member } from '../support/cast';
import { createChannel } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { expectWrongGroup, makeGroup, peopleAlone, systemGroupId } from '../support/group-setup';
import { fetchMessage, sendTo } from '../support/message-setup';
import { TestApp } from '../support/test-app';

/** Who may mention which groups: the sender is in the group that `can_mention_group` names. */

let app: TestApp;
let channel: number;
let group: number;

beforeAll(async () => {
  app = await TestApp.start();
  const principals = Object.values(app.cast).map(({ id }) => id);
  channel = await createChannel(app, app.cast.olivia, 'place', { principals });
  group = await makeGroup(app, app.cast.olivia, 'cooks', { members: [app.cast.mia.id] });
});

afterAll(() => app.stop());

const mention = (sender: Member, name = 'cooks', silent = '') =>
  app.as(sender).post('/messages', {
    type: 'channel',
    to: channel,
    topic: 'lunch',
    content: `@${silent}*${name}* is ready`,
  });
const giveTo = async (value: unknown) =>
  app.as(app.cast.olivia).patch(`/user_groups/${group}`, { can_mention_group: { new: value } });
const refusal = (name: string) => `You are not allowed to mention user group '${name}'.`;

/** Everybody who may mention the group, by trying. */
async function mentioners(): Promise<string[]> {
  const allowed: string[] = [];
  for (const [name, member] of Object.entries(app.cast)) {
    const answer = await mention(member);
    if (answer.status === 200) allowed.push(name);
    else expectError(answer, refusal('cooks'));
  }
  return allowed.sort();
}

it.each([
  ['role:nobody', []],
  ['role:administrators', ['adam', 'olivia']],
  ['role:moderators', ['adam', 'mona', 'olivia']],
  ['role:fullmembers', ['adam', 'max', 'mia', 'mona', 'olivia', 'robo']],
  ['role:members', ['adam', 'max', 'mia', 'mona', 'olivia', 'robo']],
  ['role:everyone', ['adam', 'gus', 'max', 'mia', 'mona', 'olivia', 'robo']],
] as [SystemGroupName, string[]][])('a group may be mentioned by %s', async (name, allowed) => {
  expectSuccess(await giveTo(systemGroupId(app, name)));
  await expect(mentioners()).resolves.toEqual(allowed);
});

it.each(['role:owners', 'role:internet'] as const)('%s cannot be who may', async (name) => {
  const answer = await giveTo(systemGroupId(app, name));
  expectWrongGroup(answer, `'can_mention_group' setting cannot be set to '${name}' group.`);
});

it('a bot is asked for itself, in the groups of its own role, and not for its owner', async () => {
  const { olivia, mia, robo } = app.cast;
  expectSuccess(await giveTo(peopleAlone(mia)));
  expectError(await mention(robo), refusal('cooks'));
  expectSuccess(await giveTo(peopleAlone(robo)));
  const { id } = expectSuccess(await mention(robo));
  await expect(fetchMessage(app, mia, id)).resolves.toMatchObject({ flags: ['mentioned'] });
  expectError(await mention(mia), refusal('cooks'));
  expectSuccess(await giveTo(systemGroupId(app, 'role:moderators')));
  const own = await sendTo(app, robo, channel, 'lunch', 'soup');
  const edit = () => app.as(robo).patch(`/messages/${own}`, { content: '@*cooks*' });
  expectError(await edit(), refusal('cooks'));
  expectSuccess(await app.as(olivia).patch(`/bots/${robo.id}`, { role: 300 }));
  expectSuccess(await edit());
  expectSuccess(await app.as(olivia).patch(`/bots/${robo.id}`, { role: 400 }));
  expectError(await mention(robo), refusal('cooks'));
});

it('nobody mentions the groups of roles, unless silently', async () => {
  const { olivia, gus, robo, mia } = app.cast;
  for (const name of ['role:administrators', 'role:everyone', 'role:internet', 'role:nobody']) {
    for (const sender of [olivia, gus, robo]) expectError(await mention(sender, name), refusal(name));
    const { id } = expectSuccess(await mention(olivia, name, '_'));
    await expect(fetchMessage(app, mia, id)).resolves.toMatchObject({ flags: [] });
  }
});

it('in a direct message the same holds', async () => {
  const { olivia, mia, robo } = app.cast;
  expectSuccess(await giveTo(peopleAlone(olivia)));
  const send = (sender: Member) =>
    app.as(sender).post('/messages', { type: 'direct', to: [mia.id], content: '@*cooks*' });
  expectError(await send(robo), refusal('cooks'));
  const { id } = expectSuccess(await send(olivia));
  await expect(fetchMessage(app, mia, id)).resolves.toMatchObject({ flags: ['mentioned'] });
});
