import { useEffect, useRef } from 'preact/hooks';
import { people } from '../connection/state';
import { navigate } from '../router';
import * as words from '../words';
import { hrefOf } from './places';
import { filtered } from './replying';

interface NameFilterProperties {
  readonly what: 'channels' | 'people';
  readonly text: string;
  readonly onText: (text: string) => void;
  /** Target of Enter: the first match. */
  readonly first: string | undefined;
}

/** A field of the navigation that filters by name. A shortcut focuses it; Escape closes it. */
export function NameFilter({ what, text, onText, first }: NameFilterProperties) {
  const field = useRef<HTMLInputElement>(null);
  const isWanted = filtered.value === what;
  useEffect(() => {
    if (isWanted) field.current?.focus();
  }, [isWanted]);
  const close = () => {
    onText('');
    field.current?.blur();
    if (isWanted) filtered.value = null;
  };
  const label = what === 'channels' ? words.conversations.findChannel : words.conversations.findPerson;
  return (
    <input
      ref={field}
      type="search"
      aria-label={label}
      placeholder={label}
      value={text}
      onInput={({ currentTarget }) => onText(currentTarget.value)}
      onBlur={() => {
        if (isWanted && text === '') filtered.value = null;
      }}
      onKeyDown={({ key }) => {
        if (key === 'Escape') close();
        if (key !== 'Enter' || first === undefined) return;
        close();
        navigate(first);
      }}
    />
  );
}

/** Maximum number of people shown. */
const SHOWN = 8;

/** People whose names contain a text, as links of the navigation. */
export function peopleNamed(text: string): { readonly href: string; readonly name: string }[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [];
  return [...people.value.values()]
    .filter(({ is_active, full_name }) => is_active && full_name.toLowerCase().includes(wanted))
    .sort((one, other) => one.full_name.localeCompare(other.full_name))
    .slice(0, SHOWN)
    .map(({ user_id: id, full_name: name }) => ({ href: hrefOf({ userIds: [id] }), name }));
}
