import { keepCompiledCode } from './compile-cache';

describe('the cache of compiled code', () => {
  it('is in the folder if Node.js supports it', () => {
    const enableCompileCache = jest.fn();
    keepCompiledCode({ enableCompileCache }, '/srv/parley/cache');
    expect(enableCompileCache.mock.calls).toEqual([['/srv/parley/cache']]);
  });

  it('is omitted on a Node.js without support', () => {
    expect(() => keepCompiledCode({}, '/srv/parley/cache')).not.toThrow();
  });
});
