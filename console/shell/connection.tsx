import { useEffect, useState } from 'preact/hooks';
import { connection } from '../connection/live';
import * as words from '../words';

/** Shorter interruptions are not shown. */
const PATIENCE_MS = 3000;

/** Shows, after a delay, that the connection is lost. A live one is only reported to screen readers and tests. */
export function Connection() {
  const state = connection.value;
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    setLong(false);
    if (state === 'live') return undefined;
    const timer = setTimeout(() => setLong(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const isShown = state !== 'live' && isLong;
  return (
    <div class={isShown ? `connection ${state}` : 'unseen'} role="status">
      {(isShown || state === 'live') && words.connection[state]}
    </div>
  );
}
