import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { settings } from '../connection/state';
import { Button } from '../parts/button';
import { loadEmoji, type EmojiId } from '../parts/emoji';
import { lazy } from '../parts/lazy';
import * as words from '../words';
import { continued, formatted, linkedTo, replaceIn, type Format } from '../writing/formatting';
import { Preview } from '../writing/preview';
import { Toolbar } from '../writing/toolbar';
import { insertEmoji } from '../writing/words';
import { begunAt, suggestionsFor, type Begun } from './completion';

const EmojiPicker = lazy(async () => (await import('../emoji')).EmojiPicker, false);

interface WritingProperties {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly onSend: () => void;
  readonly onEscape?: () => void;
  /** Called on arrow up in an empty text. @returns whether it did something */
  readonly onUp?: () => boolean;
  readonly onFiles?: (files: readonly File[]) => void;
  readonly isFocused?: boolean;
  /** Whether texts may begin with a command, such as `/me`. */
  readonly hasCommands?: boolean;
  /** Shown before and after the formats in the toolbar. */
  readonly tools?: ComponentChildren;
  readonly ends?: ComponentChildren;
}

/** Formats by their shortcuts with Ctrl or Cmd. */
const KEYS: Readonly<Record<string, Format>> = {
  b: 'bold',
  i: 'italic',
  e: 'code',
  'Shift x': 'strike',
  'Shift l': 'link',
};

/** A text area that grows with its text, with completions, formats and a preview. */
export function WritingArea({
  label,
  value,
  onValue,
  onSend,
  onEscape,
  onUp,
  onFiles,
  isFocused,
  hasCommands,
  tools,
  ends,
}: WritingProperties) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [begun, setBegun] = useState<Begun | null>(null);
  const [chosen, setChosen] = useState(0);
  const [isPreviewed, setPreviewed] = useState(false);
  /** The element that opened the emoji picker. */
  const [opener, setOpener] = useState<Element | null>(null);
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
    if (value !== '') return;
    setBegun(null);
    setPreviewed(false);
  }, [value, isPreviewed]);

  const selected = () => {
    const { value: text, selectionStart: start, selectionEnd: end } = area.current!;
    return { text, start, end };
  };
  const format = (wanted: Format) => replaceIn(area.current!, formatted(wanted, selected()));
  const togglePreview = () => {
    setPreviewed(!isPreviewed);
    // Once the area is visible and can be focused again.
    if (isPreviewed) setTimeout(() => area.current?.focus());
  };
  /** Handles shortcuts of formats and of the preview. */
  const onFormatKey = (event: KeyboardEvent): boolean => {
    if (event.altKey && event.code === 'KeyP') togglePreview();
    else {
      const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey;
      const wanted = KEYS[`${event.shiftKey ? 'Shift ' : ''}${event.key.toLowerCase()}`];
      if (!isCommand || !wanted || isPreviewed) return false;
      format(wanted);
    }
    event.preventDefault();
    return true;
  };

  const look = () => {
    const { value: text, selectionStart, selectionEnd } = area.current!;
    const found = selectionStart === selectionEnd ? begunAt(text, selectionStart, hasCommands) : null;
    if (found?.kind === ':') void loadEmoji();
    if (found?.text !== begun?.text || found?.kind !== begun?.kind) setChosen(0);
    setBegun(found);
  };
  const complete = (text: string) => {
    const shown = area.current!;
    const end = begun!.start + text.length;
    replaceIn(shown, { from: begun!.start, to: shown.selectionStart, text, select: [end, end] });
    setBegun(null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || onFormatKey(event)) return;
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
    const hasModifier = isCommand || event.altKey || event.shiftKey;
    if (event.key === 'ArrowUp' && value === '' && !hasModifier && onUp?.()) event.preventDefault();
    const isPlainEnter = settings.value['enter_sends'] === true && !event.shiftKey;
    if (event.key !== 'Enter') return;
    if (!isCommand && !isPlainEnter) {
      const next = event.altKey ? null : continued(selected());
      if (!next) return;
      event.preventDefault();
      return replaceIn(area.current!, next);
    }
    event.preventDefault();
    setBegun(null);
    onSend();
  };
  return (
    <div class="writing">
      {isPreviewed && <Preview text={value} onKeyDown={(event) => void onFormatKey(event)} />}
      <textarea
        ref={area}
        hidden={isPreviewed}
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
          const link = linkedTo(event.clipboardData?.getData('text/plain') ?? '', selected());
          if (files.length > 0 && onFiles) onFiles(files);
          else if (link) replaceIn(area.current!, link);
          else return;
          event.preventDefault();
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
                // Keeps the focus in the area.
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
      <div class="writing-foot">
        <Toolbar isPreviewed={isPreviewed} onFormat={format} onPreview={togglePreview}>
          {tools}
          <Button
            kind="quiet"
            icon="smile"
            label={insertEmoji}
            aria-haspopup="dialog"
            aria-expanded={opener !== null}
            disabled={isPreviewed}
            onClick={({ currentTarget }) => setOpener(currentTarget)}
          />
        </Toolbar>
        {ends}
      </div>
      {opener && (
        <EmojiPicker
          anchor={opener}
          hasTones
          onChoose={({ emoji_name }: EmojiId, characters: string | null) => {
            const { start: from, end: to } = selected();
            const text = `${characters ?? `:${emoji_name}:`} `;
            replaceIn(area.current!, { from, to, text, select: [from + text.length, from + text.length] });
          }}
          onClose={() => setOpener(null)}
        />
      )}
    </div>
  );
}
