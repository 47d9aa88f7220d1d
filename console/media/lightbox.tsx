import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Message } from '../connection/records';
import { nameOf } from '../connection/state';
import { picturesIn } from '../conversations/pictures';
import { Button } from '../parts/button';
import { arrowKeys } from '../parts/direction';
import { shownTime } from '../parts/format';
import { Icon } from '../parts/icon';
import * as words from './words';

interface Picture {
  readonly element: HTMLImageElement;
  readonly name: string;
  /** URL of the uploaded file. */
  readonly original: string;
  /** URL of a version that browsers can display. */
  readonly source: string;
  readonly message: Message | undefined;
}

/** All pictures of the messages, when the first one is opened. */
function allIn(root: Element, messages: readonly Message[]): Picture[] {
  return picturesIn(root).map((element) => {
    const { href } = element.closest('a')!;
    const { transcodedImage } = element.dataset;
    const id = Number(element.closest<HTMLElement>('[data-id]')?.dataset['id']);
    return {
      element,
      name: element.alt,
      original: href,
      source: transcodedImage === undefined ? href : new URL(transcodedImage, element.src).href,
      message: messages.find((each) => each.id === id),
    };
  });
}

const LARGEST = 8;
const STEP = 1.5;
/** Minimum distance of a swipe to another picture, in pixels. */
const SWIPE = 50;

interface LightboxProperties {
  /** The element that contains the messages. */
  readonly root: Element;
  readonly first: HTMLImageElement;
  readonly messages: readonly Message[];
  readonly onClose: () => void;
}

/** Shows the pictures of messages one by one, filling the window. The browser restores the focus. */
export function Lightbox({ root, first, messages, onClose }: LightboxProperties) {
  const dialog = useRef<HTMLDialogElement>(null);
  const pictures = useMemo(() => allIn(root, messages), []);
  const [at, setAt] = useState(() => pictures.findIndex(({ element }) => element === first));
  const [zoom, setZoom] = useState(1);
  const [isBroken, setBroken] = useState(false);
  /** Where a single-finger touch began. */
  const touched = useRef<{ readonly x: number; readonly y: number } | null>(null);
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  const picture = pictures[at];
  if (!picture) return null;
  const goBy = (by: number) => {
    if (!pictures[at + by]) return;
    setAt(at + by);
    setZoom(1);
    setBroken(false);
  };
  const zoomBy = (factor: number) => setZoom(Math.max(1, Math.min(zoom * factor, LARGEST)));
  const keys: Readonly<Record<string, () => void>> = {
    [arrowKeys().back]: () => goBy(-1),
    [arrowKeys().forth]: () => goBy(1),
    '+': () => zoomBy(STEP),
    '=': () => zoomBy(STEP),
    '-': () => zoomBy(1 / STEP),
    '0': () => setZoom(1),
    v: onClose,
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Shortcuts of the page must not react.
    event.stopPropagation();
    const does = keys[event.key];
    if (!does || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    does();
  };
  const onPointerDown = ({ isPrimary, pointerType, clientX: x, clientY: y }: PointerEvent) => {
    // Two fingers zoom; one finger pans in a zoomed picture.
    touched.current = isPrimary && pointerType === 'touch' && zoom === 1 ? { x, y } : null;
  };
  const onPointerUp = ({ clientX, clientY }: PointerEvent) => {
    if (!touched.current) return;
    const [right, down] = [clientX - touched.current.x, clientY - touched.current.y];
    touched.current = null;
    if (Math.abs(right) >= SWIPE && Math.abs(right) > 2 * Math.abs(down)) goBy(right < 0 ? 1 : -1);
  };
  const { name, original, source, message } = picture;
  return (
    <dialog ref={dialog} class="lightbox" aria-label={words.title} onClose={onClose} onKeyDown={onKeyDown}>
      <header class="lightbox-head">
        <p class="lightbox-title" aria-live="polite">
          <span class="name">{name}</span>{' '}
          <span class="note">
            {message && words.sent(nameOf(message.sender_id), shownTime(message.timestamp))}{' '}
            {pictures.length > 1 && words.place(at + 1, pictures.length)}
          </span>
        </p>
        <Button
          kind="quiet"
          icon="minus"
          label={words.zoomOut}
          aria-disabled={zoom === 1}
          onClick={() => zoomBy(1 / STEP)}
        />
        <Button kind="quiet" icon="plus" label={words.zoomIn} onClick={() => zoomBy(STEP)} />
        <Button kind="quiet" icon="fit" label={words.fit} onClick={() => setZoom(1)} />
        <a
          class="button quiet"
          href={original}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={words.open}
          title={words.open}
        >
          <Icon name="open" />
        </a>
        <a
          class="button quiet"
          href={original}
          download={name}
          aria-label={words.download}
          title={words.download}
        >
          <Icon name="download" />
        </a>
        <Button kind="quiet" icon="close" label={words.close} autofocus onClick={onClose} />
      </header>
      <div
        class={`lightbox-stage${zoom > 1 ? ' zoomed' : ''}`}
        tabIndex={zoom > 1 ? 0 : undefined}
        onPointerDown={onPointerDown}
        onPointerUp={onPointerUp}
        onPointerCancel={() => (touched.current = null)}
      >
        {isBroken ? (
          <p>{words.broken}</p>
        ) : (
          <img
            key={source}
            src={source}
            alt={name}
            style={{ width: `${zoom * 100}%`, height: `${zoom * 100}%` }}
            onError={() => setBroken(true)}
          />
        )}
      </div>
      {pictures.length > 1 && (
        <>
          <Button
            class="lightbox-back"
            icon="back"
            label={words.previous}
            aria-disabled={at === 0}
            onClick={() => goBy(-1)}
          />
          <Button
            class="lightbox-forth"
            icon="forth"
            label={words.next}
            aria-disabled={at === pictures.length - 1}
            onClick={() => goBy(1)}
          />
        </>
      )}
    </dialog>
  );
}
