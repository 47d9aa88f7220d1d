import { channelNameKey } from './channel.directory';
import { checkChannelName } from './channels.api';

describe('checkChannelName', () => {
  it('trims both ends, and collapses spaces', () => {
    expect(checkChannelName('  two  words ')).toBe('two words');
  });

  it('counts code points, not UTF-16 units', () => {
    expect(checkChannelName('😀'.repeat(60))).toHaveLength(120);
    expect(() => checkChannelName('😀'.repeat(61))).toThrow('Channel name too long (limit: 60 characters).');
  });

  it('refuses a name of white space only', () => {
    expect(() => checkChannelName(' \t ')).toThrow("Channel name can't be empty.");
  });

  it.each([
    ['tab', 'a\tb', 2],
    ['NUL', '\0', 1],
    ['lone surrogate', '😀x\ud800', 3],
    ['non-character', 'ab\ufdd0', 3],
    ['non-character of a higher plane', 'a\u{1fffe}', 2],
  ])('names the position of a forbidden character: %s', (_, name, position) => {
    expect(() => checkChannelName(name)).toThrow(
      `Invalid character in channel name, at position ${position}.`,
    );
  });

  it.each(['#/*', 'שלום', '👩‍👩‍👧'])('allows %s', (name) => {
    expect(checkChannelName(name)).toBe(name);
  });
});

it('maps all spellings of a name to one key', () => {
  expect(channelNameKey(' Dénmark ')).toBe(channelNameKey('DÉNMARK'));
});
