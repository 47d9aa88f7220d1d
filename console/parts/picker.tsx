import { useEffect, useId, useRef, useState } from 'preact/hooks';
import * as words from '../words';

/** A possible choice. */
export interface Pick {
  readonly id: string;
  readonly label: string;
  /** Heading of the group in the list. */
  readonly group?: string;
}

/** Maximum number of choices shown; typing finds others. */
const SHOWN = 50;

interface PickerProperties {
  /** ID of the input, for its label. */
  readonly id: string;
  readonly label: string;
  readonly placeholder: string;
  readonly describedBy?: string | undefined;
  readonly isInvalid?: boolean | undefined;
  /** Called when the list opens. */
  readonly picks: () => readonly Pick[];
  readonly onPick: (id: string) => void;
}

/** Choices whose name contains the text; those that begin with it come first. */
function matching(picks: readonly Pick[], text: string): readonly Pick[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return picks;
  const places = picks.map((pick) => [pick, pick.label.toLowerCase().indexOf(wanted)] as const);
  const groups = [...new Set(picks.map(({ group }) => group))];
  return places
    .filter(([, at]) => at >= 0)
    .sort(
      ([one, at], [other, otherAt]) =>
        groups.indexOf(one.group) - groups.indexOf(other.group) || Number(at > 0) - Number(otherAt > 0),
    )
    .map(([pick]) => pick);
}

/** A field with a list that typing filters. Arrows navigate, Enter picks, Escape closes. */
export function Picker(properties: PickerProperties) {
  const { id, label, placeholder, describedBy, isInvalid, picks, onPick } = properties;
  const list = useRef<HTMLDivElement>(null);
  const [text, setText] = useState('');
  const [offered, setOffered] = useState<readonly Pick[] | null>(null);
  const [at, setAt] = useState(0);
  const listId = useId();
  const isOpen = offered !== null;
  const found = matching(offered ?? [], text);
  const shown = found.slice(0, SHOWN);
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [at, isOpen]);
  const open = () => {
    setOffered((now) => now ?? picks());
    setAt(0);
  };
  const close = () => {
    setOffered(null);
    setText('');
  };
  const take = (pick: Pick | undefined) => {
    if (!pick) return;
    close();
    onPick(pick.id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || event.ctrlKey || event.metaKey) return;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined && !isOpen) open();
    else if (by !== undefined) setAt(shown.length > 0 ? (at + by + shown.length) % shown.length : 0);
    else if (isOpen && event.key === 'Escape') close();
    else if (isOpen && event.key === 'Enter') take(shown[at]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="suggested">
      <input
        id={id}
        role="combobox"
        autocomplete="off"
        placeholder={placeholder}
        aria-expanded={isOpen}
        aria-autocomplete="list"
        aria-controls={isOpen ? listId : undefined}
        aria-activedescendant={isOpen && shown[at] ? `${listId}-${at}` : undefined}
        aria-describedby={describedBy}
        aria-invalid={isInvalid}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          open();
        }}
        onClick={open}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      {isOpen && (
        <div
          ref={list}
          class="suggestions"
          // Keeps the focus in the field.
          onMouseDown={(event) => event.preventDefault()}
        >
          {shown.length === 0 ? (
            <p class="empty" role="status">
              {words.nothingFound}
            </p>
          ) : (
            <div role="listbox" id={listId} aria-label={label}>
              {[...new Set(shown.map(({ group }) => group))].map((group) => (
                <div key={group} role="group" aria-label={group}>
                  {group && (
                    <p class="picks" aria-hidden="true">
                      {group}
                    </p>
                  )}
                  {shown.map((pick, place) =>
                    pick.group === group ? (
                      <div
                        key={pick.id}
                        id={`${listId}-${place}`}
                        role="option"
                        class="pick"
                        aria-selected={place === at}
                        onClick={() => take(pick)}
                      >
                        <bdi>{pick.label}</bdi>
                      </div>
                    ) : null,
                  )}
                </div>
              ))}
            </div>
          )}
          {found.length > SHOWN && <p class="note">{words.more(found.length - SHOWN)}</p>}
        </div>
      )}
    </div>
  );
}
