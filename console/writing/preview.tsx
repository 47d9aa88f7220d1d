import { useEffect, useRef } from 'preact/hooks';
import { call } from '../connection/call';
import { Problem } from '../parts/problem';
import { Rendered } from '../parts/rendered';
import { useFetched } from '../parts/task';
import { loading } from '../words';
import * as words from './words';

interface PreviewProperties {
  readonly text: string;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** A text as it will look, in place of where it is written. */
export function Preview({ text, onKeyDown }: PreviewProperties) {
  const region = useRef<HTMLDivElement>(null);
  const isEmpty = text.trim() === '';
  const { value, error } = useFetched(
    async () =>
      isEmpty
        ? ''
        : (await call<{ rendered: string }>('POST', 'messages/render', { content: text })).rendered,
    [text],
  );
  useEffect(() => {
    // Where it was opened by a key, the area that had the focus is gone.
    if (document.activeElement === document.body) region.current?.focus();
  }, []);
  return (
    <div
      ref={region}
      class="written"
      role="region"
      aria-label={words.preview}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <Problem text={error} />
      {isEmpty && <p class="note">{words.nothingToPreview}</p>}
      {value === null && !error && <p class="note">{loading}</p>}
      {value && <Rendered html={value} />}
    </div>
  );
}
