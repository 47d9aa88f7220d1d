import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../parts/button';
import { arrowKeys } from '../parts/direction';
import type { IconName } from '../parts/icon';
import type { Format } from './formatting';
import * as words from './words';

const FORMATS: readonly (readonly [Format, IconName])[] = [
  ['bold', 'bold'],
  ['italic', 'italic'],
  ['strike', 'strike'],
  ['link', 'link'],
  ['code', 'code'],
  ['quote', 'indent'],
  ['bullets', 'list'],
  ['numbers', 'numbers'],
  ['spoiler', 'spoiler'],
];

interface ToolbarProperties {
  readonly isPreviewed: boolean;
  readonly onFormat: (format: Format) => void;
  readonly onPreview: () => void;
  /** Shown before the formats. */
  readonly children?: ComponentChildren;
}

/** Formatting buttons with a single tab stop, navigable with the arrow keys. */
export function Toolbar({ isPreviewed, onFormat, onPreview, children }: ToolbarProperties) {
  const bar = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const buttons = () =>
    [...bar.current!.querySelectorAll('button')].filter((each) => each.offsetParent && !each.disabled);
  const stopAt = (stop: Element | undefined) => {
    for (const each of buttons()) each.tabIndex = each === stop ? 0 : -1;
  };
  useLayoutEffect(() => {
    const all = buttons();
    stopAt(all.find((each) => each === document.activeElement) ?? all[0]);
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const all = buttons();
    const at = all.indexOf(document.activeElement as HTMLButtonElement);
    const steps: Record<string, number> = {
      [arrowKeys().forth]: at + 1,
      [arrowKeys().back]: at - 1 + all.length,
      Home: 0,
      End: all.length - 1,
    };
    const next = steps[event.key];
    // Menus opened by buttons handle their own keys.
    if (at < 0 || next === undefined) return;
    event.preventDefault();
    const goal = all[next % all.length];
    stopAt(goal);
    goal?.focus();
  };
  return (
    <div
      ref={bar}
      class={`toolbar${isOpen ? ' open' : ''}`}
      role="toolbar"
      aria-label={words.toolbar}
      onKeyDown={onKeyDown}
    >
      {children}
      <Button
        kind="quiet"
        class="more-tools"
        icon="letters"
        label={words.moreTools}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      />
      {FORMATS.map(([format, icon]) => (
        <Button
          key={format}
          kind="quiet"
          class="format"
          icon={icon}
          label={words.formats[format]}
          disabled={isPreviewed}
          // Keeps the selection.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onFormat(format)}
        />
      ))}
      <Button
        kind="quiet"
        class="format"
        icon="eye"
        label={words.preview}
        title={`${words.preview} (Alt+P)`}
        aria-pressed={isPreviewed}
        onClick={onPreview}
      />
    </div>
  );
}
