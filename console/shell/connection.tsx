import { useEffect, useState } from 'preact/hooks';
import { connection } from '../connection/live';
import * as words from '../words';

/** A connection that is back sooner than this was not worth a word. */
const PATIENCE_MS = 3000;

/** Says above the page that the connection is lost, once that has lasted; when it is there, to tests and readers of pages alone. */
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
