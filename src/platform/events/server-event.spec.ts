import { isForCapabilities, type EmitOptions } from './server-event';

describe('An event', () => {
  it.each<[EmitOptions, string[], boolean]>([
    [{}, [], true],
    [{}, ['a'], true],
    [{ requires: 'a' }, [], false],
    [{ requires: 'a' }, ['b'], false],
    [{ requires: 'a' }, ['a', 'b'], true],
    [{ unless: 'a' }, ['b'], true],
    [{ unless: 'a' }, ['a'], false],
    [{ unless: ['a', 'b'] }, ['c'], true],
    [{ unless: ['a', 'b'] }, ['b'], false],
    [{ requires: 'a', unless: 'b' }, ['a'], true],
    [{ requires: 'a', unless: 'b' }, ['a', 'b'], false],
  ])('with %j is for a queue with %j: %p', (options, declared, expected) => {
    expect(isForCapabilities(options, new Set(declared))).toBe(expected);
  });
});
