import { GroupDirectory } from '../../src/features/user-groups/groups/group.directory';
import { AccountDirectory } from '../../src/features/users/accounts/account.directory';
import { channelRecord, createChannel } from '../support/channel-setup';
import { expectError, expectSuccess } from '../support/expect-answer';
import { TestApp } from '../support/test-app';

type Person = keyof TestApp['cast'];

let app: TestApp;
let channel: number;

beforeAll(async () => {
  app = await TestApp.start({ env: { EMAIL_DOMAIN: 'mail.example.org' } });
  channel = await createChannel(app, app.cast.mia, 'Two words');
});

afterAll(() => app.stop());

const ask = (who: Person, id: number, parameters = {}) =>
  app.as(app.cast[who]).get(`/streams/${id}/email_address`, parameters);

const addressOf = async (who: Person, id: number, parameters = {}): Promise<string> =>
  expectSuccess(await ask(who, id, parameters)).email;

const systemBot = (name: string) => {
  const bot = app
    .get(AccountDirectory)
    .systemBots()
    .find(({ deliveryEmail }) => deliveryEmail.startsWith(name));
  return (bot as { id: number }).id;
};

describe("a channel's e-mail address", () => {
  it('is stable, unguessable and under EMAIL_DOMAIN [EP7-stream_id, EP7-email]', async () => {
    const address = await addressOf('mia', channel);
    expect(address).toMatch(/^two-words\.[0-9a-f]{32}\.show-sender@mail\.example\.org$/);
    await expect(addressOf('mia', channel)).resolves.toBe(address);
  });

  it('goes without a name that mail cannot carry, and follows a new one', async () => {
    const id = await createChannel(app, app.cast.mia, 'Привет');
    const address = await addressOf('mia', id);
    expect(address).toMatch(/^[0-9a-f]{32}\.show-sender@mail\.example\.org$/);
    expectSuccess(await app.as(app.cast.mia).patch(`/streams/${id}`, { new_name: 'Hello' }));
    await expect(addressOf('mia', id)).resolves.toBe(`hello.${address}`);
  });

  it('is another one for each caller, channel and sender', async () => {
    const { mia, robo } = app.cast;
    const other = await createChannel(app, mia, 'Other');
    const addresses = [
      await addressOf('mia', channel),
      await addressOf('mia', other),
      await addressOf('max', channel),
      await addressOf('mia', channel, { sender_id: mia.id }),
      await addressOf('mia', channel, { sender_id: robo.id }),
    ];
    expect(new Set(addresses.map((address) => /[0-9a-f]{32}/.exec(address)?.[0])).size).toBe(
      addresses.length,
    );
  });

  it('is the same for requests at the same time', async () => {
    const id = await createChannel(app, app.cast.mia, 'Busy');
    const addresses = await Promise.all(Array.from({ length: 20 }, () => addressOf('mia', id)));
    expect(new Set(addresses).size).toBe(1);
  });
});

describe('the sender of mail to a channel', () => {
  it('is the gateway bot unless another is asked for [EP7-sender_id-gateway, VER-335]', async () => {
    const gateway = systemBot('emailgateway@');
    await expect(addressOf('mia', channel, { sender_id: gateway })).resolves.toBe(
      await addressOf('mia', channel),
    );
  });

  it('may be the caller, or a bot of the caller [EP7-sender_id-own, EP7-sender_id-bot]', async () => {
    const { mia, robo } = app.cast;
    expectSuccess(await ask('mia', channel, { sender_id: mia.id }));
    expectSuccess(await ask('mia', channel, { sender_id: robo.id }));
    expectSuccess(await ask('robo', channel, { sender_id: robo.id }));
  });

  it.each(['max', 'adam', 'olivia'] as const)(
    'may be nobody else, also for %s [EP7-sender_id-others]',
    async (who) => {
      const { mia, robo } = app.cast;
      expectError(await ask(who, channel, { sender_id: robo.id }), 'Insufficient permission');
      expectError(await ask(who, channel, { sender_id: mia.id }), 'No such bot');
      expectError(await ask(who, channel, { sender_id: systemBot('notification-bot@') }), 'No such bot');
      expectError(await ask(who, channel, { sender_id: 999_999_999_999 }), 'No such bot');
      expectError(await ask(who, channel, { sender_id: -1 }), 'sender_id is too small');
    },
  );
});

describe('who gets the address', () => {
  it('those who may post, and nobody else [EP7-R1, AUTH-7, VER-448]', async () => {
    const id = await createChannel(app, app.cast.mia, 'News', {
      can_send_message_group: app.get(GroupDirectory).systemGroupId('role:moderators'),
    });
    expectError(await ask('mia', id), 'You do not have permission to post in this channel.');
    await addressOf('mona', id);
  });

  it('not those for whom the channel does not exist [EP7-R2, ERR-BAD_REQUEST-channel, ERR-invalid-channel]', async () => {
    const hidden = await createChannel(app, app.cast.mia, 'Hidden', { invite_only: true });
    expectError(await ask('max', 999_999), 'Invalid channel ID');
    expectError(await ask('max', hidden), 'Invalid channel ID');
    expectError(await ask('gus', channel), 'Invalid channel ID');
    await addressOf('mia', hidden);
  });

  it('not administrators who see a private channel without being in it', async () => {
    const id = await createChannel(app, app.cast.mia, 'Private', { invite_only: true });
    const { name } = await channelRecord(app, id);
    expectError(await ask('adam', id), `Not authorized to send to channel '${name}'`);
  });

  it('bots as well as people, their own right to post counting', async () => {
    const bot = await app.addAccount({
      deliveryEmail: 'lone-bot@example.com',
      fullName: 'Lone Bot',
      role: 400,
      isBot: true,
      botType: 1,
    });
    expectSuccess(await app.as(bot).get(`/streams/${channel}/email_address`));
  });
});
