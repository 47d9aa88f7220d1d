import { useLayoutEffect, useRef } from 'preact/hooks';
import { charactersOf } from './emoji';
import { shownTime } from './format';
import { pageOf } from './narrow-link';

declare global {
  interface Window {
    readonly trustedTypes?: {
      createPolicy<Rules extends object>(name: string, rules: Rules): Rules;
    };
  }
}

const rules = { createHTML: (text: string) => text };

/**
 * The one policy by which a text becomes HTML. It stays in this file, and takes nothing but what the server has rendered
 * and sanitised.
 */
const policy = window.trustedTypes?.createPolicy('parley-rendered', rules) ?? rules;

/** Puts characters where other clients have pictures of emoji. */
function showEmoji(root: ParentNode): void {
  for (const span of root.querySelectorAll('span.emoji')) {
    const code = /emoji-([0-9a-f-]+)/.exec(span.className)?.[1];
    if (code) span.textContent = charactersOf(code);
  }
}

/** Where something leads or comes from. Texts that are no address lead nowhere. */
function addressOf(text: string | null): URL {
  return new URL(
    text !== null && URL.canParse(text, location.origin) ? text : 'about:blank',
    location.origin,
  );
}

function openLinks(root: ParentNode): void {
  for (const link of root.querySelectorAll<HTMLAnchorElement>('a[href]')) {
    const { origin, hash, href } = addressOf(link.getAttribute('href'));
    const isHere = origin === location.origin;
    const page = isHere ? pageOf(hash) : null;
    if (page) {
      link.href = page;
    } else {
      // Links to uploaded files start at the root of the site, without saying so.
      if (isHere) link.href = href;
      link.target = '_blank';
      link.rel = 'noopener noreferrer';
    }
  }
}

/** As large as it will be, before it comes: nothing that one reads moves when it does. */
function reserve(picture: HTMLImageElement): void {
  const [width, height] = picture.dataset['originalDimensions']?.split('x') ?? [];
  if (!height) return;
  const ratio = (picture.style.aspectRatio = `${width} / ${height}`);
  // The style sheet has pictures no higher than this.
  picture.style.width = `min(${width}px, 16rem * ${ratio})`;
}

/** Pictures of other servers are links: the policy lets none of them in. */
function keepPicturesHere(root: ParentNode): void {
  for (const picture of root.querySelectorAll('img')) {
    const source = addressOf(picture.getAttribute('src'));
    if (source.origin === location.origin) {
      picture.loading = 'lazy';
      reserve(picture);
      if (!picture.alt) picture.alt = picture.title || (picture.closest('a')?.title ?? '');
      continue;
    }
    picture.replaceWith(picture.alt || source.hostname + source.pathname);
  }
}

/** What is hidden until one asks for it. */
function foldSpoilers(root: ParentNode): void {
  for (const block of root.querySelectorAll('.spoiler-block')) {
    const details = document.createElement('details');
    const summary = document.createElement('summary');
    summary.append(...(block.querySelector('.spoiler-header')?.childNodes ?? []));
    if (!summary.textContent?.trim()) summary.textContent = '…';
    details.append(summary, ...(block.querySelector('.spoiler-content')?.childNodes ?? []));
    block.replaceWith(details);
  }
}

/** Long lines of code are scrolled by the keyboard, too. */
function reachCode(root: ParentNode): void {
  for (const block of root.querySelectorAll('pre')) block.tabIndex = 0;
}

function showTimes(root: ParentNode): void {
  for (const time of root.querySelectorAll('time[datetime]')) {
    const moment = new Date(time.getAttribute('datetime')!);
    if (!Number.isNaN(moment.valueOf())) {
      time.textContent = shownTime(moment.valueOf() / 1000);
    }
  }
}

/** Formulas come with styles for clients that draw them; the policy would stop each, and the browser draws them by itself. */
const withoutStyles = (html: string) =>
  html.replace(/<[a-z][^>]*>/g, (tag) => tag.replace(/ style="[^"]*"/g, ''));

function prepared(html: string): DocumentFragment {
  const template = document.createElement('template');
  template.innerHTML = policy.createHTML(withoutStyles(html));
  const { content } = template;
  for (const step of [showEmoji, openLinks, keepPicturesHere, foldSpoilers, reachCode, showTimes])
    step(content);
  return content;
}

/** The words of such a text alone. */
export function textOf(html: string): string {
  return prepared(html).textContent;
}

/** A text as the server has rendered it. It is parsed once, so that it cannot mean something else the second time. */
export function Rendered({ html }: { readonly html: string }) {
  const holder = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => holder.current?.replaceChildren(prepared(html)), [html]);
  return <div class="rendered" dir="auto" ref={holder} />;
}
