import { localeOf } from './languages';

it.each([
  ['de', 'de'],
  ['pt-br', 'pt_BR'],
  ['zh-hans', 'zh_Hans'],
  ['en-gb', 'en_GB'],
])('The locale of %s is %s', (code, locale) => {
  expect(localeOf(code)).toBe(locale);
});
