import { isSameSecret } from './same-secret';

it.each<[string, boolean]>([
  ['the secret', true],
  ['', false],
  ['the secret ', false],
  ['the secre', false],
  ['The secret', false],
])('%j', (given, isSame) => {
  expect(isSameSecret(given, 'the secret')).toBe(isSame);
});
