import { check, topicOf } from '../check';
import { boolean, expectThat, list, listWith, listWithout, number, object, text } from '../expectations';
import { PICTURE } from '../scene';

/** Linkifiers. */
export const LINKIFIERS = topicOf(
  'linkifiers',
  check('adds, lists and removes one', 'Numbers of tickets become links.', async (scene) => {
    const { client } = scene.owner;
    const pattern = `${scene.word()}-(?P<id>[0-9]+)`;
    const { id } = await client.ok('POST /realm/filters', {
      pattern,
      url_template: 'https://example.com/{id}',
    });
    const known = { id, pattern, url_template: 'https://example.com/{id}' };
    expectThat('linkifiers', (await client.ok('GET /realm/linkifiers'))['linkifiers'], listWith(known));
    await client.ok(`DELETE /realm/filters/${Number(id)}`);
    expectThat('linkifiers', (await client.ok('GET /realm/linkifiers'))['linkifiers'], listWithout({ id }));
  }),
  check('makes links of what fits', 'In messages from then on.', async (scene) => {
    const { client } = scene.owner;
    const word = scene.word();
    const { id } = await client.ok('POST /realm/filters', {
      pattern: `${word}-(?P<id>[0-9]+)`,
      url_template: 'https://example.com/{id}',
    });
    const { rendered } = await client.ok('POST /messages/render', { content: `see ${word}-42` });
    await client.ok(`DELETE /realm/filters/${Number(id)}`);
    expectThat('rendered', rendered, new RegExp(`<a href="https://example.com/42"[^>]*>${word}-42</a>`));
  }),
  check('changes one, and sends an event', 'Clients render what one writes by themselves.', async (scene) => {
    const { client } = scene.owner;
    const pattern = `${scene.word()}-(?P<id>[0-9]+)`;
    const { id } = await client.ok('POST /realm/filters', {
      pattern,
      url_template: 'https://example.com/{id}',
    });
    const queue = await scene.listen(['realm_linkifiers'], scene.owner, {
      client_capabilities: { notification_settings_null: true, linkifier_url_template: true },
    });
    await client.ok(`PATCH /realm/filters/${Number(id)}`, {
      pattern,
      url_template: 'https://example.org/{id}',
    });
    await queue.next({
      type: 'realm_linkifiers',
      realm_linkifiers: listWith({ id, url_template: 'https://example.org/{id}' }),
    });
    await client.ok(`DELETE /realm/filters/${Number(id)}`);
    await queue.end();
  }),
  check('refuses a pattern that cannot be read', 'Nothing would fit it.', async (scene) => {
    await scene.owner.client.refused('POST /realm/filters', {
      pattern: `${scene.word()}(`,
      url_template: 'https://example.com/',
    });
  }),
  check(
    'refuses a template that names what the pattern has not',
    'The link would lead nowhere.',
    async (scene) => {
      await scene.owner.client.refused('POST /realm/filters', {
        pattern: `${scene.word()}-(?P<id>[0-9]+)`,
        url_template: 'https://example.com/{other}',
      });
    },
  ),
  check('adds and removes playgrounds', 'Sites where code can be tried.', async (scene) => {
    const { client } = scene.owner;
    const name = scene.word();
    const { id } = await client.ok('POST /realm/playgrounds', {
      name,
      pygments_language: 'Python',
      url_template: 'https://example.com/?code={code}',
    });
    scene.later(`DELETE /realm/playgrounds/${Number(id)}`);
    const listed = async () => (await scene.state(['realm_playgrounds']))['realm_playgrounds'];
    expectThat('realm_playgrounds', await listed(), listWith({ id, name, pygments_language: 'Python' }));
    await client.ok(`DELETE /realm/playgrounds/${Number(id)}`);
    expectThat('realm_playgrounds', await listed(), listWithout({ id }));
  }),
);

/** Custom emoji. */
export const EMOJI = topicOf(
  'emoji',
  check('lists them', 'By ID, also those that are gone.', async ({ owner }) => {
    expectThat('emoji', (await owner.client.ok('GET /realm/emoji'))['emoji'], object);
  }),
  check('adds one, and deactivates it', 'Messages that have it keep it.', async (scene) => {
    const { client } = scene.owner;
    const name = scene.word();
    const added = await client.upload(`POST /realm/emoji/${name}`, `${name}.png`, PICTURE, 'image/png');
    expectThat('POST /realm/emoji', added, { status: 200, body: { result: 'success' } });
    const find = async () =>
      Object.values((await client.ok('GET /realm/emoji'))['emoji'] as Record<string, unknown>);
    expectThat('emoji', await find(), listWith({ name, deactivated: false, author_id: scene.owner.id }));
    await client.ok(`DELETE /realm/emoji/${name}`);
    expectThat('emoji', await find(), listWith({ name, deactivated: true }));
  }),
  check('takes it for reactions', 'Its code is its ID.', async (scene) => {
    const { client } = scene.owner;
    const name = scene.word();
    await client.upload(`POST /realm/emoji/${name}`, `${name}.png`, PICTURE, 'image/png');
    const id = await scene.send(`:${name}:`);
    await client.ok(`POST /messages/${id}/reactions`, { emoji_name: name });
    const message = await scene.message(id);
    await client.ok(`DELETE /realm/emoji/${name}`);
    expectThat(
      'reactions',
      message['reactions'],
      listWith({ emoji_name: name, reaction_type: 'realm_emoji' }),
    );
    expectThat('content', message['content'], new RegExp(`<img alt=":${name}:" class="emoji"`));
  }),
  check('refuses what is no picture', 'Clients could not show it.', async (scene) => {
    const name = scene.word();
    const { status, body } = await scene.owner.client.upload(
      `POST /realm/emoji/${name}`,
      `${name}.png`,
      Buffer.from('hello'),
      'image/png',
    );
    expectThat('POST /realm/emoji', { status, body }, { status: 400, body: { result: 'error' } });
  }),
  check('refuses to remove one that there is not', 'It is an error of the request.', async (scene) => {
    const { body } = await scene.owner.client.ask(`DELETE /realm/emoji/${scene.word()}`);
    expectThat('DELETE /realm/emoji', body, { result: 'error' });
  }),
);

/** What anyone may request before signing in. */
export const SERVER_SETTINGS = topicOf(
  'server settings',
  check('are told to anybody', 'Clients request them before sign-in.', async ({ anonymous }) => {
    expectThat('GET /server_settings', await anonymous.ok('GET /server_settings'), {
      result: 'success',
      msg: text,
    });
  }),
  check(
    'name the version',
    'Clients show it, and refuse servers that are too old.',
    async ({ anonymous }) => {
      expectThat('GET /server_settings', await anonymous.ok('GET /server_settings'), {
        zulip_version: /^\d+\.\d+/,
      });
    },
  ),
  check('name the feature level', 'Clients decide by it what they may use.', async ({ anonymous }) => {
    const { zulip_feature_level: level } = await anonymous.ok('GET /server_settings');
    expectThat(
      'zulip_feature_level',
      level,
      (value: unknown) => Number.isInteger(value) && Number(value) > 0,
    );
  }),
  check('say where the organization is', 'All further requests go there.', async ({ anonymous, level }) => {
    const settings = await anonymous.ok('GET /server_settings');
    expectThat(
      'address of the organization',
      settings[level >= 257 ? 'realm_url' : 'realm_uri'],
      /^https?:\/\//,
    );
  }),
  check('name the organization', 'It stands above the form to sign in.', async ({ anonymous }) => {
    expectThat('GET /server_settings', await anonymous.ok('GET /server_settings'), {
      realm_name: text,
      realm_description: text,
      realm_icon: text,
    });
  }),
  check('say how one signs in', 'Clients offer these ways and no others.', async ({ anonymous }) => {
    expectThat('GET /server_settings', await anonymous.ok('GET /server_settings'), {
      authentication_methods: object,
      external_authentication_methods: list,
      email_auth_enabled: boolean,
      require_email_format_usernames: boolean,
    });
  }),
  check('say of each way whether it is on', 'Every value is a boolean.', async ({ anonymous }) => {
    const { authentication_methods: methods } = await anonymous.ok('GET /server_settings');
    expectThat('authentication_methods', Object.values(methods as object).every(boolean), true);
  }),
  check(
    'say whether notifications can be pushed',
    'Clients on phones warn where they cannot.',
    async ({ anonymous }) => {
      expectThat('GET /server_settings', await anonymous.ok('GET /server_settings'), {
        push_notifications_enabled: boolean,
      });
    },
  ),
  check('tell a client whether it is too old', 'Clients then ask to be updated.', async ({ anonymous }) => {
    expectThat('GET /server_settings', await anonymous.ok('GET /server_settings'), {
      is_incompatible: boolean,
    });
  }),
  check(
    'agree with what is told at registration',
    'A client would otherwise take two servers for one.',
    async ({ anonymous, owner }) => {
      const { zulip_feature_level: level, zulip_version: version } =
        await anonymous.ok('GET /server_settings');
      const state = await owner.client.ok('POST /register', { event_types: ['message'] });
      await owner.client.ask('DELETE /events', { queue_id: state['queue_id'] });
      expectThat('POST /register', state, { zulip_feature_level: level, zulip_version: version });
      expectThat('zulip_feature_level', level, number);
    },
  ),
);
