import {
  checkedFieldData,
  checkedKind,
  checkedValue,
  type FieldData,
  FieldKind,
  type GivenValue,
} from './field-kinds';

const people = new Map([
  [1, { isBot: false, isActive: true }],
  [2, { isBot: true, isActive: true }],
  [3, { isBot: false, isActive: false }],
]);

function check(type: number, value: GivenValue, data: FieldData = {}): string {
  const field = { name: 'Field', type, fieldData: JSON.stringify(data) };
  return checkedValue(field, value, (id) => people.get(id));
}

describe('custom profile fields', () => {
  it('are of a known kind', () => {
    expect(checkedKind(8)).toBe(FieldKind.pronouns);
    expect(() => checkedKind(9)).toThrow('Invalid field type.');
  });

  it.each<[FieldData, string]>([
    [{}, 'Field must have at least one choice.'],
    [{ a: 'Vim' }, 'field_data is not a dict'],
    [{ a: { text: 'Vim' } }, 'order key is missing from field_data'],
    [{ a: { order: '1' } }, 'text key is missing from field_data'],
    [{ a: { text: 'Vim', order: '' } }, 'field_data["order"] cannot be blank.'],
    [{ a: { text: 'Vim', order: 1 } }, 'field_data["order"] is not a string'],
    [{ '': { text: 'Vim', order: '1' } }, "'value' cannot be blank."],
    [
      { a: { text: 'Vim', order: '1' }, b: { text: 'Vim', order: '2' } },
      'Field must not have duplicate choices.',
    ],
  ])('refuse the options %j', (data, message) => {
    expect(() => checkedFieldData(FieldKind.options, data)).toThrow(message);
  });

  it.each<[FieldData, string]>([
    [{}, 'subtype key is missing from field_data'],
    [{ subtype: 'toString' }, 'Invalid external account type'],
    [{ subtype: 'custom' }, 'Custom external account must define URL pattern'],
    [{ subtype: 'custom', url_pattern: 'https://example.com/' }, "URL pattern must contain '%(username)s'."],
    [{ subtype: 'custom', url_pattern: 'example/%(username)s' }, 'field_data["url_pattern"] is not a URL'],
  ])('refuse the external account %j', (data, message) => {
    expect(() => checkedFieldData(FieldKind.externalAccount, data)).toThrow(message);
  });

  it('drop data that their kind does not use', () => {
    expect(checkedFieldData(FieldKind.shortText, { a: 1 })).toEqual({});
  });

  it('refuse additional data for a known external account', () => {
    expect(() =>
      checkedFieldData(FieldKind.externalAccount, { subtype: 'github', url_pattern: 'x' }),
    ).toThrow('Unexpected arguments: url_pattern');
    expect(checkedFieldData(FieldKind.externalAccount, { subtype: 'github' })).toEqual({ subtype: 'github' });
  });
});

describe('values of custom profile fields', () => {
  it('are stored as text', () => {
    expect(check(FieldKind.shortText, '*short*')).toBe('*short*');
    expect(check(FieldKind.person, [1])).toBe('[1]');
    expect(check(FieldKind.date, '1909-03-05')).toBe('1909-03-05');
    expect(check(FieldKind.options, 'a', { a: { text: 'Vim', order: '1' } })).toBe('a');
    expect(check(FieldKind.link, 'https://example.com')).toBe('https://example.com');
  });

  it.each<[number, GivenValue, string]>([
    [FieldKind.shortText, 'x'.repeat(51), 'Field is too long (limit: 50 characters)'],
    [FieldKind.longText, 'x'.repeat(501), 'Field is too long (limit: 500 characters)'],
    [FieldKind.pronouns, [1], 'Field is not a string'],
    [FieldKind.date, '1909-3-5', 'Field is not a date'],
    [FieldKind.date, '1909-02-31', 'Field is not a date'],
    [FieldKind.link, 'javascript:alert(1)', 'Field is not a URL'],
    [FieldKind.options, 'toString', "'toString' is not a valid choice for 'Field'."],
    [FieldKind.person, '1', 'Field is not a list'],
    [FieldKind.person, [9], 'Invalid user ID: 9'],
    [FieldKind.person, [2], 'User with ID 2 is a bot'],
    [FieldKind.person, [3], 'User with ID 3 is deactivated'],
  ])('of kind %i cannot be %j', (kind, value, message) => {
    expect(() => check(kind, value)).toThrow(message);
  });
});
