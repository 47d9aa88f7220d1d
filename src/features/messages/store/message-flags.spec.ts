import { Flag, flagNames } from './message-flags';

describe('flagNames', () => {
  it('lists flags in the order of their bits', () => {
    expect(flagNames(Flag.historical | Flag.starred | Flag.read)).toEqual(['read', 'starred', 'historical']);
    expect(flagNames(Flag.hasAlertWord | Flag.mentioned)).toEqual(['mentioned', 'has_alert_word']);
    expect(flagNames(0)).toEqual([]);
  });

  it('ends with the deprecated name if there is a wildcard', () => {
    expect(flagNames(Flag.topicWildcardMentioned | Flag.read)).toEqual([
      'read',
      'topic_wildcard_mentioned',
      'wildcard_mentioned',
    ]);
  });
});
