// eslint-disable-next-line no-restricted-imports -- that stores survive is what the test is about
import { AsyncLocalStorage, AsyncResource, executionAsyncId, triggerAsyncId } from 'node:async_hooks';
import { NATIVE_BIND } from './async-resource-bind';

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;
type Bind = (this: AsyncResource, fn: AnyFunction, thisArg?: unknown) => AnyFunction;

const installed = AsyncResource.prototype.bind as Bind & { [NATIVE_BIND]?: Bind };
const native = installed[NATIVE_BIND] ?? installed;

describe.each([
  ['the native method', native],
  ['the method in force', installed],
])('%s', (_name, bind) => {
  const resource = new AsyncResource('test');
  const bound = (fn: AnyFunction, thisArg?: unknown) => bind.call(resource, fn, thisArg);

  it('runs the function in the resource and restores what was before', () => {
    const before = executionAsyncId();
    expect(bound(() => [executionAsyncId(), triggerAsyncId()])()).toEqual([
      resource.asyncId(),
      resource.triggerAsyncId(),
    ]);
    expect(executionAsyncId()).toBe(before);
  });

  it('keeps the store that was current when the resource was made', () => {
    const storage = new AsyncLocalStorage<string>();
    const read = storage.run('inner', () => AsyncResource.bind(() => storage.getStore()));
    expect(storage.run('outer', read)).toBe('inner');
  });

  it('passes arguments and result on', () => {
    expect(bound((...args) => args.toReversed())(1, 2, 3)).toEqual([3, 2, 1]);
  });

  it('takes the receiver of the call, or the given one', () => {
    const receiver = function (this: unknown) {
      return this;
    };
    const caller = { call: bound(receiver) };
    const given = { call: bound(receiver, 'given') };
    expect(caller.call()).toBe(caller);
    expect(given.call()).toBe('given');
    expect(bound(receiver, null)()).toBeNull();
  });

  it('lets errors through', () => {
    const error = new Error('thrown');
    const before = executionAsyncId();
    expect(
      bound(() => {
        throw error;
      }),
    ).toThrow(error);
    expect(executionAsyncId()).toBe(before);
  });

  it('keeps the number of parameters', () => {
    expect(bound((_first, _second) => undefined)).toHaveLength(2);
  });

  it('works as the static method too', () => {
    expect(AsyncResource.bind((a: number, b: number) => a + b)(2, 3)).toBe(5);
  });

  it('refuses what is no function', () => {
    expect(() => bound('text' as unknown as AnyFunction)).toThrow(
      expect.objectContaining({ name: 'TypeError', code: 'ERR_INVALID_ARG_TYPE' }),
    );
  });
});

it('adds no deprecated property', () => {
  const bound = new AsyncResource('test').bind(() => undefined);
  expect(Object.hasOwn(bound, 'asyncResource')).toBe(false);
});

it('replaces the native method only where that adds one', () => {
  const bound = native.call(new AsyncResource('test'), () => undefined);
  expect(installed !== native).toBe(Object.hasOwn(bound, 'asyncResource'));
});
