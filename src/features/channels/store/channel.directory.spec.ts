import { compareCodePoints } from './channel.directory';

it('sorts capitals first, prefixes first, and characters outside the basic plane last', () => {
  const names = ['apple', '😀', 'Zebra', '\uff21', 'app', 'Ä'];
  expect(names.sort(compareCodePoints)).toEqual(['Zebra', 'app', 'apple', 'Ä', '\uff21', '😀']);
});
