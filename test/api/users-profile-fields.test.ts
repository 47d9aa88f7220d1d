import { AccountDirectory } from '../../src/features/users/accounts/account.directory';
import { expectError, expectSuccess } from '../support/expect-answer';
import type { Member } from '../support/cast';
import { TestApp } from '../support/test-app';

let app: TestApp;
const fieldIds: Record<string, number> = {};

beforeAll(async () => {
  app = await TestApp.start();
});

afterAll(() => app.stop());

const everybody = () => [...app.get(AccountDirectory).active.ids()];
const fields = async () =>
  expectSuccess(await app.as(app.cast.mia).get('/realm/profile_fields')).custom_fields;
const create = (parameters: object) => app.as(app.cast.adam).post('/realm/profile_fields', { ...parameters });
const profileOf = async (member: Member, viewer = app.cast.max) => {
  const parameters = { include_custom_profile_fields: true };
  return expectSuccess(await app.as(viewer).get(`/users/${member.id}`, parameters)).user.profile_data;
};

describe('Custom profile fields', () => {
  it('are made by administrators and told to everybody', async () => {
    const events = await app.captureEvents(async () => {
      const answer = await create({
        name: ' Phone ',
        hint: 'Office',
        field_type: 1,
        required: true,
        use_for_user_matching: true,
      });
      fieldIds['phone'] = expectSuccess(answer).id;
    });
    const phone = {
      id: fieldIds['phone'],
      name: 'Phone',
      type: 1,
      hint: 'Office',
      field_data: '',
      order: fieldIds['phone'],
      required: true,
      editable_by_user: true,
      use_for_user_matching: true,
    };
    await expect(fields()).resolves.toEqual([phone]);
    expect(events).toEqual([
      expect.objectContaining({
        event: { type: 'custom_profile_fields', fields: [phone] },
        audience: everybody(),
      }),
    ]);
  });

  it('are of eight kinds', async () => {
    const options = { vim: { text: 'Vim', order: '1' }, emacs: { text: 'Emacs', order: '2' } };
    const made: [string, object][] = [
      ['about', { name: 'About', field_type: 2, display_in_profile_summary: true }],
      ['editor', { name: 'Editor', field_type: 3, field_data: options }],
      ['birthday', { name: 'Birthday', field_type: 4 }],
      ['site', { name: 'Site', field_type: 5, display_in_profile_summary: true }],
      ['mentor', { name: 'Mentor', field_type: 6, editable_by_user: false }],
      ['github', { name: 'Mine', field_type: 7, field_data: { subtype: 'github' } }],
      ['pronouns', { name: 'Pronouns', field_type: 8 }],
    ];
    for (const [key, parameters] of made) fieldIds[key] = expectSuccess(await create(parameters)).id;
    const listed = await fields();
    expect(listed).toHaveLength(8);
    expect(listed[2]).toMatchObject({
      name: 'Editor',
      field_data: JSON.stringify(options),
      order: fieldIds['editor'],
    });
    expect(listed[1]).toMatchObject({ name: 'About', display_in_profile_summary: true });
    expect(listed[1]).not.toHaveProperty('use_for_user_matching');
    expect(listed[4]).toMatchObject({ name: 'Site', display_in_profile_summary: true });
    expect(listed[6]).toMatchObject({ name: 'GitHub username', field_data: '{"subtype":"github"}' });
  });

  it.each([
    [{ name: 'X' }, "Missing 'field_type' argument"],
    [{ name: ' ', field_type: 1 }, 'Label cannot be blank.'],
    [{ name: 'x'.repeat(41), field_type: 1 }, 'name is too long (limit: 40 characters)'],
    [{ name: 'X', hint: 'x'.repeat(81), field_type: 1 }, 'hint is too long (limit: 80 characters)'],
    [{ name: 'X', field_type: 9 }, 'Invalid field type.'],
    [{ name: 'Phone', field_type: 1 }, 'A field with that label already exists.'],
    [{ name: 'X', field_type: 3, field_data: {} }, 'Field must have at least one choice.'],
    [{ name: 'X', field_type: 3, field_data: [] }, 'field_data is not a dict'],
    [
      { field_type: 7, field_data: { subtype: 'github', url_pattern: 'https://example.com/%(username)s' } },
      'Unexpected arguments: url_pattern',
    ],
    [
      {
        name: 'X',
        field_type: 7,
        field_data: {
          subtype: 'custom',
          url_pattern: 'https://example.com/%(username)s',
          text: 'X',
          hint: 'Y',
        },
      },
      'Unexpected arguments: text, hint',
    ],
    [
      { name: 'X', field_type: 6, display_in_profile_summary: true },
      'Field type not supported for display in profile summary.',
    ],
    [
      { name: 'X', field_type: 1, display_in_profile_summary: true },
      'Only 2 custom profile fields can be displayed in the profile summary.',
    ],
    [
      { name: 'X', field_type: 2, use_for_user_matching: true },
      'Field type not supported for use for user matching.',
    ],
  ])('are not made of %j', async (parameters, message) => {
    const answer = await create(parameters);
    expect(answer.body.msg).toBe(message);
    expect(answer.status).toBe(400);
  });

  it('are closed to others', async () => {
    const refusal = ['Must be an organization administrator', { code: 'UNAUTHORIZED_PRINCIPAL' }] as const;
    const mona = app.as(app.cast.mona);
    expectError(await mona.post('/realm/profile_fields'), ...refusal);
    expectError(await mona.patch('/realm/profile_fields'), ...refusal);
    expectError(await mona.patch('/realm/profile_fields/1'), ...refusal);
    expectError(await mona.delete('/realm/profile_fields/1'), ...refusal);
  });

  it('are put in order', async () => {
    const { adam } = app.cast;
    const ids = (await fields()).map(({ id }: { id: number }) => id).reverse();
    expectSuccess(await app.as(adam).patch('/realm/profile_fields', { order: ids }));
    const ordered = await fields();
    expect(ordered.map(({ id }: { id: number }) => id)).toEqual(ids);
    expect(ordered.map(({ order }: { order: number }) => order)).toEqual([...ids.keys()]);
    const incomplete = await app.as(adam).patch('/realm/profile_fields', { order: ids.slice(1) });
    expectError(incomplete, 'Invalid order mapping.');
  });

  it('are changed, but for accounts that everybody knows', async () => {
    const { adam } = app.cast;
    const path = (key: string) => `/realm/profile_fields/${fieldIds[key]}`;
    expectSuccess(await app.as(adam).patch(path('phone'), { name: 'Telephone', required: false }));
    expect(await fields()).toContainEqual(
      expect.objectContaining({ name: 'Telephone', hint: 'Office', required: false }),
    );
    const pattern = 'https://example.com/%(username)s';
    for (const change of [
      { name: 'Mine' },
      { hint: 'Yours' },
      { field_data: { subtype: 'github', url_pattern: pattern } },
      { field_data: { subtype: 'custom', url_pattern: pattern } },
      { field_data: {} },
    ]) {
      expectError(
        await app.as(adam).patch(path('github'), change),
        'Default custom field cannot be updated.',
      );
    }
    const same = { name: 'GitHub username', hint: '', field_data: { subtype: 'github' } };
    expectSuccess(await app.as(adam).patch(path('github'), { ...same, required: true }));
    expectError(
      await app.as(adam).patch(path('mentor'), { display_in_profile_summary: true }),
      'Field type not supported for display in profile summary.',
    );
    expectError(await app.as(adam).patch('/realm/profile_fields/9999', {}), 'Field id 9999 not found.');
  });
});

describe('Values of custom profile fields', () => {
  const set = (member: Member, key: string, value: unknown) =>
    app.as(member).patch('/users/me/profile_data', { data: [{ id: fieldIds[key], value }] });

  it('are shown to whoever asks for them [EP9-include_custom_profile_fields, USER-profile_data, USER-profile_data-value, USER-profile_data-rendered_value]', async () => {
    const { mia, max } = app.cast;
    await expect(profileOf(mia)).resolves.toEqual({});
    expectSuccess(await set(mia, 'phone', '*123*'));
    expectSuccess(await set(mia, 'editor', 'vim'));
    const values = {
      [fieldIds['phone'] as number]: { value: '*123*', rendered_value: expect.stringMatching(/^<p>/) },
      [fieldIds['editor'] as number]: { value: 'vim' },
    };
    await expect(profileOf(mia)).resolves.toEqual(values);
    const all = await app.as(max).get('/users', { include_custom_profile_fields: true });
    const members = expectSuccess(all).members;
    const found = (id: number) => members.find((member: { user_id: number }) => member.user_id === id);
    expect(found(mia.id).profile_data).toEqual(values);
    expect(found(max.id).profile_data).toEqual({});
    expect(found(app.cast.robo.id)).not.toHaveProperty('profile_data');
    expect(expectSuccess(await app.as(max).get(`/users/${mia.id}`)).user).not.toHaveProperty('profile_data');
  });

  it('are removed by null', async () => {
    const { mia } = app.cast;
    const mine = async () =>
      expectSuccess(await app.as(mia).get(`/users/${mia.id}`, { include_custom_profile_fields: true })).user
        .profile_data;
    const before = await mine();
    expectSuccess(await set(mia, 'phone', '0123'));
    expect(await mine()).toHaveProperty(String(fieldIds['phone']));
    expectSuccess(await set(mia, 'phone', null));
    expect(await mine()).not.toHaveProperty(String(fieldIds['phone']));
    const phone = before?.[String(fieldIds['phone'])];
    if (phone) expectSuccess(await set(mia, 'phone', phone.value));
  });

  it('are told to everybody when they change', async () => {
    const { mia, max, adam } = app.cast;
    const person = (field: object) => ({
      type: 'realm_user',
      op: 'update',
      person: { user_id: mia.id, custom_profile_field: field },
    });
    const events = await app.captureEvents(async () => {
      expectSuccess(await set(mia, 'site', 'https://example.com'));
      expectSuccess(await set(mia, 'site', 'https://example.com'));
      const data = [{ id: fieldIds['mentor'], value: [max.id] }];
      expectSuccess(await app.as(adam).patch(`/users/${mia.id}`, { profile_data: data }));
      expectSuccess(await app.as(mia).delete('/users/me/profile_data', { data: [fieldIds['site']] }));
      expectSuccess(await app.as(mia).delete('/users/me/profile_data', { data: [fieldIds['site']] }));
    });
    expect(events.map(({ event }) => event)).toEqual([
      person({ id: fieldIds['site'], value: 'https://example.com' }),
      person({ id: fieldIds['mentor'], value: `[${max.id}]` }),
      person({ id: fieldIds['site'], value: null }),
    ]);
    expect(events[0]?.audience).toEqual(everybody());
  });

  it('are written once however often a request names the field', async () => {
    const { mia } = app.cast;
    const data = Array.from({ length: 501 }, (_, index) => ({ id: fieldIds['phone'], value: `${index}` }));
    const tooMany = await app.as(mia).patch('/users/me/profile_data', { data });
    expectError(tooMany, 'data is too long (limit: 500 items)');
    const events = await app.captureEvents(async () => {
      expectSuccess(await app.as(mia).patch('/users/me/profile_data', { data: data.slice(1) }));
    });
    expect(events).toHaveLength(1);
    expect((await profileOf(mia))[String(fieldIds['phone'])]).toMatchObject({ value: '500' });
  });

  it.each([
    ['phone', 'x'.repeat(51), 'Telephone is too long (limit: 50 characters)'],
    ['editor', 'ed', "'ed' is not a valid choice for 'Editor'."],
    ['birthday', 'today', 'Birthday is not a date'],
    ['site', 'nowhere', 'Site is not a URL'],
    ['mentor', [1], 'You are not allowed to change this field. Contact an administrator to update it.'],
  ])('have to fit: %s cannot be %j', async (key, value, message) => {
    expectError(await set(app.cast.mia, key, value), message);
  });

  it('need a field', async () => {
    const { mia, robo } = app.cast;
    fieldIds['none'] = 9999;
    expectError(await set(mia, 'none', 'x'), 'Field id 9999 not found.');
    expectError(
      await app.as(mia).delete('/users/me/profile_data', { data: [9999] }),
      'Field id 9999 not found.',
    );
    expectError(await set(robo, 'phone', 'x'), 'This endpoint does not accept bot requests.');
  });

  it('go with their option or their field', async () => {
    const { adam, mia } = app.cast;
    const field_data = { emacs: { text: 'Emacs', order: '1' } };
    expectSuccess(await app.as(adam).patch(`/realm/profile_fields/${fieldIds['editor']}`, { field_data }));
    expectSuccess(await app.as(adam).delete(`/realm/profile_fields/${fieldIds['phone']}`));
    const left = Object.keys(await profileOf(mia));
    expect(left).not.toContain(String(fieldIds['editor']));
    expect(left).not.toContain(String(fieldIds['phone']));
    expectError(
      await app.as(adam).delete(`/realm/profile_fields/${fieldIds['phone']}`),
      `Field id ${fieldIds['phone']} not found.`,
    );
  });
});
