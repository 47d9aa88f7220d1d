import { useEffect, useId, useRef, useState } from 'preact/hooks';

/** A suggestion for a field. */
export interface Offer {
  readonly label: string;
  /** Additional text next to the label. */
  readonly about?: string | undefined;
}

interface SuggestedFieldProperties<T extends Offer> {
  readonly label: string;
  readonly value: string;
  /** @param caret position of the caret */
  readonly onValue: (value: string, caret: number) => void;
  readonly offers: readonly T[];
  readonly onTake: (offer: T) => void;
  /** Accessible name of the list. */
  readonly listLabel: string;
  /** Whether Enter takes the first suggestion if none is selected; otherwise it submits the form. */
  readonly takesFirst?: boolean;
  readonly onFocus?: () => void;
  readonly autofocus?: boolean;
  readonly name?: string;
}

/** A field with suggestions: arrows navigate, Enter and Tab take one. */
export function SuggestedField<T extends Offer>(properties: SuggestedFieldProperties<T>) {
  const { label, value, onValue, offers, onTake, listLabel, takesFirst, onFocus, ...input } = properties;
  const field = useRef<HTMLInputElement>(null);
  const [isWanted, setWanted] = useState(false);
  const first = takesFirst ? 0 : -1;
  const [at, setAt] = useState(first);
  const id = useId();
  const isOpen = isWanted && offers.length > 0;
  // The `autofocus` attribute only works when a dialog opens.
  useEffect(() => {
    if (input.autofocus) field.current?.focus();
  }, []);
  const change = () => {
    const { value: written, selectionStart } = field.current!;
    onValue(written, selectionStart ?? written.length);
    setAt(first);
    setWanted(true);
  };
  const take = (offer: T | undefined) => {
    if (!offer) return;
    onTake(offer);
    setAt(first);
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || event.ctrlKey || event.metaKey) return;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined) {
      if (!isOpen) change();
      else setAt((Math.max(at, by > 0 ? -1 : 0) + by + offers.length) % offers.length);
    } else if (isOpen && event.key === 'Escape') setWanted(false);
    else if (isOpen && at >= 0 && event.key === 'Enter') take(offers[at]);
    else if (isOpen && !event.shiftKey && event.key === 'Tab' && value !== '') take(offers[Math.max(at, 0)]);
    else {
      if (event.key === 'Enter') setWanted(false);
      return;
    }
    event.preventDefault();
  };
  return (
    <div class="suggested">
      <input
        {...input}
        ref={field}
        type="search"
        autocomplete="off"
        enterkeyhint="search"
        aria-label={label}
        placeholder={label}
        aria-autocomplete="list"
        aria-controls={isOpen ? id : undefined}
        aria-activedescendant={isOpen && at >= 0 ? `${id}-${at}` : undefined}
        value={value}
        onInput={change}
        onFocus={onFocus}
        onClick={change}
        onKeyDown={onKeyDown}
        onBlur={() => setWanted(false)}
      />
      {isOpen && (
        <ul class="suggestions" role="listbox" id={id} aria-label={listLabel}>
          {offers.map((offer, index) => (
            <li
              key={offer.label}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === at}
              onMouseDown={(event) => {
                // Keeps the focus in the field.
                event.preventDefault();
                take(offer);
              }}
            >
              {offer.label}
              {offer.about && <span class="note">{offer.about}</span>}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
