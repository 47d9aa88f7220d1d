import { useEffect, useState } from 'preact/hooks';
import { Refusal } from '../connection/call';
import { epoch } from '../connection/state';
import * as words from '../words';
import { announce } from './status';

/** The error message shown to the user. */
export function sentenceOf(error: unknown): string {
  if (error instanceof Refusal) {
    return error.retryAfter === undefined ? error.message : words.tryAgainIn(Math.ceil(error.retryAfter));
  }
  return words.unreachable;
}

/** Runs work in the background, and announces failures. */
export function attempt(work: Promise<unknown>): void {
  work.catch((error: unknown) => announce(sentenceOf(error)));
}

/** State of an action: whether it is running, and its error. */
export function useTask() {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState('');
  const run = async (work: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true);
    setError('');
    try {
      await work();
      return true;
    } catch (failure) {
      setError(sentenceOf(failure));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, error, run };
}

/** Data that a page loads when it opens, when its dependencies change, and after a lost connection. */
export function useFetched<T>(read: () => Promise<T>, dependencies: readonly unknown[]) {
  const [value, setValue] = useState<T | null>(null);
  const [error, setError] = useState('');
  const [count, setCount] = useState(0);
  useEffect(() => {
    let isStale = false;
    setError('');
    read().then(
      (found) => !isStale && setValue(() => found),
      (failure: unknown) => !isStale && setError(sentenceOf(failure)),
    );
    return () => void (isStale = true);
  }, [...dependencies, count, epoch.value]);
  return { value, error, reload: () => setCount((now) => now + 1) };
}
