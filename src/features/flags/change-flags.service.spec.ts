import { parseFlagChange } from './change-flags.service';

describe('parseFlagChange', () => {
  it.each(['read', 'starred', 'collapsed'])('accepts %s', (flag) => {
    expect(parseFlagChange('add', flag)).toMatchObject({ flag, op: 'add' });
    expect(parseFlagChange('remove', flag)).toMatchObject({ flag, op: 'remove' });
  });

  it.each([
    'mentioned',
    'stream_wildcard_mentioned',
    'topic_wildcard_mentioned',
    'group_mentioned',
    'force_expand',
    'force_collapse',
    'has_alert_word',
    'historical',
  ])('knows %s, which nobody changes', (flag) => {
    expect(() => parseFlagChange('add', flag)).toThrow(`Flag not editable: '${flag}'`);
  });

  it.each(['wildcard_mentioned', 'toString', 'Read', ''])('does not accept %j', (flag) => {
    expect(() => parseFlagChange('add', flag)).toThrow(`Invalid flag: '${flag}'`);
  });

  it('checks the flag first, then the operation', () => {
    expect(() => parseFlagChange('toggle', 'nope')).toThrow("Invalid flag: 'nope'");
    expect(() => parseFlagChange('toggle', 'mentioned')).toThrow("Flag not editable: 'mentioned'");
    expect(() => parseFlagChange('toggle', 'read')).toThrow("Invalid message flag operation: 'toggle'");
  });
});
