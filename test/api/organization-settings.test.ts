import { OrganizationDirectory } from '../../src/features/organization-settings/organization.directory';
import type { SystemGroupName } from '../../src/features/organization-settings/organization-settings';
import { GroupDirectory } from '../../src/features/user-groups/groups/group.directory';
import type { Parameters } from '../support/api-client';
import { expectError, expectSuccess } from '../support/expect-answer';
import { expectWrongGroup, peopleAlone, systemGroupId } from '../support/group-setup';
import { stateOf } from '../support/initial-state';
import { TestApp } from '../support/test-app';

let app: TestApp;

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

const settings = () => app.get(OrganizationDirectory).settings;
const systemGroup = (name: SystemGroupName) => systemGroupId(app, name);

describe('Organization settings', () => {
  it('are changed by administrators, who everybody hears about', async () => {
    const events = await app.captureEvents(async () => {
      expectSuccess(
        await app.as(app.cast.adam).patch('/realm', { allow_message_editing: true, name: 'Acme' }),
      );
    });
    expect(settings().name).toBe('Acme');
    expect(events.map(({ event }) => event)).toEqual([
      { type: 'realm', op: 'update', property: 'name', value: 'Acme' },
    ]);
    expect(events[0]?.audience).toContain(app.cast.gus.id);
  });

  it.each(['mona', 'mia', 'gus', 'robo'] as const)('are closed to %s', async (name) => {
    expectError(
      await app.as(app.cast[name]).patch('/realm', { name: 'Mine' }),
      'Must be an organization administrator',
      { code: 'UNAUTHORIZED_PRINCIPAL' },
    );
    expect(settings().name).not.toBe('Mine');
  });

  it.each([
    ['can_create_groups', 'role:members'],
    ['can_invite_users_group', 'role:administrators'],
    ['can_manage_all_groups', 'role:owners'],
    ['can_manage_billing_group', 'role:administrators'],
    ['create_multiuse_invite_group', 'role:administrators'],
    ['waiting_period_threshold', null],
  ] as const)('leave %s to owners', async (setting, group) => {
    const { adam, olivia } = app.cast;
    const { name } = settings();
    const wanted = group ? { new: peopleAlone(adam) } : 2;
    const initial = group ? { new: systemGroup(group) } : 0;
    for (const value of [wanted, initial]) {
      expectError(
        await app.as(adam).patch('/realm', { name: 'Taken', [setting]: value }),
        'Must be an organization owner',
        { code: 'UNAUTHORIZED_PRINCIPAL' },
      );
    }
    expect(settings().name).toBe(name);
    for (const value of [wanted, initial]) {
      expectSuccess(await app.as(olivia).patch('/realm', { [setting]: value }));
    }
  });

  it('leave message retention to owners, as days or for ever', async () => {
    expectError(
      await app.as(app.cast.adam).patch('/realm', { message_retention_days: 30 }),
      'Must be an organization owner',
      { code: 'UNAUTHORIZED_PRINCIPAL' },
    );
    expectSuccess(await app.as(app.cast.olivia).patch('/realm', { message_retention_days: 30 }));
    expect(settings().message_retention_days).toBe(30);
    expectSuccess(await app.as(app.cast.olivia).patch('/realm', { message_retention_days: 'unlimited' }));
    expectSuccess(await app.as(app.cast.olivia).patch('/realm', { message_retention_days: '"unlimited"' }));
    expect(settings().message_retention_days).toBe(-1);
    for (const bad_value of [0, 2 ** 31, Number.MAX_SAFE_INTEGER]) {
      expectError(
        await app.as(app.cast.olivia).patch('/realm', { message_retention_days: bad_value }),
        `Bad value for 'message_retention_days': ${bad_value}`,
        { code: 'REQUEST_VARIABLE_INVALID', data: { var_name: 'message_retention_days', bad_value } },
      );
    }
  });

  it('take no more days than a column holds, and no name of the empty topic that no topic could have', async () => {
    const change = (parameters: Parameters) => app.as(app.cast.olivia).patch('/realm', parameters);
    for (const days of [2 ** 31, Number.MAX_SAFE_INTEGER]) {
      expectError(await change({ waiting_period_threshold: days }), 'waiting_period_threshold is too large');
    }
    expectSuccess(await change({ waiting_period_threshold: 2 ** 31 - 1 }));
    expectSuccess(await change({ waiting_period_threshold: 0 }));
    expectError(await change({ empty_topic_display_name: '  ' }), 'empty_topic_display_name cannot be blank');
    expectSuccess(await change({ empty_topic_display_name: ' anything ' }));
    expect(settings().empty_topic_display_name).toBe('anything');
    expectSuccess(await change({ empty_topic_display_name: 'general chat' }));
  });

  it('change together or not at all', async () => {
    const before = settings().name;
    expectError(
      await app
        .as(app.cast.olivia)
        .patch('/realm', { name: 'Half', signup_announcements_stream_id: 999_999 }),
      'Invalid channel ID',
    );
    expect(settings().name).toBe(before);
  });

  it('about editing are told in the form that clients know of them', async () => {
    const told = async (changes: Parameters) => {
      const events = await app.captureEvents(async () => {
        expectSuccess(await app.as(app.cast.olivia).patch('/realm', changes));
      });
      return events.map(({ event }) => event);
    };
    const together = { type: 'realm', op: 'update_dict', property: 'default' };
    expect(await told({ allow_message_editing: false, message_content_edit_limit_seconds: 900 })).toEqual([
      { ...together, data: { allow_message_editing: false } },
      { ...together, data: { message_content_edit_limit_seconds: 900 } },
    ]);
    expect(await told({ allow_message_editing: true, message_content_delete_limit_seconds: 900 })).toEqual([
      { ...together, data: { allow_message_editing: true } },
      { type: 'realm', op: 'update', property: 'message_content_delete_limit_seconds', value: 900 },
    ]);
  });

  it('tell of a new description together with its HTML, which registering shows as well', async () => {
    const events = await app.captureEvents(async () => {
      expectSuccess(await app.as(app.cast.olivia).patch('/realm', { description: 'Where **we** talk' }));
    });
    const data = {
      description: 'Where **we** talk',
      rendered_description: '<p>Where <strong>we</strong> talk</p>',
    };
    expect(events.map(({ event }) => event)).toEqual([
      { type: 'realm', op: 'update_dict', property: 'default', data },
    ]);
    const state = expectSuccess(
      await app.as(app.cast.gus).post('/register', { fetch_event_types: ['realm'] }),
    );
    expect(state).toMatchObject({
      realm_description: data.description,
      realm_rendered_description: data.rendered_description,
    });
    expect(state).not.toHaveProperty('realm_is_zephyr_mirror_realm');
  });

  it('take groups as {new, old}, and what they allow holds at once', async () => {
    const events = await app.captureEvents(async () => {
      expectSuccess(
        await app.as(app.cast.adam).patch('/realm', {
          can_create_web_public_channel_group: {
            new: systemGroup('role:moderators'),
            old: systemGroup('role:owners'),
          },
        }),
      );
    });
    expect(events[0]?.event).toEqual({
      type: 'realm',
      op: 'update_dict',
      property: 'default',
      data: {
        can_create_web_public_channel_group: systemGroup('role:moderators'),
        create_web_public_stream_policy: 4,
      },
    });
    expectError(
      await app.as(app.cast.adam).patch('/realm', {
        can_create_web_public_channel_group: {
          new: systemGroup('role:owners'),
          old: systemGroup('role:owners'),
        },
      }),
      "'old' value does not match the expected value.",
      { code: 'EXPECTATION_MISMATCH', data: { field_name: 'old' } },
    );
    expectWrongGroup(
      await app.as(app.cast.adam).patch('/realm', {
        can_create_web_public_channel_group: { new: systemGroup('role:members') },
      }),
      "'can_create_web_public_channel_group' setting cannot be set to 'role:members' group.",
    );
  });

  it('are told to older clients in the form that these know', async () => {
    const change = async (parameters: Parameters) => {
      const events = await app.captureEvents(async () => {
        expectSuccess(await app.as(app.cast.adam).patch('/realm', parameters));
      });
      return events.map(({ event }) => event.data ?? { [event.property]: event.value });
    };
    expect(await change({ topics_policy: 'disable_empty_topic' })).toEqual([
      { topics_policy: 'disable_empty_topic', mandatory_topics: true },
    ]);
    expect(await change({ message_edit_history_visibility_policy: 'moves' })).toEqual([
      { message_edit_history_visibility_policy: 'moves' },
    ]);
    expect(await change({ message_edit_history_visibility_policy: 'none' })).toEqual([
      { message_edit_history_visibility_policy: 'none' },
      { allow_edit_history: false },
    ]);
    const [moderators, owners] = [systemGroup('role:moderators'), systemGroup('role:owners')];
    for (const [group, policy] of Object.entries({
      can_create_public_channel_group: 'create_public_stream_policy',
      can_create_private_channel_group: 'create_private_stream_policy',
    })) {
      expect(await change({ [group]: { new: moderators } })).toEqual([{ [group]: moderators, [policy]: 4 }]);
    }
    for (const group of ['can_set_topics_policy_group', 'can_set_delete_message_policy_group']) {
      expect(await change({ [group]: { new: owners } })).toEqual([{ [group]: owners }]);
    }
    expect(await change({ can_mention_many_users_group: { new: owners } })).toEqual([
      { can_mention_many_users_group: owners, wildcard_mention_policy: 1 },
    ]);
  });

  it('keep what is only for clients, and tell it', async () => {
    const { adam } = app.cast;
    const members = systemGroup('role:members');
    const own = { direct_members: [adam.id], direct_subgroups: [] };
    const events = await app.captureEvents(async () => {
      const changed = await app.as(adam).patch('/realm', {
        media_preview_size: 150,
        require_e2ee_push_notifications: true,
        workplace_users_group: { new: own, old: members },
      });
      expect(expectSuccess(changed)).not.toHaveProperty('ignored_parameters_unsupported');
    });
    expect(events.map(({ event }) => event.data ?? { [event.property]: event.value })).toEqual([
      { media_preview_size: 150 },
      { require_e2ee_push_notifications: true },
      { workplace_users_group: own },
    ]);
    const state = await stateOf(app, app.cast.mia, { wanted: ['realm'] });
    expect(state).toMatchObject({
      realm_media_preview_size: 150,
      realm_require_e2ee_push_notifications: true,
      realm_workplace_users_group: own,
    });
    expectError(
      await app.as(adam).patch('/realm', { media_preview_size: 120 }),
      "Bad value for 'media_preview_size': 120",
      { code: 'REQUEST_VARIABLE_INVALID', data: { var_name: 'media_preview_size', bad_value: 120 } },
    );
  });

  it('take the code of a language, and nothing else', async () => {
    const { adam } = app.cast;
    for (const code of ['', 'klingonish', 'xx', 'de; drop']) {
      expectError(
        await app.as(adam).patch('/realm', { default_language: code, name: 'Taken' }),
        `Invalid language '${code}'`,
      );
    }
    expect(settings()).toMatchObject({ default_language: 'en', name: expect.not.stringMatching('Taken') });
    const events = await app.captureEvents(async () => {
      expectSuccess(await app.as(adam).patch('/realm', { default_language: 'pt-br' }));
    });
    expect(events.map(({ event }) => event)).toEqual([
      { type: 'realm', op: 'update', property: 'default_language', value: 'pt-br' },
    ]);
    expectSuccess(await app.as(adam).patch('/realm', { default_language: 'en' }));
  });

  it('put members into role:fullmembers once the waiting period allows it', async () => {
    const full = () => app.get(GroupDirectory).byName('role:fullmembers')?.members;
    expect(full()).toContain(app.cast.mia.id);
    const events = await app.captureEvents(() =>
      app.as(app.cast.olivia).patch('/realm', { waiting_period_threshold: 3 }),
    );
    expect(full()).not.toContain(app.cast.mia.id);
    expect(events.map(({ event }) => event.op)).toEqual(['remove_members', 'update']);
    await app.as(app.cast.olivia).patch('/realm', { waiting_period_threshold: 0 });
    expect(full()).toContain(app.cast.mia.id);
  });
});
