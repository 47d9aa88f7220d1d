import { keepCompiledCode } from './compile-cache';

describe('the cache of compiled code', () => {
  it('is kept in the folder where Node.js can keep one', () => {
    const enableCompileCache = jest.fn();
    keepCompiledCode({ enableCompileCache }, '/srv/parley/cache');
    expect(enableCompileCache.mock.calls).toEqual([['/srv/parley/cache']]);
  });

  it('is left out on a Node.js that has none', () => {
    expect(() => keepCompiledCode({}, '/srv/parley/cache')).not.toThrow();
  });
});
