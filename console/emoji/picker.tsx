import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { emoji as customEmoji } from '../connection/state';
import { charactersOf, Emoji, loadEmoji, namesByCode, type EmojiId } from '../parts/emoji';
import { Icon } from '../parts/icon';
import { Popup } from '../parts/menu';
import { CATEGORIES, type Category } from './categories';
import { chosenTone, inTone, noteChosen, recentEmoji, setTone, TONES } from './chosen';
import { arrowKeys } from '../parts/direction';
import * as words from './words';

const COLUMNS = 9;
const MOST_FOUND = 10 * COLUMNS;

type Section = keyof typeof words.sections;

/** The icon of each category. */
const SIGNS: Readonly<Record<Category, string>> = {
  smileys: '1f600',
  people: '1f44b',
  nature: '1f43b',
  food: '1f34e',
  travel: '1f697',
  activities: '26bd',
  objects: '1f4a1',
  symbols: '1f523',
  flags: '1f3c1',
};

const toned = new Set(
  Object.values(CATEGORIES)
    .flatMap((codes) => codes.split(' '))
    .filter((code) => code.endsWith('+'))
    .map((code) => code.slice(0, -1)),
);

const ownEmoji = () =>
  Object.values(customEmoji.value)
    .filter(({ deactivated }) => !deactivated)
    .map(({ id, name }): EmojiId => ({ emoji_name: name, emoji_code: id, reaction_type: 'realm_emoji' }));

/** A Unicode emoji by its code; none if the server does not know it. */
function unicodeEmoji(code: string): EmojiId[] {
  const name = namesByCode.value.get(code)?.[0];
  return name === undefined ? [] : [{ emoji_name: name, emoji_code: code, reaction_type: 'unicode_emoji' }];
}

function emojiIn(section: Section): EmojiId[] {
  if (section === 'recent') return recentEmoji();
  if (section === 'custom') return ownEmoji();
  return CATEGORIES[section].split(' ').flatMap((code) => unicodeEmoji(code.replace('+', '')));
}

/** All names of an emoji. */
const namesOf = ({ emoji_code, emoji_name, reaction_type }: EmojiId): readonly string[] =>
  (reaction_type === 'unicode_emoji' && namesByCode.value.get(emoji_code)) || [emoji_name];

/**
 * Finds emoji by name: exact matches first, then names and words that begin with the text, then those that contain it.
 */
function searched(text: string): EmojiId[] {
  const wanted = text.trim().toLowerCase().replaceAll(' ', '_');
  const rankOf = (name: string) =>
    name === wanted
      ? 0
      : name.startsWith(wanted)
        ? 1
        : name.includes(`_${wanted}`)
          ? 2
          : name.includes(wanted)
            ? 3
            : 4;
  const all = [...ownEmoji(), ...(Object.keys(CATEGORIES) as Category[]).flatMap(emojiIn)];
  return all
    .map((id) => ({ id, rank: Math.min(...namesOf(id).map(rankOf)) }))
    .filter(({ rank }) => rank < 4)
    .sort((one, other) => one.rank - other.rank)
    .slice(0, MOST_FOUND)
    .map(({ id }) => id);
}

interface PickerProperties {
  readonly anchor: Element;
  /** Whether to offer skin tones: reactions have none. */
  readonly hasTones?: boolean;
  /** @param characters the emoji in the chosen tone, if a tone was chosen and the emoji supports it */
  readonly onChoose: (id: EmojiId, characters: string | null) => void;
  readonly onClose: () => void;
}

/** All emoji, by category or name, and recently chosen ones. Navigable with the arrow keys. */
export function EmojiPicker({ anchor, hasTones = false, onChoose, onClose }: PickerProperties) {
  const [text, setText] = useState('');
  const [section, setSection] = useState<Section>('recent');
  const [named, setNamed] = useState<EmojiId | null>(null);
  const [tone, chooseTone] = useState(hasTones ? chosenTone() : 0);
  const field = useRef<HTMLInputElement>(null);
  const grid = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => void loadEmoji(), []);
  const shown = text.trim() === '' ? emojiIn(section) : searched(text);
  const rows = Array.from({ length: Math.ceil(shown.length / COLUMNS) }, (_, row) =>
    shown.slice(row * COLUMNS, (row + 1) * COLUMNS),
  );
  const choose = (chosen: EmojiId, isKept: boolean) => {
    noteChosen(chosen);
    const hasTone = tone > 0 && toned.has(chosen.emoji_code) && chosen.reaction_type === 'unicode_emoji';
    onChoose(chosen, hasTone ? charactersOf(inTone(chosen.emoji_code, tone)) : null);
    if (isKept) field.current?.focus();
    else onClose();
  };
  const buttons = () => [...grid.current!.querySelectorAll<HTMLElement>('button')];
  const onGridKey = (event: KeyboardEvent) => {
    const all = buttons();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const steps: Record<string, number> = {
      [arrowKeys().forth]: at + 1,
      [arrowKeys().back]: at - 1,
      ArrowDown: Math.min(at + COLUMNS, all.length - 1),
      ArrowUp: at - COLUMNS,
      Home: at - (at % COLUMNS),
      End: Math.min(at - (at % COLUMNS) + COLUMNS, all.length) - 1,
      PageDown: Math.min(at + 5 * COLUMNS, all.length - 1),
      PageUp: Math.max(at - 5 * COLUMNS, 0),
    };
    const next = steps[event.key];
    // Typing a letter continues the search.
    if (event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey)
      field.current?.focus();
    if (next === undefined) return;
    event.preventDefault();
    if (next < 0) field.current?.focus();
    else all[next]?.focus();
  };
  const sections = (Object.keys(words.sections) as Section[]).filter(
    (each) => each !== 'custom' || ownEmoji().length > 0,
  );
  const onTabKey = (event: KeyboardEvent) => {
    const { forth, back } = arrowKeys();
    const step = event.key === forth ? 1 : event.key === back ? -1 : 0;
    if (!step) return;
    event.preventDefault();
    const next = sections[(sections.indexOf(section) + step + sections.length) % sections.length]!;
    setSection(next);
    setText('');
    document.getElementById(`${id}-${next}`)?.focus();
  };
  return (
    <Popup
      anchor={anchor}
      label={words.title}
      role="dialog"
      onClose={onClose}
      // Shortcuts of the page and of the anchor must not react.
      onKeyDown={(event) => event.stopPropagation()}
    >
      <div class="picker">
        <input
          ref={field}
          type="search"
          autofocus
          aria-label={words.search}
          placeholder={words.search}
          autocomplete="off"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.isComposing) return;
            if (event.key === 'ArrowDown') buttons()[0]?.focus();
            else if (event.key === 'Enter' && shown[0]) choose(shown[0], event.shiftKey);
            else return;
            event.preventDefault();
          }}
        />
        <div class="picker-tabs" role="tablist" aria-label={words.categories} onKeyDown={onTabKey}>
          {sections.map((each) => {
            const isChosen = each === section && text === '';
            return (
              <button
                key={each}
                id={`${id}-${each}`}
                type="button"
                role="tab"
                aria-selected={isChosen}
                aria-controls={id}
                aria-label={words.sections[each]}
                title={words.sections[each]}
                tabIndex={each === section ? 0 : -1}
                onClick={() => {
                  setSection(each);
                  setText('');
                }}
              >
                {each === 'recent' ? (
                  <Icon name="clock" />
                ) : each === 'custom' ? (
                  <Icon name="star" />
                ) : (
                  charactersOf(SIGNS[each])
                )}
              </button>
            );
          })}
        </div>
        <div
          id={id}
          class="picker-list"
          role="tabpanel"
          aria-label={text ? words.results : words.sections[section]}
        >
          <div ref={grid} role="grid" aria-label={words.title} onKeyDown={onGridKey}>
            {rows.map((row, index) => (
              <div key={index} role="row">
                {row.map((each, column) => (
                  <div key={`${each.reaction_type} ${each.emoji_code}`} role="gridcell">
                    <button
                      type="button"
                      aria-label={each.emoji_name.replaceAll('_', ' ')}
                      tabIndex={index + column === 0 ? 0 : -1}
                      onFocus={() => setNamed(each)}
                      onMouseEnter={() => setNamed(each)}
                      onClick={(event) => choose(each, event.shiftKey)}
                    >
                      {tone > 0 && toned.has(each.emoji_code) ? (
                        <span aria-hidden="true">{charactersOf(inTone(each.emoji_code, tone))}</span>
                      ) : (
                        <Emoji id={each} />
                      )}
                    </button>
                  </div>
                ))}
              </div>
            ))}
          </div>
          {shown.length === 0 && namesByCode.value.size > 0 && <p class="empty">{words.nothingFound}</p>}
        </div>
        <div class="picker-foot">
          <span class="note">
            {named &&
              namesOf(named)
                .map((name) => `:${name}:`)
                .join(' ')}
          </span>
          {hasTones && (
            <div role="group" aria-label={words.tones} class="tones">
              {TONES.map((modifier, index) => (
                <button
                  key={modifier}
                  type="button"
                  class={`tone-${index}`}
                  aria-label={words.toneNames[index]}
                  title={words.toneNames[index]}
                  aria-pressed={index === tone}
                  onClick={() => {
                    setTone(index);
                    chooseTone(index);
                  }}
                />
              ))}
            </div>
          )}
        </div>
      </div>
    </Popup>
  );
}
