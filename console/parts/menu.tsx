import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from './button';
import { isFromRight } from './direction';
import type { IconName } from './icon';
import { Icon } from './icon';
import { isPhone } from './window';

/** A menu item; null is a separator. */
export type MenuItem = {
  readonly label: string;
  readonly icon?: IconName;
  readonly isDangerous?: boolean;
  /** Whether the item is selected, for menus of choices. */
  readonly isChosen?: boolean;
  readonly run: () => void;
} | null;

const MARGIN = 8;

/**
 * Places a popup below its anchor, or above if it only fits there, within the window. On phones, the style sheet
 * places it at the bottom.
 */
function placeAt(popup: HTMLElement, anchor: Element): void {
  if (isPhone.value) {
    popup.style.left = '';
    popup.style.top = '';
    return;
  }
  const { left, top, bottom, right } = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = popup;
  const isBelow = bottom + height + MARGIN <= innerHeight || top < height + MARGIN;
  const [atStart, atEnd] = isFromRight() ? [right - width, left] : [left, right - width];
  const x = atStart >= MARGIN && atStart + width + MARGIN <= innerWidth ? atStart : atEnd;
  popup.style.left = `${Math.max(MARGIN, Math.min(x, innerWidth - width - MARGIN))}px`;
  popup.style.top = `${Math.max(MARGIN, Math.min(isBelow ? bottom + 4 : top - height - 4, innerHeight - height - MARGIN))}px`;
}

interface PopupProperties {
  readonly anchor: Element;
  readonly label: string;
  readonly role: 'menu' | 'dialog';
  readonly onClose: () => void;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
  readonly children: ComponentChildren;
}

/** A popup at an element. Closes on Escape and clicks elsewhere; the focus returns. */
export function Popup({ anchor, label, role, onClose, onKeyDown, children }: PopupProperties) {
  const popup = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const shown = popup.current!;
    shown.showPopover();
    const place = () => placeAt(shown, anchor);
    place();
    const first = shown.querySelector('[autofocus]') ?? shown.querySelector('button, a, [tabindex]');
    (first as HTMLElement | null)?.focus();
    const observer = new ResizeObserver(place);
    observer.observe(shown);
    const toggled = (event: Event) => (event as ToggleEvent).newState === 'closed' && onClose();
    shown.addEventListener('toggle', toggled);
    return () => {
      observer.disconnect();
      shown.removeEventListener('toggle', toggled);
      // The browser restores the focus.
      shown.hidePopover();
    };
  }, []);
  return (
    <div
      ref={popup}
      popover="auto"
      class={`popup ${role}`}
      role={role}
      aria-label={label}
      onKeyDown={onKeyDown}
    >
      {children}
    </div>
  );
}

interface MenuProperties {
  readonly anchor: Element;
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly onClose: () => void;
}

/** A menu of actions, navigable with arrows, Home, End and first letters. */
export function Menu({ anchor, label, items, onClose }: MenuProperties) {
  const onKeyDown = (event: KeyboardEvent) => {
    const all = [...(event.currentTarget as Element).querySelectorAll<HTMLElement>('button')];
    const at = all.indexOf(document.activeElement as HTMLElement);
    const { key } = event;
    const steps: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1 + all.length,
      Home: 0,
      End: all.length - 1,
    };
    let next = steps[key];
    if (next === undefined && key.length === 1 && !event.ctrlKey && !event.metaKey && key !== ' ') {
      const begins = (item: Element) => item.textContent.toLowerCase().startsWith(key.toLowerCase());
      const later = [...all.slice(at + 1), ...all.slice(0, at + 1)].find(begins);
      next = later && all.indexOf(later);
    }
    // Shortcuts of the page must not react.
    event.stopPropagation();
    if (key === 'Tab') onClose();
    if (next === undefined) return;
    event.preventDefault();
    all[next % all.length]?.focus();
  };
  return (
    <Popup anchor={anchor} label={label} role="menu" onClose={onClose} onKeyDown={onKeyDown}>
      {items.map((item, index) =>
        item ? (
          <button
            key={item.label}
            type="button"
            role={item.isChosen === undefined ? 'menuitem' : 'menuitemcheckbox'}
            aria-checked={item.isChosen}
            tabIndex={-1}
            class={item.isDangerous ? 'dangerous' : undefined}
            onClick={() => {
              onClose();
              item.run();
            }}
          >
            {item.isChosen === undefined ? (
              item.icon && <Icon name={item.icon} />
            ) : (
              <span class="mark">{item.isChosen && <Icon name="check" />}</span>
            )}
            {item.label}
          </button>
        ) : (
          <hr key={index} />
        ),
      )}
    </Popup>
  );
}

interface MenuButtonProperties {
  readonly label: string;
  readonly icon?: IconName;
  /** Renders the menu next to the button. */
  readonly menu: (anchor: Element, onClose: () => void) => ComponentChildren;
}

/** A button that opens a menu. */
export function MenuButton({ label, icon = 'more', menu }: MenuButtonProperties) {
  const [anchor, setAnchor] = useState<Element | null>(null);
  return (
    <>
      <Button
        kind="quiet"
        icon={icon}
        label={label}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={({ currentTarget }) => setAnchor(anchor ? null : currentTarget)}
      />
      {anchor && menu(anchor, () => setAnchor(null))}
    </>
  );
}
