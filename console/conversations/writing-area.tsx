import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { settings } from '../connection/state';
import { loadEmoji } from '../parts/emoji';
import * as words from '../words';
import { begunAt, suggestionsFor, type Begun } from './completion';

interface WritingProperties {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly onSend: () => void;
  readonly onEscape?: () => void;
  readonly onFiles?: (files: readonly File[]) => void;
  readonly isFocused?: boolean;
}

/** Where a message is written: as high as its text, with what may be meant by `@` and `:`. */
export function WritingArea({
  label,
  value,
  onValue,
  onSend,
  onEscape,
  onFiles,
  isFocused,
}: WritingProperties) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [begun, setBegun] = useState<Begun | null>(null);
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const suggestions = begun ? suggestionsFor(begun) : [];
  const isOpen = suggestions.length > 0;

  useEffect(() => {
    if (isFocused) area.current?.focus();
  }, []);
  useLayoutEffect(() => {
    const shown = area.current!;
    shown.style.height = 'auto';
    shown.style.height = `${shown.scrollHeight + 2}px`;
    if (value === '') setBegun(null);
  }, [value]);

  const look = () => {
    const { value: text, selectionStart, selectionEnd } = area.current!;
    const found = selectionStart === selectionEnd ? begunAt(text, selectionStart) : null;
    if (found?.kind === ':') void loadEmoji();
    if (found?.text !== begun?.text || found?.kind !== begun?.kind) setChosen(0);
    setBegun(found);
  };
  const complete = (text: string) => {
    const shown = area.current!;
    const caret = shown.selectionStart;
    // Through the editor of the browser, so that it can be undone.
    shown.setRangeText(text, begun!.start, caret, 'end');
    onValue(shown.value);
    setBegun(null);
    shown.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const isCommand = event.ctrlKey || event.metaKey;
    if (isOpen && !isCommand) {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step !== undefined) setChosen((chosen + step + suggestions.length) % suggestions.length);
      else if (event.key === 'Enter' || event.key === 'Tab') complete(suggestions[chosen]!.text);
      else if (event.key === 'Escape') setBegun(null);
      else return;
      return event.preventDefault();
    }
    if (event.key === 'Escape') onEscape?.();
    const isPlainEnter = settings.value['enter_sends'] === true && !event.shiftKey;
    if (event.key !== 'Enter' || !(isCommand || isPlainEnter)) return;
    event.preventDefault();
    setBegun(null);
    onSend();
  };
  return (
    <div class="writing">
      <textarea
        ref={area}
        rows={1}
        dir="auto"
        aria-label={label}
        placeholder={label}
        aria-autocomplete="list"
        aria-controls={isOpen ? id : undefined}
        aria-activedescendant={isOpen ? `${id}-${chosen}` : undefined}
        value={value}
        onInput={({ currentTarget }) => (onValue(currentTarget.value), look())}
        onKeyDown={onKeyDown}
        // Up and down choose among suggestions.
        onKeyUp={({ key }) => /^Arrow[LR]|^Home|^End/.test(key) && look()}
        onClick={look}
        onBlur={() => setBegun(null)}
        onPaste={(event) => {
          const files = [...(event.clipboardData?.files ?? [])];
          if (files.length === 0 || !onFiles) return;
          event.preventDefault();
          onFiles(files);
        }}
      />
      {isOpen && (
        <ul class="suggestions" role="listbox" id={id} aria-label={words.conversations.suggestions}>
          {suggestions.map((suggestion, index) => (
            <li
              key={suggestion.text}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === chosen}
              onMouseDown={(event) => {
                // The area keeps the focus.
                event.preventDefault();
                complete(suggestion.text);
              }}
            >
              {suggestion.label}
              {suggestion.about && <span class="note">{suggestion.about}</span>}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
