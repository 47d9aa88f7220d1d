import { parseNarrow } from './parse-narrow';

const term = (operator: string, operand: unknown) => ({ operator, operand });

describe('parseNarrow', () => {
  it('accepts objects and pairs in one narrow', () => {
    expect(parseNarrow([{ operator: 'channel', operand: 7, negated: true }, ['topic', ' lunch ']])).toEqual([
      { operator: 'channel', channel: 7, negated: true },
      { operator: 'topic', topic: 'lunch', negated: false },
    ]);
  });

  it.each([
    [term('stream', 'general'), { operator: 'channel', channel: 'general' }],
    [term('streams', 'web-public'), { operator: 'channels', kind: 'web-public' }],
    [term('sender', 4), { operator: 'sender', person: 4 }],
    [term('pm-with', 'a@x, b@x'), { operator: 'dm', people: ['a@x', 'b@x'], operand: 'a@x, b@x' }],
    [term('pm_with', [3, 4]), { operator: 'dm', people: [3, 4], operand: '3,4' }],
    [term('dm', ''), { operator: 'dm', people: [], operand: '' }],
    [term('dm-including', 4), { operator: 'dm-including', people: [4], operand: '4' }],
    [term('group_pm_with', 'a@x'), { operator: 'group-dm-with', people: ['a@x'], operand: 'a@x' }],
    [term('id', '12'), { operator: 'id', messageId: 12 }],
    [term('with', 12), { operator: 'with', messageId: 12 }],
    [term('near', 12), { operator: 'near' }],
    [term('has', 'link'), { operator: 'has', what: 'link' }],
    [term('in', 'home'), { operator: 'in', where: 'home' }],
    [term('is', 'private'), { operator: 'is', what: 'dm' }],
    [term('mentions', 'a@x'), { operator: 'mentions', person: 'a@x' }],
    [
      term('search', '"two words"'),
      { operator: 'search', query: { phrases: [{ words: ['two', 'words'], isPrefix: false }] } },
    ],
    [term('search', '?!'), { operator: 'search', query: null }],
  ])('reads %j', (element, expected) => {
    expect(parseNarrow([element])).toEqual([{ ...expected, negated: false }]);
  });

  it.each([
    [['topic'], 'Invalid narrow[0]: Value error, element is not a string pair'],
    [['id', 5], 'Invalid narrow[0]: Value error, element is not a string pair'],
    ['topic', 'Invalid narrow[0]: Value error, dict or list required'],
    [{ operator: 'topic' }, 'Invalid narrow[0]: Value error, operand is missing'],
    [{ operand: 'x' }, 'Invalid narrow[0]: Value error, operator is missing'],
    [term('topic', 5), 'operand is not a string'],
    [term('channel', [1]), 'operand is not a string or integer'],
    [term('dm', [1, 'a']), 'operand is not a string or an integer list'],
    [term('search', ''), 'operand cannot be blank.'],
    [term('nope', 'x'), 'Invalid narrow operator: unknown operator nope'],
    [term('is', 'nope'), "Invalid narrow operator: unknown 'is' operand nope"],
    [term('has', 'nope'), "Invalid narrow operator: unknown 'has' operand nope"],
    [term('in', 'nope'), "Invalid narrow operator: unknown 'in' operand nope"],
    [term('channels', 'nope'), 'Invalid narrow operator: unknown channels operand nope'],
    [term('id', -1), 'Invalid narrow operator: Invalid message ID'],
    [term('id', '1x'), 'Invalid narrow operator: Invalid message ID'],
    [term('with', 'x'), "Invalid narrow operator: Invalid 'with' operator"],
  ])('refuses %j', (element, message) => {
    expect(() => parseNarrow([element])).toThrow(message);
  });

  it('refuses contradictory terms', () => {
    const contradiction = 'No message can be both a channel message and direct message';
    expect(() => parseNarrow([term('channel', 1), term('dm', [2])])).toThrow(contradiction);
    expect(() => parseNarrow([term('topic', 'x'), term('is', 'dm')])).toThrow(contradiction);
    expect(parseNarrow([term('channel', 1), { ...term('is', 'dm'), negated: true }])).toHaveLength(2);
  });

  it('refuses two conversations', () => {
    expect(() => parseNarrow([term('with', 1), term('with', 2)])).toThrow(
      "Invalid narrow operator combination: Duplicate 'with' operators.",
    );
  });
});
