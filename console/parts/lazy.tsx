import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import * as words from '../words';
import { Button } from './button';
import { Problem } from './problem';

/** A function component, like all components here. */
type Shown<P> = (properties: P) => ComponentChildren;

/** Number of opened dialogs still being loaded, which will handle key presses. */
export const awaited = { count: 0 };

/**
 * A component whose script is loaded, with everything that only it imports, when it is first shown.
 * @param load loads the script with `import()`
 * @param isPage whether to show a placeholder while it loads
 */
export function lazy<P extends object>(
  load: () => Promise<Shown<P>>,
  isPage = true,
): (properties: P) => ComponentChildren {
  const loaded = signal<{ readonly show: Shown<P> } | null>(null);
  return function Lazy(properties: P) {
    const [hasFailed, setFailed] = useState(false);
    useEffect(() => {
      if (loaded.value || hasFailed) return;
      if (!isPage) awaited.count++;
      void load()
        .then(
          (show) => (loaded.value = { show }),
          () => setFailed(true),
        )
        .finally(() => {
          if (!isPage) awaited.count--;
        });
    }, [hasFailed]);
    const Show = loaded.value?.show;
    if (Show) return <Show {...properties} />;
    if (hasFailed) {
      // After an upgrade, the server has other files than this page.
      return (
        <div class="page">
          <Problem text={words.unreachable} />
          <Button onClick={() => location.reload()}>{words.reload}</Button>
        </div>
      );
    }
    return isPage ? <p class="empty page">{words.loading}</p> : null;
  };
}
