import { directionOf } from './languages';

describe('the writing direction of languages', () => {
  it.each(['ar', 'ar-EG', 'fa', 'he', 'ur'])('is from the right for "%s"', (code) => {
    expect(directionOf(code)).toBe('rtl');
  });

  it.each(['en', 'de', 'de-at', 'arn', 'zh-hans'])('is from the left for "%s"', (code) => {
    expect(directionOf(code)).toBe('ltr');
  });
});
