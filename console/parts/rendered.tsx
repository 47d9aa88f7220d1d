import { useLayoutEffect, useRef } from 'preact/hooks';
import { decoded } from '../router';
import * as words from '../words';
import { copyText } from './copy-button';
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
 * The only policy that turns text into HTML. It is private to this file, and only used for HTML that the server has
 * rendered and sanitized.
 */
const policy = window.trustedTypes?.createPolicy('parley-rendered', rules) ?? rules;

/** Replaces emoji elements, which other clients style as pictures, by characters. */
function showEmoji(root: ParentNode): void {
  for (const span of root.querySelectorAll('span.emoji')) {
    const code = /emoji-([0-9a-f-]+)/.exec(span.className)?.[1];
    if (code) span.textContent = charactersOf(code);
  }
}

/** The URL of a link or source; invalid ones become `about:blank`. */
function addressOf(text: string | null): URL {
  return new URL(
    text !== null && URL.canParse(text, location.origin) ? text : 'about:blank',
    location.origin,
  );
}

/** The file name of a URL. */
const fileName = ({ pathname }: URL) => decoded(pathname.slice(pathname.lastIndexOf('/') + 1));

/** Links pictures within the text to the uploaded files, like those below it. */
function linkPictures(root: ParentNode): void {
  for (const picture of root.querySelectorAll<HTMLImageElement>('img.inline-image')) {
    const { origin, href } = addressOf(picture.dataset['originalSrc'] ?? picture.getAttribute('src'));
    if (origin !== location.origin || picture.closest('a')) continue;
    const link = document.createElement('a');
    link.setAttribute('href', href);
    picture.replaceWith(link);
    link.append(picture);
  }
}

/** Plays audio and video in place. Shows only the names of blocked files, which are those of other servers. */
function showPlayers(root: ParentNode): void {
  for (const player of root.querySelectorAll<HTMLMediaElement>('audio, video')) {
    const source = addressOf(player.getAttribute('src'));
    const link = player.closest('a');
    const name = player.title || link?.title || fileName(source);
    if (source.origin !== location.origin) {
      player.replaceWith(name || source.hostname);
      continue;
    }
    player.src = source.href;
    player.controls = true;
    player.setAttribute('aria-label', name);
    link?.replaceWith(player);
  }
}

function openLinks(root: ParentNode): void {
  for (const link of root.querySelectorAll<HTMLAnchorElement>('a[href]')) {
    const { origin, hash, href } = addressOf(link.getAttribute('href'));
    const isHere = origin === location.origin;
    const page = isHere ? pageOf(hash) : null;
    if (page) {
      link.href = page;
    } else {
      // Links to uploaded files are relative to the root of the site, but lack the leading slash.
      if (isHere) link.href = href;
      link.target = '_blank';
      link.rel = 'noopener noreferrer';
    }
  }
}

/** Reserves the size of a picture before it loads, so that nothing moves. */
function reserve(picture: HTMLImageElement): void {
  const [width, height] = picture.dataset['originalDimensions']?.split('x') ?? [];
  if (!height) return;
  const ratio = (picture.style.aspectRatio = `${width} / ${height}`);
  // The maximum height in the style sheet.
  picture.style.width = `min(${width}px, 16rem * ${ratio})`;
}

/** Replaces pictures of other servers by text, because the content security policy blocks them. */
function keepPicturesHere(root: ParentNode): void {
  for (const picture of root.querySelectorAll('img')) {
    const source = addressOf(picture.getAttribute('src'));
    if (source.origin === location.origin) {
      picture.loading = 'lazy';
      reserve(picture);
      const link = picture.closest('a');
      picture.alt ||= picture.title || link?.title || (link ? fileName(addressOf(link.href)) : '');
      continue;
    }
    picture.replaceWith(picture.alt || source.hostname + source.pathname);
  }
}

/** Turns spoilers into disclosure elements. */
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

/** Makes long lines of code scrollable by keyboard, and adds a header with the language and a copy button. */
function reachCode(root: ParentNode): void {
  for (const block of root.querySelectorAll('pre')) block.tabIndex = 0;
  for (const block of root.querySelectorAll<HTMLElement>('.codehilite')) {
    const head = document.createElement('div');
    head.className = 'code-head';
    const copy = document.createElement('button');
    copy.type = 'button';
    copy.className = 'button quiet';
    copy.textContent = words.copy;
    copy.setAttribute('aria-label', words.copyCode);
    head.append(block.dataset['codeLanguage'] ?? '', copy);
    block.prepend(head);
  }
}

/** Copies the code below a copy button. */
function copyCode({ target }: Event): void {
  const block = (target as Element).closest('.code-head button')?.closest('.codehilite');
  const code = block?.querySelector('pre')?.textContent.replace(/\n$/, '');
  if (code !== undefined) void copyText(code, words.codeCopied);
}

/** Makes wide tables scrollable, also by keyboard. */
function frameTables(root: ParentNode): void {
  for (const table of root.querySelectorAll('table')) {
    const frame = document.createElement('div');
    frame.className = 'table-frame';
    frame.tabIndex = 0;
    table.replaceWith(frame);
    frame.append(table);
  }
}

function showTimes(root: ParentNode): void {
  for (const time of root.querySelectorAll('time[datetime]')) {
    const moment = new Date(time.getAttribute('datetime')!);
    if (!Number.isNaN(moment.valueOf())) {
      time.textContent = shownTime(moment.valueOf() / 1000);
    }
  }
}

/**
 * Removes inline styles, which the content security policy blocks. Formulas have them for clients that draw formulas
 * themselves; browsers do not need them. Keeps the alignment of table columns.
 */
const withoutStyles = (html: string) =>
  html.replace(/<[a-z][^>]*>/g, (tag) =>
    tag.replace(/^(<t[hd]) style="text-align: (\w+);"/, '$1 data-align="$2"').replace(/ style="[^"]*"/g, ''),
  );

const STEPS = [showEmoji, linkPictures, showPlayers, openLinks, keepPicturesHere, foldSpoilers] as const;

function parsed(html: string): DocumentFragment {
  const template = document.createElement('template');
  template.innerHTML = policy.createHTML(withoutStyles(html));
  return template.content;
}

function prepared(html: string): DocumentFragment {
  const content = parsed(html);
  for (const step of [...STEPS, reachCode, frameTables, showTimes]) step(content);
  return content;
}

/** The plain text of rendered HTML, without hidden spoilers. */
export function textOf(html: string): string {
  const content = parsed(html);
  for (const hidden of content.querySelectorAll('.spoiler-content')) hidden.textContent = '(…)';
  for (const step of [showEmoji, keepPicturesHere, showTimes]) step(content);
  return content.textContent;
}

/** Text rendered by the server. Parsed only once, because parsing twice could change its meaning. */
export function Rendered({ html }: { readonly html: string }) {
  const holder = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => holder.current?.replaceChildren(prepared(html)), [html]);
  return <div class="rendered" dir="auto" ref={holder} onClick={copyCode} />;
}
