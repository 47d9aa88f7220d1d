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

/** Replaces the text area with a preview of the rendered text. */
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
    // If opened by a shortcut, the previously focused text area is hidden.
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
