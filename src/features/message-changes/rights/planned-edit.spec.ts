import { isResolvedEmptyTopic, resolutionBetween } from './planned-edit';

const cut = (topic: string) => (topic.length > 12 ? `${topic.slice(0, 9)}...` : topic);

it.each([
  ['lunch', '✔ lunch', 'resolved'],
  ['✔ lunch', 'lunch', 'unresolved'],
  ['✔ ✔ lunch', 'lunch', 'unresolved'],
  ['a longer one', '✔ a longe...', 'resolved'],
  ['lunch', '✔ Lunch', null],
  ['lunch', '✔lunch', null],
  ['lunch', 'dinner', null],
  ['✔ lunch', 'dinner', null],
  ['✔ lunch', '✔ dinner', null],
  ['✔ ✔ lunch', '✔ lunch', null],
])('from %j to %j: %s', (before, after, resolution) => {
  expect(resolutionBetween(before, after, cut)).toBe(resolution);
});

it.each([
  ['✔', true],
  [' ✔ ', true],
  ['✔ general chat', true],
  ['✔ lunch', false],
  ['', false],
])('knows whether %j is the empty topic with the mark: %s', (topic, expected) => {
  expect(isResolvedEmptyTopic(topic, 'general chat')).toBe(expected);
});
